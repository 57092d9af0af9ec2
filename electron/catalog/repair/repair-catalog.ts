// Makes good what is wrong with the catalog's file itself, as far as nothing has to be guessed: indices, the row that counts
// changes, and layers of revisions that are not there.
import type { Finding } from "../verify/findings.ts";
import { catalogPlace, parsePlace } from "../verify/finding-places.ts";
import { prepare } from "../queries.ts";
import type { RepairContext } from "./repair-context.ts";
import { repairStride } from "../snapshots.ts";

export function isCatalogFault({ severity, where }: Finding): boolean {
  return severity === "fault" && parsePlace(where).kind === "catalog";
}

/** A revision whose event is gone is a fault of rows: everything else can still be told and made good. */
export function isBeyondRepair(finding: Finding): boolean {
  return isCatalogFault(finding) && !finding.what.startsWith("A row of revisions belongs to");
}

export async function repairCatalog(context: RepairContext): Promise<void> {
  const { database, commit, tell } = context;
  const told = (what: string, repaired: string): void => {
    tell({ severity: "fault", where: catalogPlace, what, repaired });
  };
  const complaints = findComplaints(context);
  if (complaints.length > 0) {
    await commit(() => {
      database.exec("REINDEX");
    });
    if (findComplaints(context).length > 0) return;
    told(`SQLite said: ${complaints.join("; ")}.`, "Its indices were made again.");
  }
  const isCounted = await commit(() => {
    if (prepare(database, "SELECT 1 FROM catalog_state WHERE id = 1").first()) return true;
    prepare(
      database,
      `INSERT INTO catalog_state (id, content_version, asset_version) VALUES (1, ${repairStride}, ${repairStride})`,
    ).run();
    return false;
  });
  if (!isCounted) told("The row that counts changes was missing.", "It was made again.");
  const lost = await commit(() =>
    prepare(
      database,
      "DELETE FROM revision_layers WHERE revision NOT IN (SELECT id FROM revisions) RETURNING revision",
    ).all(),
  );
  if (lost.length > 0) {
    told(`Of revisions that were not there, ${lost.length} layers were left.`, "They were removed.");
  }
}

function findComplaints({ database }: RepairContext): string[] {
  const integrity = prepare<{ integrity_check: string }>(database, "PRAGMA integrity_check");
  return integrity
    .all()
    .map(({ integrity_check }) => integrity_check)
    .filter((complaint) => complaint !== "ok");
}
