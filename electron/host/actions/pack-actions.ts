// What each action about packs does. Sharing, getting, hosting and the keychain come in as functions, so that this part
// knows none of them. A token lives here as long as its call does; the keeper of secrets alone has it longer.
import { AppError } from "../../../shared/app-error.ts";
import type { PackActionName } from "../../../shared/contract/action-names.ts";
import type { ActionHandlers } from "../../../shared/contract/actions.ts";
import {
  packVersionLimit,
  type GetPackInput,
  type HostingState,
  type Invitation,
  type InviteInput,
  type LanState,
  type Pack,
  type PackList,
  type PackOrigin,
  type PushPackInput,
} from "../../../shared/contract/packs.ts";
import { parseRemoteAddress } from "../../../shared/packs/pairing-code.ts";
import type { Task, TaskKind } from "../../../shared/contract/task.ts";
import type { SecretKeeper } from "../config/secrets.ts";
import { compareVersions, toVersion, type VersionRecord } from "./compare-versions.ts";
import type { KnownRecord } from "./host-actions.ts";
import { hidingFailure, hidingReport } from "./hide-token.ts";
import { createPackTokens, type PackTokens } from "./pack-tokens.ts";
import type { TaskBoard, TaskReport, TaskWork } from "./task-board.ts";

/** A pack as sharing knows it; whether a token is kept for it, the keeper of secrets knows. */
export type PackRecord = Omit<Pack, "gotFrom"> & {
  readonly gotFrom: Omit<PackOrigin, "hasToken"> | null;
};

/** What came of getting a pack: its event, and the sentence that says how it ended. */
export interface GotPack {
  readonly eventId: string;
  readonly message: string;
}

export interface GetWork extends Omit<TaskWork, "ended"> {
  readonly ended: Promise<GotPack>;
}

/** Starts work and resolves once it is under way; throws AppError where it cannot even begin. */
type Begin<Request, Work = TaskWork> = (
  request: Request,
  report: TaskReport,
  signal: AbortSignal,
) => Promise<Work>;

export interface PackParts {
  readonly board: TaskBoard;
  readonly secrets: SecretKeeper;
  readonly now: () => Date;
  readonly findEvent: (eventId: string) => Promise<KnownRecord | undefined>;
  /** The newest `limit` revisions in rising sequence. */
  readonly listRevisions: (eventId: string, limit: number) => Promise<readonly VersionRecord[]>;
  readonly readHosting: () => Promise<HostingState>;
  /** Resolves with what came of it, also `failed`; throws `conflict` where the configuration decides. */
  readonly switchHosting: (on: boolean) => Promise<HostingState>;
  readonly readLan: () => Promise<LanState>;
  readonly switchLan: (on: boolean) => Promise<LanState>;
  readonly listPacks: () => Promise<readonly PackRecord[]>;
  readonly beginShare: Begin<{ readonly eventId: string }>;
  /** Throws `not-found` for what is not shared. */
  readonly unshare: (eventId: string) => Promise<void>;
  /** Throws `not-found` for what is not shared. */
  readonly invite: (input: InviteInput) => Promise<Invitation>;
  /** Calls `report.claim` as soon as the pack says which event it is, before anything of it is written. */
  readonly beginGet: Begin<GetPackInput, GetWork>;
  /** From where it was got before. Throws `not-found` for an event that was not. */
  readonly beginGetAgain: Begin<{ readonly eventId: string; readonly token: string | undefined }, GetWork>;
  readonly beginPush: Begin<PushPackInput>;
  readonly beginExport: Begin<{ readonly eventId: string }>;
}

/** Longer than any event that is compared: a week of two-minute windows, each in four revisions. */
const comparedRevisions = 20_160;

export function createPackActions(parts: PackParts): ActionHandlers<PackActionName> {
  const tokens = createPackTokens(parts.secrets, parts.now);
  return {
    "packs.list": () => listPacks(parts, tokens),
    "packs.versions": async ({ eventId }) => {
      await getEvent(parts, eventId);
      return { versions: (await parts.listRevisions(eventId, packVersionLimit)).map(toVersion) };
    },
    "packs.compare": async (input) => {
      await getEvent(parts, input.eventId);
      return compareVersions(await parts.listRevisions(input.eventId, comparedRevisions), input);
    },
    "packs.share": (request) => startWriting(parts, "pack-share", request, parts.beginShare),
    "packs.unshare": async ({ eventId }) => {
      if (parts.board.isBusy(eventId, "pack"))
        throw new AppError("conflict", "A task is working on this pack; stop it before ending the sharing.");
      await parts.unshare(eventId);
      return { eventId };
    },
    "packs.invite": (input) => parts.invite(input),
    "packs.get": (request) => getPack(parts, tokens, request),
    "packs.getAgain": (request) => getPackAgain(parts, tokens, request),
    "packs.forgetToken": async ({ eventId }) => {
      await tokens.forget(eventId);
      return { eventId };
    },
    "packs.push": async (request) => {
      requireAddress(request);
      return startWriting(parts, "pack-push", request, hiding(parts.beginPush, request.token));
    },
    "packs.export": (request) => startWriting(parts, "pack-export", request, parts.beginExport),
    "hosting.switch": ({ on }) => parts.switchHosting(on),
    "lan.switch": ({ on }) => parts.switchLan(on),
  };
}

/** Throws `invalid-input`: what can never be asked makes no task. */
function requireAddress({ address }: { readonly address: string }): void {
  parseRemoteAddress(address);
}

async function listPacks(parts: PackParts, tokens: PackTokens): Promise<PackList> {
  const [hosting, lan, records] = await Promise.all([
    parts.readHosting(),
    parts.readLan(),
    parts.listPacks(),
  ]);
  const packs = await Promise.all(
    records.map(async (record) => {
      const { gotFrom, eventId } = record;
      return { ...record, gotFrom: gotFrom && { ...gotFrom, hasToken: await tokens.has(eventId) } };
    }),
  );
  return { hosting, lan, tokens: parts.secrets.kind, packs };
}

async function getEvent({ findEvent }: PackParts, eventId: string): Promise<KnownRecord> {
  const event = await findEvent(eventId);
  if (event === undefined) throw new AppError("not-found", `There is no event ${eventId}.`);
  return event;
}

const beginnings = {
  "pack-share": "Writing the pack of",
  "pack-push": "Comparing with the other side what it has of",
  "pack-export": "Writing the pack of",
} as const satisfies Partial<Record<TaskKind, string>>;

/** A task that writes an event's pack, here or elsewhere, and nothing of the event itself. */
async function startWriting<Request extends { readonly eventId: string }>(
  parts: PackParts,
  kind: keyof typeof beginnings,
  request: Request,
  begin: Begin<Request>,
): Promise<Task> {
  const { eventId } = request;
  const { label, latestSequence } = await getEvent(parts, eventId);
  if (latestSequence === 0)
    throw new AppError("conflict", `${label} has no revision yet that could be handed on.`);
  return parts.board.start({
    kind,
    eventId,
    message: `${beginnings[kind]} ${label}.`,
    begin: (report, signal) => begin(request, report, signal),
  });
}

/** The same work, which never says the token. */
function hiding<Request, Work extends { readonly ended: Promise<unknown> }>(
  begin: Begin<Request, Work>,
  token: string | undefined,
): Begin<Request, Work> {
  return async (request, report, signal) => {
    const work = await hidingFailure(begin(request, hidingReport(report, token), signal), token);
    return { ...work, ended: hidingFailure(work.ended, token) };
  };
}

async function getPack(parts: PackParts, tokens: PackTokens, request: GetPackInput): Promise<Task> {
  requireAddress(request);
  return parts.board.start({
    kind: "pack-get",
    eventId: null,
    message: "Asking the other side what it has.",
    begin: async (report, signal) => {
      const { ended, ...work } = await hiding(parts.beginGet, request.token)(request, report, signal);
      return { ...work, ended: keepToken(ended, tokens, request.token) };
    },
  });
}

/** Resolves with the sentence, once the token that opened the pack is kept for getting it again. */
async function keepToken(
  ended: Promise<GotPack>,
  tokens: PackTokens,
  token: string | undefined,
): Promise<string> {
  const { eventId, message } = await ended;
  if (token === undefined || (await tokens.keep(eventId, token))) return message;
  return `${message} The token could not be kept; getting it again will ask for one.`;
}

async function getPackAgain(
  parts: PackParts,
  tokens: PackTokens,
  { eventId }: { readonly eventId: string },
): Promise<Task> {
  const { label } = await getEvent(parts, eventId);
  const token = await tokens.find(eventId);
  return parts.board.start({
    kind: "pack-get",
    eventId,
    message: `Asking the other side what is new of ${label}.`,
    begin: async (report, signal) => {
      const begin = hiding(parts.beginGetAgain, token);
      const { ended, ...work } = await begin({ eventId, token }, report, signal);
      return { ...work, ended: ended.then(({ message }) => message) };
    },
  });
}
