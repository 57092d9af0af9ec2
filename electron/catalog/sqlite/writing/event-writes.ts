// Carries out changes of an event other than publication.
import type { EventRecord, EventRegistration } from "../../catalog.ts";
import { toEventRecord } from "../../plans/event-state.ts";
import {
  checkRegistration,
  planArchiving,
  planCompletion,
  planRegistration,
  requireRemovable,
} from "../../plans/plan-event.ts";
import type { EventState } from "../../plans/event-state.ts";
import { type Prepare, prepareEvent, prepareNote } from "../queries.ts";
import { createEventWriter } from "./revision-rows.ts";

export interface EventWrites {
  register(registration: EventRegistration, now: Date): EventRecord;
  complete(eventId: string, registered: boolean, now: Date): void;
  archive(eventId: string, now: Date): void;
  remove(eventId: string): void;
}

/** Call the functions inside a write transaction. */
export function createEventWrites(prepare: Prepare): EventWrites {
  const findEvent = prepareEvent(prepare);
  const writeEvent = createEventWriter(prepare);
  const noteContent = prepareNote(prepare, "content_version");
  const carryOut = (event: EventState | undefined): void => {
    if (!event) return;
    writeEvent(event);
    noteContent();
  };
  return {
    register(given, now) {
      const registration = checkRegistration(given);
      const known = findEvent(registration.id);
      const created = planRegistration(known, registration, now.getTime());
      carryOut(created);
      return toEventRecord(created ?? known!);
    },
    complete(eventId, registered, now) {
      carryOut(planCompletion(findEvent(eventId), registered, now.getTime()));
    },
    archive(eventId, now) {
      carryOut(planArchiving(findEvent(eventId), eventId, now.getTime()));
    },
    remove: createRemoval(prepare),
  };
}

function createRemoval(prepare: Prepare): EventWrites["remove"] {
  const findEvent = prepareEvent(prepare);
  const noteContent = prepareNote(prepare, "content_version", "asset_version");
  const removeAssets = prepare("DELETE FROM assets WHERE event_id = ?");
  const removeEvent = prepare("DELETE FROM events WHERE id = ?");
  return (eventId) => {
    requireRemovable(findEvent(eventId), eventId);
    removeAssets.run(eventId);
    removeEvent.run(eventId);
    noteContent();
  };
}
