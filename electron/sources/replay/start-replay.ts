// Replays an event as it happened: its revisions, in the order in which they were published, late corrections included,
// become revisions of an event of its own, spaced as they were published divided by the speed.
import { isAppError } from "../../../shared/app-error.ts";
import { defaultReplaySpeed } from "../../../shared/revisions/replay-speed.ts";
import type { Catalog, RevisionRecord } from "../../catalog/catalog.ts";
import { createPace, type Pace, type PaceEffects } from "./replay-pace.ts";
import { planReplay, requireSpeed, type ReplayPlan } from "./replay-plan.ts";

export type ReplayCatalog = Pick<
  Catalog,
  "findEvent" | "findLatestRevision" | "findRevisionAfter" | "republish" | "completeEvent"
>;

export interface ReplayOptions {
  readonly catalog: ReplayCatalog;
  /** The event that is replayed. It may be archived, mirrored, or a replay itself. */
  readonly from: string;
  /** The event that the replay becomes; an earlier replay of the same event goes on where it ended. */
  readonly as: string;
  /** The source's time a unit of ours; 10 unless given. */
  readonly speed?: number | undefined;
  /** No wait is longer than this, in our time; unbounded unless given. */
  readonly longestWaitMs?: number | undefined;
  readonly effects: PaceEffects;
  /** One call a revision, once it is published. */
  readonly onRevision: (revision: ReplayedRevision, plan: ReplayPlan) => void;
  /** Stops the replay as `stop` does. */
  readonly signal?: AbortSignal | undefined;
}

/** A revision of the replay, and the revision that it shows again. */
export interface ReplayedRevision extends RevisionFacts {
  readonly observedAt: string;
  readonly of: RevisionFacts;
  /** How much of the wait before it was left out, in our time; absent where nothing was. */
  readonly leftOutMs?: number;
}

interface RevisionFacts {
  readonly event: string;
  readonly revisionId: string;
  readonly sequence: number;
  readonly publishedAt: string;
}

/** How a replay ended: `complete` after the last revision, or stopped before it. */
export type ReplayEnd = "complete" | "stopped";

export interface Replay {
  readonly plan: ReplayPlan;
  /** What is left of the wait is kept. The event is sound, and stays as it is, for as long as the pause lasts. */
  pause(): void;
  resume(): void;
  isPaused(): boolean;
  /** Holds from now on, also for what is left of the wait. @throws AppError `invalid-input` */
  setSpeed(speed: number): void;
  speed(): number;
  /** Ends the replay after a publication that is under way. Idempotent. */
  stop(): void;
  /** Rejects with what a publication threw: `conflict`, `storage-failed`, `stored-data-invalid`, `frame-missing`. */
  readonly done: Promise<ReplayEnd>;
}

/**
 * Begins a replay; its first revision is published at once. It ends after the revision that is the source's newest now:
 * what is published into the source meanwhile is left to the next call.
 * @throws AppError `not-found` for an event that is not there or has no revision; `conflict` for an `as` that is archived or
 * is no replay of `from`; `invalid-input` for ids, a speed or a wait that cannot be
 */
export async function startReplay(options: ReplayOptions): Promise<Replay> {
  const { effects, signal, speed = defaultReplaySpeed } = options;
  const plan = await planReplay({ ...options, speed });
  const stopping = new AbortController();
  const ending = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
  const pace = createPace(speed, effects, ending);
  return {
    plan,
    pause: pace.pause,
    resume: pace.resume,
    isPaused: pace.isPaused,
    setSpeed: (next) => {
      requireSpeed(next);
      pace.setSpeed(next);
    },
    speed: pace.speed,
    stop: () => {
      stopping.abort();
    },
    done: run(options, plan, pace, ending),
  };
}

async function run(
  options: ReplayOptions,
  plan: ReplayPlan,
  pace: Pace,
  ending: AbortSignal,
): Promise<ReplayEnd> {
  const { catalog, from, as } = options;
  let { after, publishedAs } = plan;
  let shownMs: number | undefined;
  for (;;) {
    const next = await catalog.findRevisionAfter(from, after);
    if (!next || next.sequence > plan.last) break;
    const publishedMs = Date.parse(next.publishedAt);
    const wait = toWait(publishedMs - (shownMs ?? publishedMs), pace.speed(), options.longestWaitMs);
    try {
      await pace.wait(wait.gapMs);
    } catch (error) {
      if (ending.aborted) return "stopped";
      throw error;
    }
    after = next.sequence;
    shownMs = publishedMs;
    const revision = await republish(catalog, next, { eventId: as, after: publishedAs });
    if (!revision) continue;
    publishedAs = revision.sequence;
    options.onRevision(toReplayed(revision, next, wait.leftOutMs), plan);
  }
  await catalog.completeEvent(as);
  return "complete";
}

interface Wait {
  /** In the source's time. */
  readonly gapMs: number;
  /** In ours. */
  readonly leftOutMs: number;
}

function toWait(publishedGapMs: number, speed: number, longestWaitMs = Infinity): Wait {
  // A revision that was taken over from another service may say that it was published before the one before it.
  const gapMs = Math.max(publishedGapMs, 0);
  const leftOutMs = Math.max(gapMs / speed - longestWaitMs, 0);
  return { gapMs: gapMs - leftOutMs * speed, leftOutMs: Math.round(leftOutMs) };
}

/** Undefined when the revision is there no more: a live feed forgets its oldest ones, also while they are replayed. */
async function republish(
  catalog: ReplayCatalog,
  of: RevisionRecord,
  { eventId, after }: { readonly eventId: string; readonly after: number },
): Promise<RevisionRecord | undefined> {
  try {
    return await catalog.republish({ eventId, after, of });
  } catch (error) {
    if (isAppError(error, "not-found")) return undefined;
    throw error;
  }
}

function toReplayed(revision: RevisionRecord, of: RevisionRecord, leftOutMs: number): ReplayedRevision {
  const { eventId, revisionId, sequence, observedAt, publishedAt } = revision;
  return {
    event: eventId,
    revisionId,
    sequence,
    observedAt,
    publishedAt,
    of: {
      event: of.eventId,
      revisionId: of.revisionId,
      sequence: of.sequence,
      publishedAt: of.publishedAt,
    },
    ...(leftOutMs > 0 && { leftOutMs }),
  };
}
