// What the viewer can do beyond looking: one table of actions, each with its input and its output. Two carriers bring the
// same table: Electron's bridge, and `POST /app/ACTION` with the run's token. Both parse every input with these schemas.
import * as z from "zod";
import { errorCodes } from "../app-error.ts";
import { fastestReplay, slowestReplay } from "../revisions/replay-speed.ts";
import type { ActionName, HostActionName } from "./action-names.ts";
import {
  BriefingList,
  ExplainInput,
  Explanation,
  GatewayFeatureInput,
  GatewayReport,
  GatewayReportInput,
  GatewayState,
  PublishBriefingInput,
} from "./briefings.ts";
import { AddFilesInput, AddFilesResult, AppInfo } from "./desktop.ts";
import { KnownEvent } from "./known-event.ts";
import {
  CompareInput,
  GetPackInput,
  HostingState,
  Invitation,
  InviteInput,
  LanState,
  PackComparison,
  PackList,
  PackRef,
  PackVersions,
  PushPackInput,
  SwitchInput,
} from "./packs.ts";
import { EventId, Instant } from "./primitives.ts";
import { Task } from "./task.ts";

const nothing = z.strictObject({});

/** The longest window that is registered: MRMS events last hours, and every two minutes of one are two files. */
export const maxWindowMs = 7 * 24 * 3_600_000;

/** A benchmark window with no data yet. `startedAt` lies before `endedAt`, at most seven days. */
export const RegisterInput = z
  .strictObject({
    id: EventId,
    label: z.string().trim().min(1).max(120),
    startedAt: Instant,
    endedAt: Instant,
  })
  .refine(({ startedAt, endedAt }) => Date.parse(startedAt) < Date.parse(endedAt), {
    path: ["endedAt"],
    message: "The end must be after the start",
  })
  .refine(({ startedAt, endedAt }) => Date.parse(endedAt) - Date.parse(startedAt) <= maxWindowMs, {
    path: ["endedAt"],
    message: "The window may be seven days at most",
  });
export type RegisterInput = z.infer<typeof RegisterInput>;

/** Where a window is fetched from, in the command line's words. */
export const FetchSource = z
  .string()
  .max(2_048)
  .regex(/^(?:noaa$|bucket:https?:\/\/.|folder:.)/);
export type FetchSource = z.infer<typeof FetchSource>;

/** Without `source`, from NOAA's public bucket. */
export const FetchInput = z.strictObject({ eventId: EventId, source: FetchSource.exactOptional() });
export type FetchInput = z.infer<typeof FetchInput>;

/** `speed` 1 keeps the intervals of the first publication; without `asEventId` the replay gets a free id. */
export const ReplayInput = z.strictObject({
  eventId: EventId,
  asEventId: EventId.exactOptional(),
  speed: z.number().min(slowestReplay).max(fastestReplay),
});
export type ReplayInput = z.infer<typeof ReplayInput>;

const EventRef = z.object({ eventId: EventId });
const TaskRef = z.strictObject({ taskId: z.string().min(1).max(64) });

export const actions = {
  "app.info": { input: nothing, output: AppInfo },
  "files.add": { input: AddFilesInput, output: AddFilesResult },
  /** The catalog of well-known events. */
  "events.known": { input: nothing, output: z.object({ events: z.array(KnownEvent) }) },
  "events.register": { input: RegisterInput, output: EventRef },
  "events.registerKnown": { input: z.strictObject({ name: EventId }), output: EventRef },
  "events.archive": { input: z.strictObject({ eventId: EventId }), output: EventRef },
  /** Starts a task that fills a registered window. */
  "events.fetch": { input: FetchInput, output: Task },
  /** Starts a task that republishes an event as it happened, as an event of its own. */
  "events.replay": { input: ReplayInput, output: Task },
  /** Newest first; the ones that ended are kept for a while. */
  "tasks.list": { input: nothing, output: z.object({ tasks: z.array(Task) }) },
  "tasks.pause": { input: TaskRef, output: Task },
  "tasks.resume": { input: TaskRef, output: Task },
  "tasks.stop": { input: TaskRef, output: Task },
  "packs.list": { input: nothing, output: PackList },
  /** What there is to compare, the newest ones, in rising sequence. */
  "packs.versions": { input: PackRef, output: PackVersions },
  "packs.compare": { input: CompareInput, output: PackComparison },
  /** Starts a task that puts the event into a hosted repository; later revisions follow by themselves. */
  "packs.share": { input: PackRef, output: Task },
  "packs.unshare": { input: PackRef, output: EventRef },
  "packs.invite": { input: InviteInput, output: Invitation },
  /** Starts a task that gets a pack; which event it is turns out on the way. */
  "packs.get": { input: GetPackInput, output: Task },
  /** Starts a task that gets what is new of a pack that was got before, with the token that was kept. */
  "packs.getAgain": { input: PackRef, output: Task },
  /** The token that was kept for that is kept no longer; the event and its pack stay. */
  "packs.forgetToken": { input: PackRef, output: EventRef },
  /** Starts a task that puts the event into a repository of any service with the same contract. */
  "packs.push": { input: PushPackInput, output: Task },
  /** Starts a task that brings the event's own pack repository up to date. */
  "packs.export": { input: PackRef, output: Task },
  "hosting.switch": { input: SwitchInput, output: HostingState },
  "lan.switch": { input: SwitchInput, output: LanState },
  "briefings.list": { input: nothing, output: BriefingList },
  /** Starts a task that writes the event's pages into the briefings folder. */
  "briefings.publish": { input: PublishBriefingInput, output: Task },
  "gateway.read": { input: nothing, output: GatewayState },
  "gateway.switch": { input: SwitchInput, output: GatewayState },
  /** Sends training crawlers of a zone to the canonical page, or no longer. */
  "gateway.setFeature": { input: GatewayFeatureInput, output: GatewayState },
  /** What became of the requests of a zone's crawlers. */
  "gateway.report": { input: GatewayReportInput, output: GatewayReport },
  /** What a visitor would get, and why; the origin is asked as the visitor would ask it. */
  "gateway.explain": { input: ExplainInput, output: Explanation },
} as const satisfies Record<ActionName, { input: z.ZodType; output: z.ZodType }>;

export type ActionInput<Name extends ActionName> = z.infer<(typeof actions)[Name]["input"]>;
export type ActionOutput<Name extends ActionName> = z.infer<(typeof actions)[Name]["output"]>;

/** An error as it crosses a carrier: never a stack, never an object with methods. */
export const Problem = z.object({
  code: z.enum([...errorCodes, "refused", "unexpected"]),
  detail: z.string(),
});
export type Problem = z.infer<typeof Problem>;

export type Outcome<Value> = { readonly ok: Value } | { readonly problem: Problem };

export type ActionHandlers<Name extends ActionName> = {
  readonly [One in Name]: (input: ActionInput<One>) => Promise<ActionOutput<One>>;
};

/** Runs one action on an input that nobody has looked at yet. Never throws. */
export type Dispatch<Name extends ActionName = HostActionName> = (
  action: Name,
  input: unknown,
) => Promise<Outcome<unknown>>;
