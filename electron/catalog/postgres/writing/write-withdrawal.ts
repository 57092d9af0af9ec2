// Withdraws the revisions that show a frame which nothing restores. Their sequences stay used.
import type { EventState } from "../../plans/event-state.ts";
import { planWithdrawal } from "../../plans/plan-withdrawal.ts";
import { toExtentBounds, type ExtentRow } from "../../rows/catalog-rows.ts";
import { forgetUnshown } from "./prune-service.ts";
import { lockEvent, readClock, type Query } from "./service-transaction.ts";
import { writeEvent } from "./write-rows.ts";

export interface ShowingRevision {
  readonly id: number;
  readonly event_id: string;
  readonly sequence: number;
  readonly product_id: string;
}

export interface LostFrame {
  readonly frameId: string;
  /** Key of the lost or damaged object. */
  readonly objectKey: string;
  /** One sentence. */
  readonly fault: string;
}

/** Returns the withdrawn revisions: none if the frame has another object by now. */
export async function writeFrameWithdrawal(
  query: Query,
  { frameId, objectKey, fault }: LostFrame,
): Promise<readonly ShowingRevision[]> {
  const events = await lockEvents(query, frameId);
  // Publications of the frame wait from here on.
  const [blob] = await query("SELECT 1 FROM blobs WHERE name = $1 AND object_key = $2 FOR UPDATE", [
    frameId,
    objectKey,
  ]);
  if (!blob) return [];
  const found = await query<ShowingRevision & object>(
    `SELECT revision AS id, event_id, sequence, product_id FROM revision_layers WHERE frame_id = $1
      ORDER BY event_id, sequence`,
    [frameId],
  );
  const nowMs = await readClock(query);
  for (const { id, product_id } of found) {
    const reason = `Its frame of ${product_id} cannot be restored: ${fault}`;
    await query(
      `INSERT INTO withdrawn_revisions (event_id, sequence, revision_id, withdrawn_at, reason)
        SELECT event_id, sequence, revision_id, $1::bigint, $2::text FROM revisions WHERE id = $3 ON CONFLICT DO NOTHING`,
      [nowMs, reason, id],
    );
  }
  const ids = found.map(({ id }) => id);
  const names = await query<{ name: string }>(
    `SELECT frame_id AS name FROM revision_layers WHERE revision = ANY($1::bigint[])
      UNION SELECT source_sha256 FROM revision_layers WHERE revision = ANY($1::bigint[]) AND source_sha256 IS NOT NULL`,
    [ids],
  );
  await query("DELETE FROM revisions WHERE id = ANY($1::bigint[])", [ids]);
  await forgetUnshown(
    query,
    names.map(({ name }) => name),
  );
  for (const event of events) await writeEvent(query, await settle(query, event, nowMs));
  return found;
}

/** Locks the events that show a frame, in one order everywhere. */
async function lockEvents(query: Query, frameId: string): Promise<readonly EventState[]> {
  const rows = await query<{ event_id: string }>(
    "SELECT DISTINCT event_id FROM revision_layers WHERE frame_id = $1 ORDER BY event_id",
    [frameId],
  );
  const events: EventState[] = [];
  for (const { event_id } of rows) {
    const event = await lockEvent(query, event_id);
    if (event) events.push(event);
  }
  return events;
}

async function settle(query: Query, event: EventState, nowMs: number): Promise<EventState> {
  const [extent] = await query<ExtentRow & { newest: string | null }>(
    `SELECT min(observed_at) AS started_at, max(observed_at) AS ended_at, min(west) AS west, min(south) AS south,
        max(east) AS east, max(north) AS north,
        (SELECT revision_id FROM revisions WHERE event_id = $1 ORDER BY sequence DESC LIMIT 1) AS newest
      FROM revision_layers WHERE event_id = $1`,
    [event.id],
  );
  const { started_at: startedAtMs, ended_at: endedAtMs, newest: newestRevisionId } = extent!;
  const bounds = toExtentBounds(extent!);
  return planWithdrawal(event, { startedAtMs, endedAtMs, bounds, newestRevisionId }, nowMs);
}
