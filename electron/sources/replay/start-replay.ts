// Replays an event as it happened: republishes its revisions, late corrections included, as revisions of another
// event, in their order of publication and spaced as they were published, divided by the speed.
import { isAppError } from "../../../shared/app-error.ts";
import { defaultReplaySpeed } from "../../../shared/revisions/replay-speed.ts";
import type { Catalog, RevisionRecord } from "../../catalog/catalog.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { createPace, type Pace, type PaceEffects } from "./replay-pace.ts";
import { planReplay, requireSpeed, type PlanOptions, type ReplayPlan } from "./replay-plan.ts";

export interface ReplayOptions extends Omit<PlanOptions, "catalog" | "speed"> {
  readonly catalog: PlanOptions["catalog"] &
    Pick<Catalog, "republish" | "completeEvent" | "listKeptOverlays" | "readKeptOverlay" | "keepOverlay">;
  /** Source time per real time; default 10. */
  readonly speed?: number | undefined;
  readonly effects: PaceEffects;
  /** Called after each publication. */
  readonly onRevision: (revision: ReplayedRevision, plan: ReplayPlan) => void;
  /** Stops the replay as `stop` does. */
  readonly signal?: AbortSignal | undefined;
}

/** A revision of the replay, and its original. */
export interface ReplayedRevision extends RevisionFacts {
  readonly observedAt: string;
  readonly of: RevisionFacts;
  /** Part of the wait before it that was skipped, in real time; absent if none. */
  readonly leftOutMs?: number;
}

interface RevisionFacts {
  readonly event: string;
  readonly revisionId: string;
  readonly sequence: number;
  readonly publishedAt: string;
}

/** `complete` after the last revision, or stopped before it. */
export type ReplayEnd = "complete" | "stopped";

/** A pause keeps the rest of the wait; a new speed applies at once. `setSpeed` throws AppError `invalid-input`. */
export interface Replay extends Omit<Pace, "wait"> {
  readonly plan: ReplayPlan;
  /** Ends the replay after the current publication. Idempotent. */
  stop(): void;
  /** Rejects with the error of a publication: `conflict`, `storage-failed`, `stored-data-invalid`, `frame-missing`. */
  readonly done: Promise<ReplayEnd>;
}

/**
 * Starts a replay; its first revision is published at once. It ends after the revision that is the source's newest
 * now; later ones are left to the next call.
 * @throws AppError `not-found` for an event that does not exist or has no revisions; `conflict` if `as` is archived
 * or not a replay of `from`; `invalid-input` for an invalid id, speed or wait
 */
export async function startReplay(options: ReplayOptions): Promise<Replay> {
  const { effects, signal, speed = defaultReplaySpeed } = options;
  const plan = await planReplay({ ...options, speed });
  const stopping = new AbortController();
  const ending = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
  const { wait, ...controls } = createPace(speed, effects, ending);
  return {
    ...controls,
    plan,
    setSpeed: (next) => {
      requireSpeed(next);
      controls.setSpeed(next);
    },
    stop: () => {
      stopping.abort();
    },
    done: run(options, plan, { wait, speed: controls.speed }, ending),
  };
}

async function run(
  options: ReplayOptions,
  plan: ReplayPlan,
  pace: Pick<Pace, "wait" | "speed">,
  ending: AbortSignal,
): Promise<ReplayEnd> {
  const { catalog, from, as } = options;
  let { after, publishedAs } = plan;
  let shownMs: number | undefined;
  let hasOverlays = false;
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
    if (!hasOverlays) await carryOverlays(catalog, from, as);
    hasOverlays = true;
    options.onRevision(toReplayed(revision, next, wait.leftOutMs), plan);
  }
  await catalog.completeEvent(as);
  return "complete";
}

interface Wait {
  /** In source time. */
  readonly gapMs: number;
  /** In real time. */
  readonly leftOutMs: number;
}

function toWait(publishedGapMs: number, speed: number, longestWaitMs = Infinity): Wait {
  // A revision copied from another service may claim an earlier publication than its predecessor.
  const gapMs = Math.max(publishedGapMs, 0);
  const leftOutMs = Math.max(gapMs / speed - longestWaitMs, 0);
  return { gapMs: gapMs - leftOutMs * speed, leftOutMs: Math.round(leftOutMs) };
}

/** Returns undefined if the revision is gone: a live feed removes its oldest ones, also during a replay. */
async function republish(
  catalog: ReplayOptions["catalog"],
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

/** Keeps the overlays of the original with the replay too: it has the warnings of its day. */
async function carryOverlays(catalog: ReplayOptions["catalog"], from: string, as: string): Promise<void> {
  for (const { sha256, byteLength: _, ...facts } of await catalog.listKeptOverlays(from)) {
    const bytes = await catalog.readKeptOverlay(from, sha256);
    // Damaged bytes would get a valid hash here.
    if (bytes && sha256Of(bytes) === sha256) await catalog.keepOverlay({ eventId: as, facts, bytes });
  }
}

function toReplayed(revision: RevisionRecord, of: RevisionRecord, leftOutMs: number): ReplayedRevision {
  const { event, revisionId, sequence, publishedAt } = factsOf(revision);
  const { observedAt } = revision;
  const leftOut = leftOutMs > 0 ? { leftOutMs } : {};
  return { event, revisionId, sequence, observedAt, publishedAt, of: factsOf(of), ...leftOut };
}

function factsOf({ eventId: event, revisionId, sequence, publishedAt }: RevisionRecord): RevisionFacts {
  return { event, revisionId, sequence, publishedAt };
}
