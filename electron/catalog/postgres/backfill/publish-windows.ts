// Publishes drawn windows. A window's revisions, the states of its files, its entries in the log and its own state are
// one transaction: a kill leaves all of them or none.
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import type { FeedLogEntry, PublishDraft, PublishOutcome } from "../../catalog.ts";
import { toInstant } from "../../plans/instants.ts";
import { planCompletion } from "../../plans/plan-event.ts";
import type { DrawnWindow } from "../../stores/backfill-queue.ts";
import { forgetUnshown } from "../writing/prune-service.ts";
import { lockEvent, readClock, type Commit, type Query } from "../writing/service-transaction.ts";
import { writeAssetChange, writeLogEntries } from "../writing/write-assets.ts";
import { writePublication } from "../writing/write-publication.ts";
import { writeEvent } from "../writing/write-rows.ts";

export type BackfillStep = "published" | "waiting" | "finished";

interface OpenWindow {
  readonly observation_window: number;
  readonly state: "waiting" | "drawn";
  readonly drawn: DrawnWindow | null;
}

interface Backfill {
  readonly eventId: string;
  readonly source_name: string;
  readonly is_whole: boolean;
}

/** Publishes the next window of an event, or ends the backfill. @throws as `publish` does */
export async function publishNext(commit: Commit, eventId: string): Promise<BackfillStep> {
  try {
    return await commit("durable", (query) => writeNext(query, eventId));
  } catch (error) {
    // A window that cannot be published must not hold up the next ones.
    if (isAppError(error, "source-invalid")) {
      await commit("durable", (query) => failNext(query, eventId, error.detail));
      return "published";
    }
    if (!isAppError(error, "frame-missing")) throw error;
    await commit("durable", (query) => drawAgain(query, eventId));
    return "waiting";
  }
}

async function writeNext(query: Query, eventId: string): Promise<BackfillStep> {
  const backfill = await lockBackfill(query, eventId);
  if (!backfill) return "finished";
  const event = await lockEvent(query, eventId);
  if (event && (event.status === "archived" || event.mirrorOf !== null)) {
    await endBackfill(query, backfill, "The event is read-only.");
    return "finished";
  }
  const next = await lockNext(query, eventId);
  if (!next) {
    await completeBackfill(query, backfill);
    return "finished";
  }
  if (next.drawn === null) return "waiting";
  await publishWindow(query, backfill, next.observation_window, next.drawn);
  return "published";
}

/** Returns undefined if the backfill has ended, or its event was removed. */
async function lockBackfill(query: Query, eventId: string): Promise<Backfill | undefined> {
  const [row] = await query<Omit<Backfill, "eventId">>(
    "SELECT source_name, is_whole FROM backfills WHERE event_id = $1 AND finished_at IS NULL FOR UPDATE",
    [eventId],
  );
  return row && { ...row, eventId };
}

async function lockNext(query: Query, eventId: string): Promise<OpenWindow | undefined> {
  const [row] = await query<OpenWindow>(
    `SELECT observation_window, state, drawn FROM backfill_windows
      WHERE event_id = $1 AND state IN ('waiting', 'drawn') ORDER BY observation_window LIMIT 1 FOR UPDATE`,
    [eventId],
  );
  return row;
}

async function publishWindow(
  query: Query,
  backfill: Backfill,
  window: number,
  { drafts, assets, log, hasFailed }: DrawnWindow,
): Promise<void> {
  await requireSources(query, drafts);
  for (const { id, change } of assets) await writeAssetChange(query, id, change);
  const at = toInstant(await readClock(query));
  const entries: FeedLogEntry[] = [...log];
  const unused: string[] = [];
  for (const draft of drafts) {
    const outcome = await writePublication(query, draft);
    const unchanged = draft.layers.filter(({ productId }) => outcome.unchanged.includes(productId));
    unused.push(...unchanged.flatMap(({ sourceSha256 }) => sourceSha256 ?? []));
    const source = { at, source: backfill.source_name, eventId: backfill.eventId };
    entries.push(...toEntries(outcome, unchanged).map((entry) => ({ ...source, ...entry })));
  }
  await forgetUnshown(query, unused);
  await setState(query, backfill.eventId, window, hasFailed ? "failed" : "published");
  await writeLogEntries(query, entries);
}

/** Between drawing and publication, another process may have discarded the same source file as unused. */
async function requireSources(query: Query, drafts: readonly PublishDraft[]): Promise<void> {
  const names = new Set(
    drafts.flatMap(({ layers }) => layers.flatMap(({ sourceSha256 }) => sourceSha256 ?? [])),
  );
  const stored = await query("SELECT 1 FROM blobs WHERE name = ANY($1::text[])", [[...names]]);
  if (stored.length < names.size)
    throw new AppError("frame-missing", "A source file is not stored any more.");
}

type Entry = Omit<FeedLogEntry, "at" | "source" | "eventId">;

function toEntries({ revision, change }: PublishOutcome, unchanged: PublishDraft["layers"]): Entry[] {
  const entries: Entry[] = unchanged.map(({ productId, observedAt }) => ({
    kind: "duplicate",
    productId,
    observedAt,
  }));
  if (!revision) return entries;
  const { observedAt, revisionId, sequence } = revision;
  return [...entries, { kind: "published", observedAt, revisionId, sequence, change }];
}

async function setState(
  query: Query,
  eventId: string,
  window: number,
  state: "published" | "failed",
): Promise<void> {
  const sql =
    "UPDATE backfill_windows SET state = $3, drawn = NULL WHERE event_id = $1 AND observation_window = $2";
  await query(sql, [eventId, window, state]);
}

async function failNext(query: Query, eventId: string, message: string): Promise<void> {
  const backfill = await lockBackfill(query, eventId);
  const next = await lockNext(query, eventId);
  if (!backfill || !next?.drawn) return;
  for (const { id } of next.drawn.assets) {
    await writeAssetChange(query, id, { status: "failed", errorMessage: message });
  }
  await setState(query, eventId, next.observation_window, "failed");
  await logFailure(query, backfill, message);
}

/** Frames that nothing showed yet were forgotten with those of a pruned event. */
async function drawAgain(query: Query, eventId: string): Promise<void> {
  const next = await lockNext(query, eventId);
  if (!next) return;
  await query(
    `UPDATE backfill_windows SET state = 'waiting', is_claimed = false, free_at = 0, losses = losses + 1, drawn = NULL
      WHERE event_id = $1 AND observation_window = $2 AND state = 'drawn'`,
    [eventId, next.observation_window],
  );
}

/** Ends a backfill whose windows are all done. Its event is complete if nothing failed and its window is over. */
async function completeBackfill(query: Query, backfill: Backfill): Promise<void> {
  const { eventId, is_whole } = backfill;
  const [failed] = await query(
    "SELECT 1 FROM backfill_windows WHERE event_id = $1 AND state = 'failed' LIMIT 1",
    [eventId],
  );
  const event = await lockEvent(query, eventId);
  const nowMs = await readClock(query);
  const isOver = event?.registeredWindow && event.registeredWindow.endedAtMs <= nowMs;
  const isComplete = is_whole && !failed && isOver === true;
  const completed = isComplete ? planCompletion(event, true, nowMs) : undefined;
  if (completed) await writeEvent(query, completed);
  await endBackfill(query, backfill);
}

/** Ends a backfill; windows that are left have failed. */
async function endBackfill(query: Query, backfill: Backfill, message?: string): Promise<void> {
  const { eventId, source_name: source } = backfill;
  if (message !== undefined) {
    await query(
      `UPDATE backfill_windows SET state = 'failed', is_claimed = false, drawn = NULL
        WHERE event_id = $1 AND state IN ('waiting', 'drawn')`,
      [eventId],
    );
    await logFailure(query, backfill, message);
  }
  await query("UPDATE backfills SET finished_at = catalog_clock() WHERE event_id = $1", [eventId]);
  const at = toInstant(await readClock(query));
  await writeLogEntries(query, [{ at, source, eventId, kind: "stopped" }]);
}

async function logFailure(
  query: Query,
  { eventId, source_name: source }: Backfill,
  message: string,
): Promise<void> {
  const at = toInstant(await readClock(query));
  await writeLogEntries(query, [{ at, source, eventId, kind: "failed", message }]);
}
