// Interface of the stored records, whose engine is SQLite in a data directory, and PostgreSQL in a service. Each call
// is short: many records are read piece by piece.
import type { Condition, RecordColumn, RecordScope } from "./conditions.ts";
import type { RecordRow, RequestRecord } from "./request-record.ts";

export interface Position {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly seq: number;
}

/** A part of a zone's records in the order of time. */
export interface Stretch {
  readonly zone: string;
  readonly scope: RecordScope;
  readonly order: "asc" | "desc";
  /** Excluded. */
  readonly from: Position;
  /** Included. */
  readonly to: Position;
}

export interface RecordGroup {
  readonly count: number;
  readonly lastAt: number;
  /** In the order of the columns. */
  readonly values: readonly (string | number | null)[];
}

/** A result that is there at once, or a promise of it. */
export type Sooner<Result> = Result | Promise<Result>;

export interface RecordReader {
  /** Returns the position of the stretch's record number `count`, or undefined if it has fewer. */
  readonly findEnd: (stretch: Stretch, count: number) => Sooner<Position | undefined>;
  readonly select: (stretch: Stretch, condition: Condition, limit: number) => Sooner<readonly RecordRow[]>;
  readonly group: (
    stretch: Stretch,
    condition: Condition,
    by: readonly RecordColumn[],
  ) => Sooner<readonly RecordGroup[]>;
}

export interface PushedRecords {
  /** Returns records in the order of writing. */
  readonly selectAfter: (seq: number, limit: number) => Sooner<readonly RecordRow[]>;
  /**
   * Returns the `seq` of the last pushed record; before the first push, of the last record. Returns undefined while
   * another process pushes.
   */
  readonly beginPush: () => Sooner<number | undefined>;
  readonly writePosition: (seq: number) => Sooner<void>;
}

export interface RetainedRecords {
  /**
   * Makes room for coming records, and removes some of those older than `keepMs`. Returns the number of removed ones
   * that no push has sent, or undefined if there was nothing to remove.
   */
  readonly tidy: (keepMs: number, nowMs: number) => Sooner<number | undefined>;
}

export interface RecordStore extends RecordReader, PushedRecords, RetainedRecords {
  /** Inserts all records or, if it throws, none. */
  readonly insert: (records: readonly RequestRecord[]) => Sooner<void>;
  /** Idempotent. */
  readonly close: () => Sooner<void>;
}
