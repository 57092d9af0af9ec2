// Typed prepared statements. This is the only place that turns SQLite's rows into typed rows; the schema is strict and
// checked, so the types hold for each catalog that our migrations made.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { toStorageError } from "../../platform/disk/storage-error.ts";
import type { EventState } from "../plans/event-state.ts";
import { toEventState, type EventRow } from "../rows/catalog-rows.ts";
import type { CatalogCounts } from "../rows/stored-rows.ts";

export interface Query<RowType> {
  first(...values: SQLInputValue[]): RowType | undefined;
  all(...values: SQLInputValue[]): RowType[];
  /** Reads row by row. Throws the errors of SQLite. */
  iterate(...values: SQLInputValue[]): Iterable<RowType>;
  run(...values: SQLInputValue[]): void;
}

/** Wraps a synchronous read in a promise, because callers must not depend on SQLite being synchronous. */
export function answer<Result>(read: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    resolve(read());
  });
}

/**
 * Compiles SQL. The query's functions throw AppError `storage-failed` or `stored-data-invalid` if disk or database
 * fail.
 */
export type Prepare = <RowType>(sql: string) => Query<RowType>;

/** Returns the function that compiles SQL on this connection. */
export function createPrepare(database: DatabaseSync): Prepare {
  return <RowType>(sql: string): Query<RowType> => {
    const statement = database.prepare(sql);
    return {
      first: (...values) => guarded(() => statement.get(...values) as RowType | undefined),
      all: (...values) => guarded(() => statement.all(...values) as RowType[]),
      iterate: (...values) => statement.iterate(...values) as Iterable<RowType>,
      run: (...values) => void guarded(() => statement.run(...values)),
    };
  };
}

function guarded<Result>(action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw toStorageError(error, "The catalog could not be read or written");
  }
}

export function prepareEvent(prepare: Prepare): (eventId: string) => EventState | undefined {
  const byId = prepare<EventRow>("SELECT * FROM events WHERE id = ?");
  return (eventId) => {
    const row = byId.first(eventId);
    return row && toEventState(row);
  };
}

/** Returns a function that counts a change, inside the transaction that makes it, so that other connections notice. */
export function prepareNote(
  prepare: Prepare,
  ...counters: readonly ("content_version" | "asset_version")[]
): () => void {
  const steps = counters.map((counter) => `${counter} = ${counter} + 1`).join(", ");
  const note = prepare(`UPDATE catalog_state SET ${steps}`);
  return () => {
    note.run();
  };
}

/** Returns a function that tells if a revision shows a frame, or was made from a source file (SHA-256). */
export function prepareIsShown(prepare: Prepare, kind: "frame" | "source"): (name: string) => boolean {
  const column = kind === "frame" ? "frame_id" : "source_sha256";
  const shown = prepare(`SELECT 1 FROM revision_layers WHERE ${column} = ? LIMIT 1`);
  return (name) => shown.first(name) !== undefined;
}

/**
 * Returns a function that remembers the files of a revision for removal, unless another revision shows them by then.
 */
export function prepareCondemn(prepare: Prepare): (revision: number) => void {
  const statements = (["frame_id", "source_sha256"] as const).map((column) =>
    prepare(`
    INSERT OR IGNORE INTO condemned_files (kind, name)
      SELECT '${column === "frame_id" ? "frame" : "source"}', ${column} FROM revision_layers
      WHERE revision = ? AND ${column} IS NOT NULL`),
  );
  return (revision) => {
    for (const statement of statements) statement.run(revision);
  };
}

export function countRows(prepare: Prepare): CatalogCounts {
  return prepare<CatalogCounts>(
    "SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM revisions) AS revisions",
  ).first()!;
}
