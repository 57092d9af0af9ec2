// Decides the changes of an event other than publication: registering a window, ending an ingest, archiving, removing
// an empty event.
import { AppError } from "../../../shared/app-error.ts";
import { EventId } from "../../../shared/contract/primitives.ts";
import type { EventRegistration } from "../catalog.ts";
import { requireLabel, requireOwn } from "./event-rules.ts";
import { emptyEvent, type EventState } from "./event-state.ts";
import { parseInstant } from "./instants.ts";

/** A valid registration. */
export type Registration = Pick<EventState, "id" | "label"> & {
  readonly window: NonNullable<EventState["registeredWindow"]>;
};

/** @throws AppError `invalid-input` for an invalid id, label or window */
export function checkRegistration({ id, label, startedAt, endedAt }: EventRegistration): Registration {
  if (!EventId.safeParse(id).success) {
    throw new AppError(
      "invalid-input",
      `"${id}" is not an event id: 1 to 64 lower-case letters, digits and inner hyphens.`,
    );
  }
  requireLabel(label.trim());
  const startedAtMs = parseInstant(startedAt);
  const endedAtMs = parseInstant(endedAt);
  if (startedAtMs >= endedAtMs) {
    throw new AppError("invalid-input", "The window must end after it starts.", {
      context: { startedAt, endedAt },
    });
  }
  return { id, label: label.trim(), window: { startedAtMs, endedAtMs } };
}

/**
 * Returns the event to create; undefined if it was registered before.
 * @throws AppError `conflict` if the id is taken
 */
export function planRegistration(
  known: EventState | undefined,
  { id, label, window }: Registration,
  nowMs: number,
): EventState | undefined {
  if (!known) {
    return {
      ...emptyEvent,
      ...{ id, label, kind: "historical-event", origin: "observed", status: "active" },
      ...window,
      registeredWindow: window,
      updatedAtMs: nowMs,
    };
  }
  const { registeredWindow: registered } = known;
  const isSame =
    known.label === label &&
    registered?.startedAtMs === window.startedAtMs &&
    registered.endedAtMs === window.endedAtMs;
  if (isSame) return undefined;
  throw new AppError("conflict", `There is already another event ${id}; choose another id.`);
}

/** Returns the event at the end of an ingest; undefined if it stays. `isFilled`: a registered window is filled. */
export function planCompletion(
  event: EventState | undefined,
  isFilled: boolean,
  nowMs: number,
): EventState | undefined {
  if (event?.kind !== "historical-event" || event.status !== "active" || event.mirrorOf !== null)
    return undefined;
  if (event.registeredWindow !== null && !isFilled) return undefined;
  return { ...event, status: "complete", updatedAtMs: Math.max(event.updatedAtMs, nowMs) };
}

/**
 * Returns the archived event; undefined if it is archived already.
 * @throws AppError `not-found`; `conflict` for a mirrored event
 */
export function planArchiving(
  event: EventState | undefined,
  eventId: string,
  nowMs: number,
): EventState | undefined {
  const known = requireEvent(event, eventId);
  requireOwn(known);
  if (known.status === "archived") return undefined;
  return { ...known, status: "archived", updatedAtMs: Math.max(known.updatedAtMs, nowMs) };
}

/** Checks that an event may be removed. @throws AppError `not-found`; `conflict` if it has or had a revision */
export function requireRemovable(event: EventState | undefined, eventId: string): void {
  const { label, lastSequence } = requireEvent(event, eventId);
  if (lastSequence > 0) {
    throw new AppError("conflict", `${label} has frames, which stay for good, so it cannot be removed.`);
  }
}

/** @throws AppError `not-found` for an unknown event */
export function requireEvent(event: EventState | undefined, eventId: string): EventState {
  if (!event) throw new AppError("not-found", `There is no event ${eventId}.`);
  return event;
}
