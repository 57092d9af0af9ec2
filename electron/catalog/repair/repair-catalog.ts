// Repairs the catalog's file itself, without guessing: indices, the row of the change counters, layers without a
// revision, and rows with unreadable numbers.
import type { Finding } from "../verify/findings.ts";
import { catalogPlace, eventPlace, parsePlace, revisionPlace } from "../verify/finding-places.ts";
import type { RepairContext } from "./repair-context.ts";
import { repairEvents } from "./repair-events.ts";
import { repairRevisions } from "./repair-revisions.ts";
import { repairStride } from "../sqlite/reading/snapshots.ts";

export function isCatalogFault({ severity, where }: Finding): boolean {
  return severity === "fault" && parsePlace(where).kind === "catalog";
}

/** A revision without its event is only a fault of rows: everything else can still be verified and repaired. */
export function isBeyondRepair(finding: Finding): boolean {
  return isCatalogFault(finding) && !finding.what.startsWith("A row of revisions belongs to");
}

export async function repairCatalog(context: RepairContext): Promise<void> {
  const { prepare, commit, report } = context;
  const reportFixed = (what: string, repaired: string): void => {
    report({ severity: "fault", where: catalogPlace, what, repaired });
  };
  const complaints = findComplaints(context);
  if (complaints.length > 0) {
    await commit(() => {
      prepare("REINDEX").run();
    });
    if (findComplaints(context).length > 0) return;
    reportFixed(`SQLite reported: ${complaints.join("; ")}.`, "Its indices were rebuilt.");
  }
  const isCounted = await commit(() => {
    if (prepare("SELECT 1 FROM catalog_state WHERE id = 1").first()) return true;
    prepare(
      `INSERT INTO catalog_state (id, content_version, asset_version) VALUES (1, ${repairStride}, ${repairStride})`,
    ).run();
    return false;
  });
  if (!isCounted) reportFixed("The row of the change counters was missing.", "It was created again.");
  const lost = await commit(() =>
    prepare(
      "DELETE FROM revision_layers WHERE revision NOT IN (SELECT id FROM revisions) RETURNING revision",
    ).all(),
  );
  if (lost.length > 0) {
    reportFixed(`There were ${lost.length} layers without a revision.`, "They were removed.");
  }
  const astray = await commit(() =>
    prepare(
      "DELETE FROM briefing_steps WHERE event_id NOT IN (SELECT id FROM events) RETURNING event_id",
    ).all(),
  );
  if (astray.length > 0) {
    reportFixed(`There were steps of ${astray.length} unknown events.`, "They were removed.");
  }
  const lostOverlays = await commit(() =>
    prepare("DELETE FROM kept_overlays WHERE event_id NOT IN (SELECT id FROM events) RETURNING name").all(),
  );
  if (lostOverlays.length > 0) {
    reportFixed(`There were ${lostOverlays.length} overlays of unknown events.`, "They were removed.");
  }
}

function findComplaints({ prepare }: RepairContext): string[] {
  const integrity = prepare<{ integrity_check: string }>("PRAGMA integrity_check");
  return integrity
    .all()
    .map(({ integrity_check }) => integrity_check)
    .filter((complaint) => complaint !== "ok");
}

/**
 * Repairs rows with numbers that JavaScript cannot hold, for which a verification has no better place than the catalog.
 * Returns the number of withdrawn revisions.
 */
export async function repairUnreadable(context: RepairContext): Promise<number> {
  const { prepare } = context;
  const revisions = prepare<{ event_id: string; sequence: number }>(`
    SELECT event_id, sequence FROM revisions
        WHERE ${isUnsafe("observed_at", "observation_window", "published_at")}
      UNION SELECT r.event_id, r.sequence FROM revision_layers l JOIN revisions r ON r.id = l.revision
        WHERE ${isUnsafe("l.observed_at", "l.source_last_modified")}`);
  const events = prepare<{ id: string }>(
    `SELECT id FROM events WHERE ${isUnsafe("started_at", "ended_at", "last_published_at", "updated_at")}`,
  );
  const faultAt = (where: string): Finding => ({
    severity: "fault",
    where,
    what: "A number in it is out of range.",
  });
  const damaged = revisions.all().map(({ event_id: eventId, sequence }) => ({
    eventId,
    sequence,
    faults: [faultAt(revisionPlace(eventId, sequence))],
  }));
  const { withdrawn } = await repairRevisions(damaged, context);
  await repairEvents(new Map(events.all().map(({ id }) => [id, [faultAt(eventPlace(id))]])), context);
  return withdrawn;
}

/** Returns a condition for integers that JavaScript cannot hold exactly. */
function isUnsafe(...columns: readonly string[]): string {
  const { MAX_SAFE_INTEGER: most } = Number;
  return columns.map((column) => `${column} NOT BETWEEN -${most} AND ${most}`).join(" OR ");
}
