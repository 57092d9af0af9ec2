// Typed one-statement queries: the only place where a row of SQLite becomes a row of ours. The catalog's schema is strict
// and checked, so the types hold for every catalog that its own migrations made.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { toStorageError } from "../platform/disk/storage-error.ts";

export interface Query<RowType> {
  first(...values: SQLInputValue[]): RowType | undefined;
  all(...values: SQLInputValue[]): RowType[];
  run(...values: SQLInputValue[]): void;
}

/** SQLite answers at once; whoever asks must not depend on it. */
export function answer<Result>(read: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    resolve(read());
  });
}

/** Compiles `sql`. Its functions throw AppError `storage-failed` or `stored-data-invalid` where disk or database fail. */
export function prepare<RowType>(database: DatabaseSync, sql: string): Query<RowType> {
  const statement = database.prepare(sql);
  const guarded = <Result>(action: () => Result): Result => {
    try {
      return action();
    } catch (error) {
      throw toStorageError(error, "The catalog could not be read or written");
    }
  };
  return {
    first: (...values) => guarded(() => statement.get(...values) as RowType | undefined),
    all: (...values) => guarded(() => statement.all(...values) as RowType[]),
    run: (...values) => {
      guarded(() => statement.run(...values));
    },
  };
}
