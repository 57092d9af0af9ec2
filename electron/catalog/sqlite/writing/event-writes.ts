// Changes of an event other than publication: registering a window, ending an ingest, archiving, removing an empty one.
import { AppError } from "../../../../shared/app-error.ts";
import { EventId } from "../../../../shared/contract/primitives.ts";
import type { EventRecord, EventRegistration } from "../../catalog.ts";
import { requireLabel, requireOwn } from "../../plans/event-rules.ts";
import { parseInstant } from "../../plans/instants.ts";
import { type Prepare, prepareEvent, prepareNote } from "../queries.ts";
import { toEventRecord, type EventRow } from "../catalog-rows.ts";

export interface EventWrites {
  register(registration: EventRegistration, now: Date): EventRecord;
  complete(eventId: string, registered: boolean, now: Date): void;
  archive(eventId: string, now: Date): void;
  remove(eventId: string): void;
}

/** Call the functions inside a write transaction. */
export function createEventWrites(prepare: Prepare): EventWrites {
  const findEvent = prepareEvent(prepare);
  const noteContent = prepareNote(prepare, "content_version");
  const complete = prepare<{ id: string }>(`
    UPDATE events SET status = 'complete', updated_at = max(updated_at, ?)
      WHERE id = ? AND kind = 'historical-event' AND status = 'active' AND mirror_of IS NULL
        AND (registered_started_at IS NULL OR ?) RETURNING id`);
  const archive = prepare(
    "UPDATE events SET status = 'archived', updated_at = max(updated_at, ?) WHERE id = ?",
  );
  return {
    register: createRegistration(prepare),
    complete(eventId, registered, now) {
      if (complete.first(now.getTime(), eventId, registered ? 1 : 0)) noteContent();
    },
    archive(eventId, now) {
      const event = findEvent(eventId);
      if (!event) throw new AppError("not-found", `There is no event ${eventId}.`);
      requireOwn({ id: eventId, mirrorOf: event.mirror_of ?? undefined });
      if (event.status === "archived") return;
      archive.run(now.getTime(), eventId);
      noteContent();
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
    const event = findEvent(eventId);
    if (!event) throw new AppError("not-found", `There is no event ${eventId}.`);
    if (event.last_sequence > 0) {
      throw new AppError(
        "conflict",
        `${event.label} has frames, which stay for good, so it cannot be removed.`,
      );
    }
    removeAssets.run(eventId);
    removeEvent.run(eventId);
    noteContent();
  };
}

function createRegistration(prepare: Prepare): EventWrites["register"] {
  const findEvent = prepareEvent(prepare);
  const noteContent = prepareNote(prepare, "content_version");
  const insert = prepare<EventRow>(`
    INSERT INTO events (id, kind, label, origin, status, started_at, ended_at, registered_started_at,
        registered_ended_at, last_sequence, updated_at)
      VALUES (?1, 'historical-event', ?2, 'observed', 'active', ?3, ?4, ?3, ?4, 0, ?5) RETURNING *`);
  return (registration, now) => {
    const { id, label, startedAtMs, endedAtMs } = checkRegistration(registration);
    const known = findEvent(id);
    if (!known) {
      noteContent();
      return toEventRecord(insert.first(id, label, startedAtMs, endedAtMs, now.getTime())!);
    }
    const isSame =
      known.label === label &&
      known.registered_started_at === startedAtMs &&
      known.registered_ended_at === endedAtMs;
    if (isSame) return toEventRecord(known);
    throw new AppError("conflict", `There is already another event ${id}; choose another id.`);
  };
}

/** @throws AppError `invalid-input` for an invalid id, label or window */
function checkRegistration({ id, label, startedAt, endedAt }: EventRegistration): {
  id: string;
  label: string;
  startedAtMs: number;
  endedAtMs: number;
} {
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
  return { id, label: label.trim(), startedAtMs, endedAtMs };
}
