// The work of sharing as tasks do it: each piece is begun, tells how far it is, and ends with a sentence. Sharing itself comes in
// by its shape alone.
import type { Invitation } from "../../../shared/contract/packs.ts";
import type { PackParts, PackRecord } from "./pack-actions.ts";
import { toOneScale } from "./pack-progress.ts";
import type { TaskReport } from "./task-board.ts";

/** What came of one piece of work. */
export interface SharingOutcome {
  readonly event: string;
  /** Of the pack as it is now, 40 hexadecimal digits. */
  readonly commit: string;
  readonly status: "complete" | "up to date";
}

export interface SharingOptions {
  readonly onProgress: (done: number, total: number) => void;
  /** Says whose pack it is before anything of it is written; what it throws ends the work. */
  readonly onEvent: (eventId: string) => void;
  readonly signal: AbortSignal;
}

interface Place {
  readonly address: string;
  readonly token: string | undefined;
}

/** Everything throws AppError. */
export interface SharingPart {
  readonly share: (eventId: string, options: SharingOptions) => Promise<SharingOutcome>;
  readonly unshare: (eventId: string) => Promise<void>;
  readonly invite: (eventId: string, ttlSeconds: number) => Promise<Invitation>;
  readonly get: (place: Place, options: SharingOptions) => Promise<SharingOutcome>;
  readonly getAgain: (
    eventId: string,
    token: string | undefined,
    options: SharingOptions,
  ) => Promise<SharingOutcome>;
  readonly push: (eventId: string, place: Place, options: SharingOptions) => Promise<SharingOutcome>;
  readonly export: (eventId: string, options: SharingOptions) => Promise<SharingOutcome>;
  readonly list: () => Promise<readonly PackRecord[]>;
}

export type SharingWork = Pick<
  PackParts,
  | "listPacks"
  | "beginShare"
  | "unshare"
  | "invite"
  | "beginGet"
  | "beginGetAgain"
  | "beginPush"
  | "beginExport"
>;

export function toSharingWork(sharing: SharingPart): SharingWork {
  return {
    listPacks: () => sharing.list(),
    unshare: (eventId) => sharing.unshare(eventId),
    invite: ({ eventId, ttlSeconds }) => sharing.invite(eventId, ttlSeconds),
    beginShare: ({ eventId }, report, signal) =>
      begin(sharing.share(eventId, toOptions("share", report, signal)), sentences.share),
    beginPush: ({ eventId, address, token }, report, signal) =>
      begin(sharing.push(eventId, { address, token }, toOptions("push", report, signal)), sentences.push),
    beginExport: ({ eventId }, report, signal) =>
      begin(sharing.export(eventId, toOptions("export", report, signal)), sentences.export),
    beginGet: ({ address, token }, report, signal) =>
      beginGetting(sharing.get({ address, token }, toOptions("get", report, signal))),
    beginGetAgain: ({ eventId, token }, report, signal) =>
      beginGetting(sharing.getAgain(eventId, token, toOptions("get", report, signal))),
  };
}

const sentences = {
  share: {
    complete: "It is shared; invite somebody to get it.",
    "up to date": "The shared copy has everything.",
  },
  push: {
    complete: "The other side has everything.",
    "up to date": "The other side had everything already.",
  },
  export: { complete: "The pack is written.", "up to date": "The pack had everything already." },
  get: { complete: "Everything of it is here.", "up to date": "Nothing is new since the last time." },
} as const satisfies Record<string, Record<SharingOutcome["status"], string>>;

type Sentences = Record<SharingOutcome["status"], string>;

function begin(work: Promise<SharingOutcome>, words: Sentences): Promise<{ ended: Promise<string> }> {
  return Promise.resolve({ ended: work.then(({ status }) => words[status]) });
}

function beginGetting(work: Promise<SharingOutcome>) {
  const ended = work.then(({ event, status }) => ({ eventId: event, message: sentences.get[status] }));
  return Promise.resolve({ ended });
}

/** Written and sent, or received and published: each stage counts from nothing. */
const stages = { share: 2, push: 2, export: 1, get: 2 } as const satisfies Record<
  keyof typeof sentences,
  number
>;

function toOptions(work: keyof typeof stages, report: TaskReport, signal: AbortSignal): SharingOptions {
  return { onProgress: toOneScale(stages[work], report.progress), onEvent: report.claim, signal };
}
