// Writes the steps of briefings.
import type { StepsDraft, StepsRecord } from "../../catalog.ts";
import { parseInstant } from "../../plans/instants.ts";
import { planSteps } from "../../plans/plan-steps.ts";
import { toStepsRecord, type StepsRow } from "../../rows/catalog-rows.ts";
import { stepsOfEvent } from "../reading/stored-steps.ts";
import { lockEvent, readClock, type Query } from "./service-transaction.ts";

/** A save whose answer was lost finds its own document, and changes nothing. */
export async function writeSavedSteps(query: Query, draft: StepsDraft): Promise<StepsRecord> {
  const { eventId } = draft;
  const event = await lockEvent(query, eventId);
  const [row] = await query<StepsRow & object>(stepsOfEvent, [eventId]);
  const present = row && toStepsRecord(row);
  const saved = planSteps(event, present, draft, await readClock(query));
  if (saved === present) return saved;
  const { version, changedAt, document } = saved;
  await writeStepsRow(query, { event_id: eventId, version, changed_at: parseInstant(changedAt), document });
  return saved;
}

/** Inserts or replaces the steps of an event. */
export async function writeStepsRow(query: Query, row: StepsRow): Promise<void> {
  await query(
    `INSERT INTO briefing_steps (event_id, version, changed_at, document) VALUES ($1, $2, $3, $4)
      ON CONFLICT (event_id) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at,
        document = excluded.document`,
    [row.event_id, row.version, row.changed_at, row.document],
  );
}
