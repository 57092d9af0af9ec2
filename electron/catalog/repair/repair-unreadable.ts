// Rows with numbers that cannot be read, for which a verification has no better place than the whole catalog.
import type { Finding } from "../verify/findings.ts";
import { eventPlace, revisionPlace } from "../verify/finding-places.ts";
import { prepare } from "../queries.ts";
import type { RepairContext } from "./repair-context.ts";
import { repairEvents } from "./repair-events.ts";
import { repairRevisions } from "./repair-revisions.ts";

const what = "A number in it is out of range.";

/** Returns how many revisions were withdrawn. */
export async function repairUnreadable(context: RepairContext): Promise<number> {
  const { database } = context;
  const revisions = prepare<{ event_id: string; sequence: number }>(
    database,
    `SELECT event_id, sequence FROM revisions
       WHERE ${isUnsafe("observed_at", "observation_window", "published_at")}
     UNION SELECT r.event_id, r.sequence FROM revision_layers l JOIN revisions r ON r.id = l.revision
       WHERE ${isUnsafe("l.observed_at", "l.source_last_modified")}`,
  );
  const events = prepare<{ id: string }>(
    database,
    `SELECT id FROM events WHERE ${isUnsafe("started_at", "ended_at", "last_published_at", "updated_at")}`,
  );
  const faultAt = (where: string): Finding => ({ severity: "fault", where, what });
  const damaged = revisions.all().map(({ event_id: eventId, sequence }) => ({
    eventId,
    sequence,
    faults: [faultAt(revisionPlace(eventId, sequence))],
  }));
  const { withdrawn } = await repairRevisions(damaged, context);
  await repairEvents(new Map(events.all().map(({ id }) => [id, [faultAt(eventPlace(id))]])), context);
  return withdrawn;
}

/** An integer beyond what JavaScript holds exactly. */
function isUnsafe(...columns: readonly string[]): string {
  const { MAX_SAFE_INTEGER: most } = Number;
  return columns.map((column) => `${column} NOT BETWEEN -${most} AND ${most}`).join(" OR ");
}
