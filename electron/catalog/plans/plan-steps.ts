// Decides about the steps of a briefing: what a save replaces.
import { AppError } from "../../../shared/app-error.ts";
import type { StepsDraft, StepsRecord } from "../catalog.ts";
import type { EventState } from "./event-state.ts";
import { requireEvent } from "./plan-event.ts";
import { toInstant } from "./instants.ts";

/**
 * Returns the steps after a save: those that are there if the document is the same.
 * @throws AppError `not-found` for an unknown event; `steps-changed`
 */
export function planSteps(
  event: EventState | undefined,
  present: StepsRecord | undefined,
  draft: StepsDraft,
  nowMs: number,
): StepsRecord {
  const { eventId, document, basedOn } = draft;
  requireEvent(event, eventId);
  if (present?.document === document) return present;
  const version = present?.version ?? 0;
  if (version !== basedOn) {
    throw new AppError(
      "steps-changed",
      "Somebody else has saved the steps of this briefing meanwhile: read them again, then save yours.",
      { context: { eventId, version, basedOn } },
    );
  }
  return Object.freeze({ eventId, version: version + 1, changedAt: toInstant(nowMs), document });
}
