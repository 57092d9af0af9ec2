// Puts the windows of an event into the queue of backfills.
import { AppError } from "../../../../shared/app-error.ts";
import type { BackfillRequest } from "../../stores/backfill-queue.ts";
import type { Query } from "../writing/service-transaction.ts";
import { writeLogEntries } from "../writing/write-assets.ts";

const windowsAtOnce = 1_000;

const insertWindows = `
  INSERT INTO backfill_windows AS w (event_id, observation_window, files)
    SELECT $1, (entry->>'window')::bigint, entry->'files' FROM jsonb_array_elements($2::jsonb) AS list (entry)
    ON CONFLICT (event_id, observation_window) DO UPDATE SET files = excluded.files, state = 'waiting',
      is_claimed = false, free_at = 0, claims = w.claims + 1, losses = 0, failures = 0, drawn = NULL
      WHERE w.files <> excluded.files`;

/** @throws AppError `not-found` if there is no such event */
export async function enqueueWindows(query: Query, request: BackfillRequest): Promise<void> {
  const { eventId, source, sourceName, isWhole, windows, log } = request;
  const [backfill] = await query(
    `INSERT INTO backfills SELECT id, $2, $3, $4 FROM events WHERE id = $1
      ON CONFLICT (event_id) DO UPDATE SET source = excluded.source, source_name = excluded.source_name,
        is_whole = excluded.is_whole, finished_at = NULL
      RETURNING 1`,
    [eventId, JSON.stringify(source), sourceName, isWhole],
  );
  if (!backfill) throw new AppError("not-found", `There is no event ${eventId}: register its window first.`);
  const deleteFinished =
    "DELETE FROM backfill_windows WHERE event_id = $1 AND state IN ('published', 'failed')";
  await query(deleteFinished, [eventId]);
  for (let at = 0; at < windows.length; at += windowsAtOnce) {
    await query(insertWindows, [eventId, JSON.stringify(windows.slice(at, at + windowsAtOnce))]);
  }
  await writeLogEntries(query, log);
}
