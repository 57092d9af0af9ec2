// Retention: one transaction removes rows of old revisions and remembers their files; a second one removes the files
// that nothing shows, which publications notice. So no crash and no race leaves a manifest without its frame.
import { AppError } from "../../../../shared/app-error.ts";
import type { EventState } from "../../plans/event-state.ts";
import { narrowEvent, planRetention } from "../../plans/plan-retention.ts";
import { toExtentBounds, type ExtentRow } from "../../rows/catalog-rows.ts";
import { createEventWriter } from "./revision-rows.ts";
import { type Prepare, prepareCondemn, prepareEvent, prepareIsShown, prepareNote } from "../queries.ts";
import type { StoredFile, StoredFiles } from "../../files/stored-files.ts";

/** Limits for one transaction, which blocks writers and this process: about 50 ms on a slow disk. */
const revisionsAtOnce = 50;
const filesAtOnce = 50;

export interface ClearedFiles {
  readonly frames: number;
  readonly sources: number;
  /** True if some may be left. */
  readonly hasMore: boolean;
}

export interface Retention {
  /** Removes rows of old revisions. Call it again while it returns `hasMore`. */
  removeRevisions(eventId: string, keepMs: number): { readonly revisions: number; readonly hasMore: boolean };
  /** Removes condemned files. Call it again while it returns `hasMore`. */
  clearFiles(): ClearedFiles;
  discardSources(sha256s: readonly string[]): number;
}

/**
 * Call the functions inside a write transaction. The first two also need the retention lock.
 */
export function createRetention(prepare: Prepare, files: StoredFiles): Retention {
  const isShown = createIsShown(prepare);
  return {
    removeRevisions: createRevisionRemoval(prepare),
    clearFiles: createFileClearing(prepare, files, isShown),
    discardSources(sha256s) {
      const unshown = sha256s
        .map((name) => ({ kind: "source", name }) as const)
        .filter((file) => !isShown(file));
      const removed = unshown.filter((file) => files.remove(file));
      files.sync();
      if (removed.length < unshown.length) throw refusedRemoval();
      return removed.length;
    },
  };
}

function createRevisionRemoval(prepare: Prepare): Retention["removeRevisions"] {
  const findEvent = prepareEvent(prepare);
  const writeEvent = createEventWriter(prepare);
  const newestObservation = prepare<{ newest: number | null }>(`
    SELECT max(observed_at) AS newest FROM revisions WHERE event_id = ?1 AND observation_window =
      (SELECT max(observation_window) FROM revisions WHERE event_id = ?1)`);
  const outdated = prepare<{ id: number; sequence: number }>(`
    SELECT id, sequence FROM revisions
      WHERE event_id = ? AND observation_window <= ? AND observed_at < ? AND revision_id IS NOT ? LIMIT ?`);
  const condemn = prepareCondemn(prepare);
  const remove = prepare("DELETE FROM revisions WHERE id = ?");
  const remaining = createRemainingExtent(prepare);
  const noteContent = prepareNote(prepare, "content_version", "asset_version");
  const removeAssets = createAssetRemoval(prepare);

  return (eventId, keepMs) => {
    const event = findEvent(eventId);
    const plan = planRetention(event, newestObservation.first(eventId)?.newest ?? undefined, keepMs);
    if (!event || !plan) return { revisions: 0, hasMore: false };
    const { keptFromMs, lastWindow, currentRevisionId } = plan;
    const rows = outdated.all(eventId, lastWindow, keptFromMs, currentRevisionId, revisionsAtOnce);
    for (const { id } of rows) {
      condemn(id);
      remove.run(id);
    }
    const sequences = rows.map(({ sequence }) => sequence);
    if (rows.length > 0) writeEvent(narrowEvent(event, sequences, remaining(eventId)));
    const assets = removeAssets(eventId, keptFromMs);
    if (rows.length + assets > 0) noteContent();
    return { revisions: rows.length, hasMore: rows.length === revisionsAtOnce };
  };
}

/** Returns a function that reads start and bounds of an event's layers. */
function createRemainingExtent(
  prepare: Prepare,
): (eventId: string) => Pick<EventState, "startedAtMs" | "bounds"> {
  const extent = prepare<Omit<ExtentRow, "ended_at">>(`
    SELECT min(observed_at) AS started_at, min(west) AS west, min(south) AS south, max(east) AS east,
        max(north) AS north
      FROM revision_layers WHERE event_id = ?`);
  return (eventId) => {
    const row = extent.first(eventId)!;
    return { startedAtMs: row.started_at, bounds: toExtentBounds(row) };
  };
}

/** Removes old assets, except for the newest of each product, which the data status shows. */
function createAssetRemoval(prepare: Prepare): (eventId: string, keptFromMs: number) => number {
  const removed = prepare<{ id: number }>(`
    DELETE FROM assets WHERE event_id = ? AND coalesce(observed_at, last_modified_at) < ?
        AND discovery NOT IN (SELECT max(discovery) FROM assets WHERE product_id IS NOT NULL GROUP BY product_id)
      RETURNING id`);
  return (eventId, keptFromMs) => removed.all(eventId, keptFromMs).length;
}

function createFileClearing(
  prepare: Prepare,
  files: StoredFiles,
  isShown: (file: StoredFile) => boolean,
): Retention["clearFiles"] {
  const condemned = prepare<StoredFile>("SELECT kind, name FROM condemned_files ORDER BY kind, name LIMIT ?");
  const forget = prepare("DELETE FROM condemned_files WHERE kind = ? AND name = ?");
  return () => {
    const rows = condemned.all(filesAtOnce);
    const counts = { frame: 0, source: 0 };
    let refused = 0;
    for (const file of rows) {
      if (!isShown(file)) {
        if (!files.remove(file)) {
          refused += 1;
          continue;
        }
        counts[file.kind] += 1;
      }
      forget.run(file.kind, file.name);
    }
    files.sync();
    // Otherwise the caller would try the same files forever.
    if (refused > 0 && refused === rows.length) throw refusedRemoval();
    return { frames: counts.frame, sources: counts.source, hasMore: rows.length === filesAtOnce };
  };
}

function createIsShown(prepare: Prepare): (file: StoredFile) => boolean {
  const shows = { frame: prepareIsShown(prepare, "frame"), source: prepareIsShown(prepare, "source") };
  return ({ kind, name }) => shows[kind](name);
}

function refusedRemoval(): AppError {
  return new AppError(
    "storage-failed",
    "Unused files could not be removed: the disk refused. Check the permissions of the data directory.",
  );
}
