// Looks up the event of an action.
import { AppError } from "../../../shared/app-error.ts";
import type { EventRecord } from "../../catalog/catalog.ts";

/** The part of the catalog that actions look events up in. */
export interface EventLookup {
  readonly findEvent: (
    eventId: string,
  ) => Promise<Pick<EventRecord, "id" | "label" | "latestSequence"> | undefined>;
}

/** @throws AppError `not-found` */
export async function getEvent(catalog: EventLookup, eventId: string) {
  const event = await catalog.findEvent(eventId);
  if (event === undefined) throw new AppError("not-found", `There is no event ${eventId}.`);
  return event;
}

/** @throws AppError `not-found`; `conflict` for an event without a revision, which cannot be `verb` yet */
export async function getPublishedEvent(catalog: EventLookup, eventId: string, verb: string) {
  const event = await getEvent(catalog, eventId);
  if (event.latestSequence > 0) return event;
  throw new AppError("conflict", `${event.label} has no revision yet; it cannot be ${verb}.`);
}
