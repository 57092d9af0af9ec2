// Claims of backfill windows: each worker has its own for a while, by the clock of the database. The number of a claim
// fences a worker that slept past it.
import type { DrawnWindow, WindowClaim } from "../../stores/backfill-queue.ts";
import type { Query } from "../writing/service-transaction.ts";

/** Other workers may take a window this long after its worker has died. */
const claimMs = 15_000;

interface ClaimRow extends Pick<WindowClaim, "files" | "source" | "failures" | "losses"> {
  readonly event_id: string;
  readonly observation_window: number;
  readonly claims: number;
}

export async function claimWindows(query: Query, limit: number): Promise<readonly WindowClaim[]> {
  const rows = await query<ClaimRow>(
    `WITH free AS (
        SELECT event_id, observation_window FROM backfill_windows
          WHERE state = 'waiting' AND free_at <= catalog_clock()
          ORDER BY event_id, observation_window LIMIT $1 FOR UPDATE SKIP LOCKED)
      UPDATE backfill_windows w SET is_claimed = true, free_at = catalog_clock() + ${claimMs}, claims = claims + 1,
          losses = losses + is_claimed::int
        FROM free JOIN backfills b USING (event_id)
        WHERE w.event_id = free.event_id AND w.observation_window = free.observation_window
        RETURNING w.event_id, w.observation_window, w.files, b.source, w.claims, w.failures, w.losses`,
    [limit],
  );
  return rows
    .map(({ event_id, observation_window, claims, ...row }) => ({
      ...row,
      eventId: event_id,
      window: observation_window,
      number: claims,
    }))
    .toSorted((one, other) => one.window - other.window);
}

export async function renewClaims(query: Query, claims: readonly WindowClaim[]): Promise<void> {
  await query(
    `UPDATE backfill_windows SET free_at = catalog_clock() + ${claimMs}
      WHERE is_claimed AND (event_id, observation_window, claims) IN
        (SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[]))`,
    [
      claims.map(({ eventId }) => eventId),
      claims.map(({ window }) => window),
      claims.map(({ number }) => number),
    ],
  );
}

const ofClaim = "is_claimed AND event_id = $1 AND observation_window = $2 AND claims = $3";

export async function finishClaim(
  query: Query,
  { eventId, window, number }: WindowClaim,
  drawn: DrawnWindow,
): Promise<void> {
  const sql = `UPDATE backfill_windows SET state = 'drawn', is_claimed = false, drawn = $4 WHERE ${ofClaim}`;
  await query(sql, [eventId, window, number, JSON.stringify(drawn)]);
}

export async function postponeClaim(
  query: Query,
  { eventId, window, number }: WindowClaim,
  { delayMs, failures }: { readonly delayMs: number; readonly failures: number },
): Promise<void> {
  await query(
    `UPDATE backfill_windows SET is_claimed = false, free_at = catalog_clock() + $4::bigint, failures = failures + $5
      WHERE ${ofClaim}`,
    [eventId, window, number, Math.ceil(delayMs), failures],
  );
}
