// Changes of an event other than publication: registering a window, ending an ingest, archiving, removing an empty one.
import type { EventRecord, EventRegistration } from "../../catalog.ts";
import { toEventRecord, type EventState } from "../../plans/event-state.ts";
import {
  checkRegistration,
  planArchiving,
  planCompletion,
  planRegistration,
  requireRemovable,
} from "../../plans/plan-event.ts";
import { lockEvent, notifyChange, readClock, type Query } from "./service-transaction.ts";
import { writeEvent } from "./write-rows.ts";

export async function writeRegistration(query: Query, given: EventRegistration): Promise<EventRecord> {
  const registration = checkRegistration(given);
  const known = await lockEvent(query, registration.id);
  const created = planRegistration(known, registration, await readClock(query));
  await carryOut(query, created);
  return toEventRecord(created ?? known!);
}

export async function writeCompletion(query: Query, eventId: string, isFilled: boolean): Promise<void> {
  const event = await lockEvent(query, eventId);
  await carryOut(query, planCompletion(event, isFilled, await readClock(query)));
}

export async function writeArchiving(query: Query, eventId: string): Promise<void> {
  const event = await lockEvent(query, eventId);
  await carryOut(query, planArchiving(event, eventId, await readClock(query)));
}

/** `isAgain`: the answer of an earlier commit was lost, so the event may be gone already. */
export async function writeRemoval(query: Query, eventId: string, isAgain: boolean): Promise<void> {
  const event = await lockEvent(query, eventId);
  if (isAgain && !event) return;
  requireRemovable(event, eventId);
  await query("DELETE FROM assets WHERE event_id = $1", [eventId]);
  await query("DELETE FROM events WHERE id = $1", [eventId]);
  await notifyChange(query);
}

async function carryOut(query: Query, event: EventState | undefined): Promise<void> {
  if (event) await writeEvent(query, event);
}
