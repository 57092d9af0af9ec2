// The steps of briefings: one document for each event that has some.
import type { StepsDraft, StepsRecord } from "../catalog.ts";
import { parseInstant } from "../plans/instants.ts";
import { planSteps } from "../plans/plan-steps.ts";
import { toStepsRecord, type StepsRow } from "../rows/catalog-rows.ts";
import { type Prepare, prepareEvent, prepareNote } from "./queries.ts";

export function prepareSteps(prepare: Prepare): (eventId: string) => StepsRow | undefined {
  const byEvent = prepare<StepsRow>("SELECT * FROM briefing_steps WHERE event_id = ?");
  return (eventId) => byEvent.first(eventId);
}

/** Returns a function that inserts or replaces the steps of an event. Call it inside a write transaction. */
export function prepareStepsWriter(prepare: Prepare): (row: StepsRow) => void {
  const upsert = prepare(`
    INSERT INTO briefing_steps (event_id, version, changed_at, document) VALUES (?, ?, ?, ?)
      ON CONFLICT (event_id) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at,
        document = excluded.document`);
  // Otherwise readers would treat the commit as a change by hand, and drop their caches.
  const noteChange = prepareNote(prepare, "asset_version");
  return ({ event_id, version, changed_at, document }) => {
    upsert.run(event_id, version, changed_at, document);
    noteChange();
  };
}

/** Returns a function that saves steps. Call it inside a write transaction. */
export function createStepsWrites(prepare: Prepare): (draft: StepsDraft, now: Date) => StepsRecord {
  const findEvent = prepareEvent(prepare);
  const findSteps = prepareSteps(prepare);
  const write = prepareStepsWriter(prepare);
  return (draft, now) => {
    const { eventId } = draft;
    const row = findSteps(eventId);
    const present = row && toStepsRecord(row);
    const saved = planSteps(findEvent(eventId), present, draft, now.getTime());
    if (saved === present) return saved;
    const { version, changedAt, document } = saved;
    write({ event_id: eventId, version, changed_at: parseInstant(changedAt), document });
    return saved;
  };
}
