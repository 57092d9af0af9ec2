// The actions of the viewer: one table with the input and output of each. Two carriers share it: Electron's bridge, and
// `POST /app/ACTION` with the run's token. Both parse every input with these schemas.
import * as z from "zod";
import { errorCodes } from "../app-error.ts";
import { fastestReplay, slowestReplay } from "../revisions/replay-speed.ts";
import { SavedSteps, SaveStepsInput } from "../views/briefing-steps.ts";
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
import {
  AddFilesInput,
  AddFilesResult,
  AppInfo,
  HoldInput,
  NotificationInput,
  Opened,
  UpdateState,
} from "./desktop.ts";
import { KnownEvent } from "./known-event.ts";
import { LiveInput, LiveState } from "./live.ts";
import { ConfiguredOverlay, FetchPresetInput, OverlayDraft, OverlayRef } from "./overlays.ts";
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
import { EventId, EventLabel, Instant } from "./primitives.ts";
import { Task } from "./task.ts";

const nothing = z.strictObject({});

/** Longest window: MRMS events last hours, and each two minutes are two files. */
export const maxWindowMs = 7 * 24 * 3_600_000;

/** A benchmark window without data. `startedAt` is before `endedAt`, by at most seven days. */
export const RegisterInput = z
  .strictObject({
    id: EventId,
    label: z.string().trim().max(120).pipe(EventLabel),
    startedAt: Instant,
    endedAt: Instant,
  })
  .refine(({ startedAt, endedAt }) => Date.parse(startedAt) < Date.parse(endedAt), {
    path: ["endedAt"],
    message: "The end must be after the start",
  })
  .refine(({ startedAt, endedAt }) => Date.parse(endedAt) - Date.parse(startedAt) <= maxWindowMs, {
    path: ["endedAt"],
    message: "The window must not exceed seven days",
  });
export type RegisterInput = z.infer<typeof RegisterInput>;

/** Source of a window, in the command line's syntax. */
export const FetchSource = z
  .string()
  .max(2_048)
  .regex(/^(?:noaa$|bucket:https?:\/\/.|folder:.)/);
export type FetchSource = z.infer<typeof FetchSource>;

/** `source` is NOAA's public bucket if omitted. */
export const FetchInput = z.strictObject({ eventId: EventId, source: FetchSource.exactOptional() });
export type FetchInput = z.infer<typeof FetchInput>;

/** `speed` 1 keeps the original intervals; without `asEventId` the replay gets a free id. */
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
  /** Hands over what was opened since the last call, oldest first. */
  "opened.take": { input: nothing, output: z.object({ opened: z.array(Opened) }) },
  "updates.read": { input: nothing, output: UpdateState },
  /** Downloads the available version, checks it, and installs it when Echotop quits. */
  "updates.install": { input: nothing, output: UpdateState },
  "notifications.show": { input: NotificationInput, output: z.object({ shown: z.boolean() }) },
  /** Holds every notification back until it is called again or the page is loaded anew. */
  "notifications.hold": { input: HoldInput, output: HoldInput },
  /** Lists the catalog of well-known events. */
  "events.known": { input: nothing, output: z.object({ events: z.array(KnownEvent) }) },
  "events.register": { input: RegisterInput, output: EventRef },
  "events.registerKnown": { input: z.strictObject({ name: EventId }), output: EventRef },
  "events.archive": { input: z.strictObject({ eventId: EventId }), output: EventRef },
  /** Removes an event that never had a revision; any other event cannot be removed. */
  "events.remove": { input: z.strictObject({ eventId: EventId }), output: EventRef },
  /** Starts a task that fills a registered window. */
  "events.fetch": { input: FetchInput, output: Task },
  /** Starts a task that republishes an event in its original order, as a new event. */
  "events.replay": { input: ReplayInput, output: Task },
  /** Lists tasks, newest first; ended ones stay for a while. */
  "tasks.list": { input: nothing, output: z.object({ tasks: z.array(Task) }) },
  "tasks.pause": { input: TaskRef, output: Task },
  "tasks.resume": { input: TaskRef, output: Task },
  "tasks.stop": { input: TaskRef, output: Task },
  /** Starts the work of a failed or stopped task again, with the same input, as a new task in its place. */
  "tasks.retry": { input: TaskRef, output: Task },
  "live.read": { input: nothing, output: LiveState },
  /** Follows a source, instead of the previous one, until it is stopped; also after a restart. */
  "live.start": { input: LiveInput, output: LiveState },
  "live.stop": { input: nothing, output: LiveState },
  "packs.list": { input: nothing, output: PackList },
  /** Lists the newest versions to compare, in rising sequence. */
  "packs.versions": { input: PackRef, output: PackVersions },
  "packs.compare": { input: CompareInput, output: PackComparison },
  /** Starts a task that puts the event into a hosted repository; later revisions follow automatically. */
  "packs.share": { input: PackRef, output: Task },
  "packs.unshare": { input: PackRef, output: EventRef },
  "packs.invite": { input: InviteInput, output: Invitation },
  /** Starts a task that gets a pack; its event is known only later. */
  "packs.get": { input: GetPackInput, output: Task },
  /** Starts a task that updates a pack that was received before, with the stored token. */
  "packs.getAgain": { input: PackRef, output: Task },
  /** Deletes the stored token; the event and its pack stay. */
  "packs.forgetToken": { input: PackRef, output: EventRef },
  /** Starts a task that pushes the event to a repository of any compatible service. */
  "packs.push": { input: PushPackInput, output: Task },
  /** Starts a task that updates the event's own pack repository. */
  "packs.export": { input: PackRef, output: Task },
  "hosting.switch": { input: SwitchInput, output: HostingState },
  "lan.switch": { input: SwitchInput, output: LanState },
  "briefings.list": { input: nothing, output: BriefingList },
  /** Starts a task that writes the event's pages into the briefings folder. */
  "briefings.publish": { input: PublishBriefingInput, output: Task },
  /** Replaces the steps of an event's briefing; `steps-changed` if another person has saved others meanwhile. */
  "briefings.saveSteps": { input: SaveStepsInput, output: SavedSteps },
  "gateway.read": { input: nothing, output: GatewayState },
  "gateway.switch": { input: SwitchInput, output: GatewayState },
  /** Turns the redirect of training crawlers to the canonical page on or off for a zone. */
  "gateway.setFeature": { input: GatewayFeatureInput, output: GatewayState },
  /** Reports the requests of a zone's crawlers. */
  "gateway.report": { input: GatewayReportInput, output: GatewayReport },
  /** Explains the answer for a visitor; sends the origin the request that the visitor would cause. */
  "gateway.explain": { input: ExplainInput, output: Explanation },
  /** Lists the addresses and folders as they were entered. Their health is in `/app/overlays`. */
  "overlays.list": { input: nothing, output: z.object({ overlays: z.array(ConfiguredOverlay) }) },
  "overlays.add": { input: OverlayDraft, output: ConfiguredOverlay },
  "overlays.change": { input: ConfiguredOverlay, output: ConfiguredOverlay },
  "overlays.remove": { input: OverlayRef, output: OverlayRef },
  /** Starts a task that fetches warnings or reports of the event's window, and keeps them with the event. */
  "overlays.fetchPreset": { input: FetchPresetInput, output: Task },
} as const satisfies Record<ActionName, { input: z.ZodType; output: z.ZodType }>;

export type ActionInput<Name extends ActionName> = z.infer<(typeof actions)[Name]["input"]>;
export type ActionOutput<Name extends ActionName> = z.infer<(typeof actions)[Name]["output"]>;

/** An error for a client: no stack, no object with methods. */
export const Problem = z.object({
  code: z.enum([...errorCodes, "refused", "unexpected"]),
  detail: z.string(),
});
export type Problem = z.infer<typeof Problem>;

export type Outcome<Value> = { readonly ok: Value } | { readonly problem: Problem };

export type ActionHandlers<Name extends ActionName> = {
  readonly [One in Name]: (input: ActionInput<One>) => Promise<ActionOutput<One>>;
};

/** Runs an action on unchecked input. Never throws. */
export type Dispatch<Name extends ActionName = HostActionName> = (
  action: Name,
  input: unknown,
) => Promise<Outcome<unknown>>;
