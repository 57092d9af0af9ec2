// Decides which revisions and assets the retention of an operational feed removes, and what the event is without them.
import { windowMs } from "../../../shared/revisions/observation-window.ts";
import type { EventState } from "./event-state.ts";

export interface RetentionPlan {
  /** Revisions and assets observed before this instant are removed. */
  readonly keptFromMs: number;
  /** Newest window in which there may be revisions to remove. */
  readonly lastWindow: number;
  /** Never removed. */
  readonly currentRevisionId: string | null;
}

/**
 * Returns undefined if nothing may be removed.
 * @param newestObservedAtMs newest observation of the newest window; undefined if there is none
 */
export function planRetention(
  event: EventState | undefined,
  newestObservedAtMs: number | undefined,
  keepMs: number,
): RetentionPlan | undefined {
  if (event?.kind !== "operational-feed" || event.status === "archived") return undefined;
  if (newestObservedAtMs === undefined) return undefined;
  const keptFromMs = newestObservedAtMs - keepMs;
  const { currentRevisionId } = event;
  return { keptFromMs, lastWindow: Math.floor(keptFromMs / windowMs), currentRevisionId };
}

/**
 * Returns the event after revisions were removed. It covers only its remaining layers; a mirror's extent comes from the
 * remote.
 */
export function narrowEvent(
  event: EventState,
  removedSequences: readonly number[],
  remaining: Pick<EventState, "startedAtMs" | "bounds">,
): EventState {
  const prunedSequence = Math.max(event.prunedSequence, ...removedSequences);
  return { ...event, ...(event.mirrorOf === null ? remaining : {}), prunedSequence };
}
