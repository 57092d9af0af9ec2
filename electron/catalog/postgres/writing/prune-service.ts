// Retention: one transaction removes rows of old revisions and remembers their blobs; a second one forgets the blobs
// that nothing shows and remembers their objects; then these are deleted. An object that is uploaded again has another
// key, so no crash and no race leaves a manifest without its frame.
import type { PruneOutcome } from "../../catalog.ts";
import { narrowEvent, planRetention } from "../../plans/plan-retention.ts";
import { toExtentBounds, type ExtentRow } from "../../rows/catalog-rows.ts";
import { lockEvent, type Commit, type Query } from "./service-transaction.ts";
import { writeEvent } from "./write-rows.ts";

/** Limits for one transaction, which holds up the event's publications. */
const revisionsAtOnce = 50;
const blobsAtOnce = 200;

/** Key of the advisory lock of retention ("keep" in ASCII). */
const retentionLock = 0x6b656570;

/** Deletes the objects of forgotten blobs. */
export type SweepObjects = () => Promise<void>;

export async function pruneService(
  commit: Commit,
  sweep: SweepObjects,
  { eventId, keepMs }: { readonly eventId: string; readonly keepMs: number },
): Promise<PruneOutcome> {
  const sum = { revisions: 0, frames: 0, sources: 0 };
  for (let hasMore = true; hasMore;) {
    const removed = await commit("durable", async (query, isAgain) =>
      (await takeTurn(query, isAgain)) ? removeRevisions(query, eventId, keepMs) : undefined,
    );
    if (removed === undefined) return sum;
    sum.revisions += removed;
    hasMore = removed === revisionsAtOnce;
  }
  // Includes blobs that a crash left from an earlier call.
  for (let hasMore = true; hasMore;) {
    const forgotten = await commit("durable", forgetBlobs);
    sum.frames += forgotten.frames;
    sum.sources += forgotten.sources;
    ({ hasMore } = forgotten);
  }
  await sweep();
  return sum;
}

/** Returns false while another process removes revisions. A repetition waits: the first attempt may have the lock. */
async function takeTurn(query: Query, isAgain: boolean): Promise<boolean> {
  const sql = isAgain
    ? "SELECT true AS taken FROM pg_advisory_xact_lock($1)"
    : "SELECT pg_try_advisory_xact_lock($1) AS taken";
  const [lock] = await query<{ taken: boolean }>(sql, [retentionLock]);
  return lock!.taken;
}

/** Returns the number of removed revisions. */
async function removeRevisions(query: Query, eventId: string, keepMs: number): Promise<number> {
  const event = await lockEvent(query, eventId);
  const plan = planRetention(event, await findNewestObservation(query, eventId), keepMs);
  if (!event || !plan) return 0;
  const rows = await query<{ id: number; sequence: number }>(
    `SELECT id, sequence FROM revisions WHERE event_id = $1 AND observation_window <= $2 AND observed_at < $3
      AND revision_id IS DISTINCT FROM $4 LIMIT ${revisionsAtOnce}`,
    [eventId, plan.lastWindow, plan.keptFromMs, plan.currentRevisionId],
  );
  if (rows.length > 0) {
    const ids = rows.map(({ id }) => id);
    await query(
      `INSERT INTO condemned_files (kind, name)
        SELECT 'frame', frame_id FROM revision_layers WHERE revision = ANY($1::bigint[])
        UNION SELECT 'source', source_sha256 FROM revision_layers
          WHERE revision = ANY($1::bigint[]) AND source_sha256 IS NOT NULL
        ON CONFLICT DO NOTHING`,
      [ids],
    );
    await query("DELETE FROM revisions WHERE id = ANY($1::bigint[])", [ids]);
    const sequences = rows.map(({ sequence }) => sequence);
    await writeEvent(query, narrowEvent(event, sequences, await readRemaining(query, eventId)));
  }
  await removeAssets(query, eventId, plan.keptFromMs);
  return rows.length;
}

async function findNewestObservation(query: Query, eventId: string): Promise<number | undefined> {
  const [row] = await query<{ newest: number | null }>(
    `SELECT max(observed_at) AS newest FROM revisions WHERE event_id = $1 AND observation_window =
      (SELECT max(observation_window) FROM revisions WHERE event_id = $1)`,
    [eventId],
  );
  return row?.newest ?? undefined;
}

/** Reads start and bounds of an event's layers. */
async function readRemaining(query: Query, eventId: string): Promise<Parameters<typeof narrowEvent>[2]> {
  const [row] = await query<Omit<ExtentRow, "ended_at">>(
    `SELECT min(observed_at) AS started_at, min(west) AS west, min(south) AS south, max(east) AS east,
        max(north) AS north
      FROM revision_layers WHERE event_id = $1`,
    [eventId],
  );
  return { startedAtMs: row!.started_at, bounds: toExtentBounds(row!) };
}

/** Removes old assets, except for the newest of each product, which the data status shows. */
async function removeAssets(query: Query, eventId: string, keptFromMs: number): Promise<void> {
  await query(
    `DELETE FROM assets WHERE event_id = $1 AND coalesce(observed_at, last_modified_at) < $2 AND discovery NOT IN
      (SELECT max(discovery) FROM assets WHERE product_id IS NOT NULL GROUP BY product_id)`,
    [eventId, keptFromMs],
  );
}

interface ForgottenBlobs {
  readonly frames: number;
  readonly sources: number;
  readonly hasMore: boolean;
}

async function forgetBlobs(query: Query): Promise<ForgottenBlobs> {
  const condemned = await query<{ kind: "frame" | "source"; name: string }>(
    `DELETE FROM condemned_files WHERE (kind, name) IN
        (SELECT kind, name FROM condemned_files ORDER BY kind, name LIMIT ${blobsAtOnce} FOR UPDATE SKIP LOCKED)
      RETURNING kind, name`,
  );
  const forgotten = await forgetUnshown(
    query,
    condemned.map(({ name }) => name),
  );
  const count = (kind: "frame" | "source"): number =>
    condemned.filter((file) => file.kind === kind && forgotten.has(file.name)).length;
  return { frames: count("frame"), sources: count("source"), hasMore: condemned.length === blobsAtOnce };
}

/** Forgets blobs that no layer shows or was made from, and condemns their objects. Returns their names. */
export async function forgetUnshown(query: Query, names: readonly string[]): Promise<ReadonlySet<string>> {
  // Waits for publications that have just shown one; those that come later wait for this transaction.
  await query("SELECT 1 FROM blobs WHERE name = ANY($1::text[]) ORDER BY name FOR UPDATE", [names]);
  const rows = await query<{ name: string }>(
    `WITH forgotten AS (
        DELETE FROM blobs WHERE name = ANY($1::text[])
          AND NOT EXISTS (SELECT 1 FROM revision_layers WHERE frame_id = name)
          AND NOT EXISTS (SELECT 1 FROM revision_layers WHERE source_sha256 = name)
        RETURNING name, object_key),
      condemned AS (INSERT INTO condemned_objects SELECT object_key FROM forgotten ON CONFLICT DO NOTHING)
      SELECT name FROM forgotten`,
    [names],
  );
  return new Set(rows.map(({ name }) => name));
}
