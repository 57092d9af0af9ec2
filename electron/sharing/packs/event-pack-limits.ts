// How much of an event pack from elsewhere is read. Everything is bounded before it is read: a pack may be hostile.
import { overlayLimits } from "../../../shared/overlays/overlay.ts";
import { stepLimits } from "../../../shared/views/briefing-steps.ts";

/** Twenty times a full day of two-minute windows; a frame as large as another service may send. */
export const eventPackLimits = {
  maxCommits: 100_000,
  maxCommitBytes: 1 << 16,
  maxRevisions: 20_000,
  /** Files and folders together. */
  maxEntries: 150_000,
  /** Bytes of one folder's object: a hundred thousand entries and more. */
  maxTreeBytes: 32 << 20,
  maxJsonBytes: 1 << 20,
  /** The steps of a briefing, and a newline. */
  maxStepsBytes: stepLimits.documentBytes + 1,
  maxOverlayBytes: overlayLimits.bytes,
  maxFrameBytes: 128 << 20,
  /** Bytes of all files together, inflated. */
  maxTotalBytes: 64 * 2 ** 30,
};

export type EventPackLimits = Readonly<Record<keyof typeof eventPackLimits, number>>;
