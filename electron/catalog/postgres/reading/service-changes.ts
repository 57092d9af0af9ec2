// Derives the effect of each revision on its window when it was published, from the rows before it. One statement, so
// that all of it is of one state.
import type { RevisionChange } from "../../../../shared/revisions/publication.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import type { RevisionPointer } from "./revision-loader.ts";

interface ChangeRow extends RevisionPointer {
  readonly observation_window: number;
  /** The revision of the same window before it. */
  readonly earlier: number | null;
  /** Newest window before the first row. */
  readonly newest_window: number | null;
  /** True if a layer of the earlier one is another, or missing. */
  readonly replaces: boolean;
  /** True if the earlier one lacks a layer of it. */
  readonly adds: boolean;
}

const sql = `
  WITH page AS (
    SELECT r.id, r.sequence, r.observation_window, r.manifest_sha256,
        (SELECT p.id FROM revisions p WHERE p.event_id = r.event_id
           AND p.observation_window = r.observation_window AND p.sequence < r.sequence
           ORDER BY p.sequence DESC LIMIT 1) AS earlier
      FROM revisions r WHERE r.event_id = $1 AND r.sequence < $2 ORDER BY r.sequence DESC LIMIT $3)
  SELECT id, manifest_sha256, observation_window, earlier,
      (SELECT n.observation_window FROM revisions n
         WHERE n.event_id = $1 AND n.sequence < (SELECT min(sequence) FROM page)
         ORDER BY n.observation_window DESC LIMIT 1) AS newest_window,
      EXISTS (SELECT 1 FROM revision_layers b
        LEFT JOIN revision_layers a ON a.revision = page.id AND a.product_id = b.product_id
        WHERE b.revision = earlier AND (a.message_sha256 IS DISTINCT FROM b.message_sha256
          OR a.observed_at IS DISTINCT FROM b.observed_at)) AS replaces,
      EXISTS (SELECT 1 FROM revision_layers a WHERE a.revision = page.id AND NOT EXISTS
        (SELECT 1 FROM revision_layers b WHERE b.revision = earlier AND b.product_id = a.product_id)) AS adds
    FROM page ORDER BY sequence`;

/** Lists the newest `limit` revisions before a sequence, ascending. */
export async function listServiceChanges(
  database: Database,
  eventId: string,
  {
    limit,
    before = Number.MAX_SAFE_INTEGER,
  }: { readonly limit: number; readonly before: number | undefined },
): Promise<readonly (RevisionPointer & { readonly change: RevisionChange })[]> {
  const rows = await database.read<ChangeRow>(sql, [eventId, before, limit]);
  let newest = rows[0]?.newest_window ?? -Infinity;
  return rows.map((row) => {
    const change = toChange(row, newest);
    newest = Math.max(row.observation_window, newest);
    return { id: row.id, manifest_sha256: row.manifest_sha256, change };
  });
}

function toChange(
  { observation_window: window, earlier, replaces, adds }: ChangeRow,
  newestWindow: number,
): RevisionChange {
  if (earlier === null) return window > newestWindow ? "first" : "backfill";
  return adds && !replaces ? "completion" : "correction";
}
