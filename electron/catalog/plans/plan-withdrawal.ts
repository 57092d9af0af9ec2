// Decides what an event becomes when a repair has withdrawn one of its revisions.
import type { EventState } from "./event-state.ts";

/** Facts about the revisions that an event still has. */
export interface RemainingRevisions extends Pick<EventState, "startedAtMs" | "endedAtMs" | "bounds"> {
  readonly newestRevisionId: string | null;
}

/** The sequence stays used. A mirrored event's window and bounds come from the remote. */
export function planWithdrawal(event: EventState, remaining: RemainingRevisions, nowMs: number): EventState {
  const { newestRevisionId: currentRevisionId, startedAtMs, endedAtMs, bounds } = remaining;
  const settled = { ...event, currentRevisionId, updatedAtMs: Math.max(nowMs, event.updatedAtMs) };
  if (event.mirrorOf !== null) return settled;
  const { registeredWindow } = event;
  return {
    ...settled,
    startedAtMs: pick(Math.min, registeredWindow?.startedAtMs, startedAtMs),
    endedAtMs: pick(Math.max, registeredWindow?.endedAtMs, endedAtMs),
    bounds,
  };
}

function pick(
  choose: typeof Math.min,
  registered: number | undefined,
  observed: number | null,
): number | null {
  if (registered === undefined) return observed;
  return observed === null ? registered : choose(registered, observed);
}
