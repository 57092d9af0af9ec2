// Limits, budgets and timing of a mirror, in one place. How often it polls is configuration: see feed-config.ts.
import { usualLimits, type RequestLimits } from "../fetching/bounded-request.ts";

export type MirrorLimits = Omit<RequestLimits, "maxBytes"> & {
  readonly maxListBytes: number;
  /** 360 revisions with their legends take about 3 MB. */
  readonly maxHistoryBytes: number;
  readonly maxManifestBytes: number;
  /** The largest frame that the viewer accepts. */
  readonly maxFrameBytes: number;
};

export const mirrorLimits: MirrorLimits = {
  ...usualLimits,
  maxListBytes: 4 << 20,
  maxHistoryBytes: 32 << 20,
  maxManifestBytes: 1 << 20,
  maxFrameBytes: 128 << 20,
};

export interface NoticeStreamTiming {
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** Delay after the service refused a stream. */
  readonly refusedDelayMs: number;
  readonly openDeadlineMs: number;
  readonly pingEveryMs: number;
  /** Longest silence of an open stream; any message ends it. */
  readonly silenceMs: number;
}

export const noticeStreamTiming: NoticeStreamTiming = {
  firstDelayMs: 500,
  longestDelayMs: 30_000,
  refusedDelayMs: 600_000,
  openDeadlineMs: 10_000,
  pingEveryMs: 20_000,
  silenceMs: 30_000,
};

/** Longest message of a notice stream. */
export const maxMessageBytes = 64 << 10;
/** Notices remembered per event. */
export const maxNotices = 100;

export const eventsAtOnce = 4;
export const framesAtOnce = 4;
/** Revisions fetched at once, including the next one to publish. */
export const revisionsAtOnce = 4;
/** Revisions per round, so that no event makes the others wait for long. */
export const revisionsPerRound = 24;
/** Attempts at a revision that cannot be used. */
export const maxAttempts = 6;
export const firstRetryMs = 1_000;

/** Frame URLs remembered with the id of their frame. */
export const maxKnownFrames = 500;
/** More events than any catalog holds. */
export const maxHeldEvents = 10_000;
/** A list up to this many times the contract's limit is read; a longer one is refused. */
export const listTolerance = 10;

/** Log entries that wait for a busy catalog; further ones are dropped. */
export const maxWaitingEntries = 2_000;
/** Problems remembered to report each once. */
export const maxReported = 5_000;
