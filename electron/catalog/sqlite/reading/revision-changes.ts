// Derives the effect of each revision on its window when it was published, from the rows before it: they never
// change, and retention removes whole windows from the oldest.
import type { RevisionChange } from "../../../../shared/revisions/publication.ts";
import type { Prepare } from "../queries.ts";

export interface ChangeOfRevision {
  readonly sequence: number;
  readonly change: RevisionChange;
}

interface PageRow {
  readonly sequence: number;
  readonly observation_window: number;
  /** The revision of the same window before it. */
  readonly earlier: number | null;
  /** 1 if a layer of the earlier one is another, or missing. */
  readonly replaces: number;
  /** 1 if the earlier one lacks a layer of it. */
  readonly adds: number;
}

/**
 * Returns a function that lists the newest `limit` revisions before a sequence, ascending. Every statement reads an
 * index: revisions of the window before one, and windows from the newest.
 */
export function createChanges(
  prepare: Prepare,
): (eventId: string, limit: number, before?: number) => readonly ChangeOfRevision[] {
  const page = prepare<PageRow>(`
    WITH page AS (
      SELECT r.id, r.sequence, r.observation_window,
          (SELECT p.id FROM revisions p WHERE p.event_id = r.event_id
             AND p.observation_window = r.observation_window AND p.sequence < r.sequence
             ORDER BY p.sequence DESC LIMIT 1) AS earlier
        FROM revisions r WHERE r.event_id = ? AND r.sequence < ? ORDER BY r.sequence DESC LIMIT ?)
    SELECT sequence, observation_window, earlier,
        EXISTS (SELECT 1 FROM revision_layers b
          LEFT JOIN revision_layers a ON a.revision = page.id AND a.product_id = b.product_id
          WHERE b.revision = earlier
            AND (a.message_sha256 IS NOT b.message_sha256 OR a.observed_at IS NOT b.observed_at)) AS replaces,
        EXISTS (SELECT 1 FROM revision_layers a WHERE a.revision = page.id AND NOT EXISTS
          (SELECT 1 FROM revision_layers b WHERE b.revision = earlier AND b.product_id = a.product_id)) AS adds
      FROM page ORDER BY sequence`);
  const newestWindow = prepare<{ observation_window: number }>(`
    SELECT observation_window FROM revisions INDEXED BY revisions_by_window
      WHERE event_id = ? AND sequence < ? ORDER BY observation_window DESC LIMIT 1`);
  return (eventId, limit, before = Number.MAX_SAFE_INTEGER) => {
    const rows = page.all(eventId, before, limit);
    let newest =
      rows.length === 0 ? undefined : newestWindow.first(eventId, rows[0]!.sequence)?.observation_window;
    return rows.map((row) => {
      const change = toChange(row, newest);
      newest = Math.max(row.observation_window, newest ?? -Infinity);
      return { sequence: row.sequence, change };
    });
  };
}

function toChange(
  { observation_window: window, earlier, replaces, adds }: PageRow,
  newestWindow: number | undefined,
): RevisionChange {
  if (earlier === null) return window > (newestWindow ?? -Infinity) ? "first" : "backfill";
  return adds === 1 && replaces === 0 ? "completion" : "correction";
}
