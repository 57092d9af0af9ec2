// The table of the request log in a data directory, and all statements on it.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Migration } from "../../../platform/sqlite/file-version.ts";
import { transact } from "../../../platform/sqlite/transact.ts";
import { logLimits } from "../gateway-limits.ts";
import {
  scopeTexts,
  toColumnSql,
  toSql,
  type Condition,
  type RecordColumn,
  type RecordScope,
} from "./conditions.ts";
import type { Position, RecordGroup, RecordStore, Stretch } from "./record-store.ts";
import {
  recordColumns,
  selectedColumns,
  toValues,
  type RecordRow,
  type RequestRecord,
} from "./request-record.ts";

/** Instants are milliseconds since 1970, UTC. */
export const logMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE records (
        -- In the order of writing; the push continues from here.
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL,
        at INTEGER NOT NULL,
        zone TEXT NOT NULL,
        host TEXT NOT NULL,
        path TEXT NOT NULL,
        status INTEGER NOT NULL,
        user_agent TEXT NOT NULL,
        category TEXT,
        name TEXT,
        reason TEXT NOT NULL,
        target TEXT
      ) STRICT;
      CREATE INDEX records_by_time ON records (zone, at);
      CREATE INDEX verified_by_time ON records (zone, at) WHERE category IS NOT NULL;
      CREATE INDEX redirects_by_time ON records (zone, at) WHERE target IS NOT NULL;

      CREATE TABLE push (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        -- The last record that the receiver has taken.
        position INTEGER NOT NULL
      ) STRICT;
    `,
  },
];

/** Rows of one INSERT: the statement itself costs a fifth of each row's time. */
const rowsAtOnce = 25;

const indices: Readonly<Record<RecordScope, string>> = {
  all: "records_by_time",
  verified: "verified_by_time",
  redirects: "redirects_by_time",
};

type Value = string | number | null;

export class RecordTable implements RecordStore {
  readonly #database: DatabaseSync;
  /** By their text: queries repeat. */
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    // Paths differ by case, and so do patterns for them.
    database.exec("PRAGMA case_sensitive_like = ON");
  }

  insert(records: readonly RequestRecord[]): void {
    transact(this.#database, () => {
      let at = 0;
      for (; at + rowsAtOnce <= records.length; at += rowsAtOnce) {
        this.#prepare(insertMany).run(...records.slice(at, at + rowsAtOnce).flatMap(toValues));
      }
      for (const record of records.slice(at)) this.#prepare(insertOne).run(...toValues(record));
    });
  }

  findEnd(stretch: Stretch, count: number): Position | undefined {
    const sql = `SELECT at, seq FROM ${toFrom(stretch)} ${toOrder(stretch)} LIMIT 1 OFFSET ?`;
    return this.#prepare(sql).get(...toBounds(stretch), count - 1) as unknown as Position | undefined;
  }

  select(stretch: Stretch, condition: Condition, limit: number): readonly RecordRow[] {
    const { text, values } = toSql(condition);
    const sql = `SELECT ${selectedColumns} FROM ${toFrom(stretch)} AND (${text}) ${toOrder(stretch)} LIMIT ?`;
    return this.#selectRows(sql, ...toBounds(stretch), ...values, limit);
  }

  group(stretch: Stretch, condition: Condition, by: readonly RecordColumn[]): readonly RecordGroup[] {
    const { text, values } = toSql(condition);
    const names = by.map((_, at) => `v${at}`);
    const columns = by.map((column, at) => `, ${toColumnSql(column)} AS v${at}`).join("");
    const tail = by.length === 0 ? "" : `GROUP BY ${names.join(", ")}`;
    const sql = `SELECT count(*) AS count, max(at) AS last${columns} FROM ${toFrom(stretch)} AND (${text}) ${tail}`;
    const rows = this.#prepare(sql).all(...toBounds(stretch), ...values) as Record<string, Value>[];
    return rows.flatMap((row) => {
      const { count, last } = row;
      if (count === 0) return [];
      return [{ count: Number(count), lastAt: Number(last), values: names.map((name) => row[name]!) }];
    });
  }

  tidy(keepMs: number, nowMs: number): number | undefined {
    const seqs = this.#selectOlder(nowMs - keepMs, logLimits.removedRecords);
    if (seqs.length === 0) return undefined;
    const position = this.#readPosition();
    const remove = this.#prepare("DELETE FROM records WHERE seq = ?");
    transact(this.#database, () => {
      for (const seq of seqs) remove.run(seq);
    });
    return position === undefined ? 0 : seqs.filter((seq) => seq > position).length;
  }

  /** Returns the `seq` of the oldest records of any zone before that instant. */
  #selectOlder(beforeMs: number, limit: number): readonly number[] {
    const seqs: number[] = [];
    const older = this.#prepare("SELECT seq FROM records WHERE zone = ? AND at < ? ORDER BY at LIMIT ?");
    for (let zone = this.#nextZone(""); zone !== undefined; zone = this.#nextZone(zone)) {
      const rows = older.all(zone, beforeMs, limit - seqs.length);
      seqs.push(...rows.map(({ seq }) => Number(seq)));
      if (seqs.length >= limit) break;
    }
    return seqs;
  }

  selectAfter(seq: number, limit: number): readonly RecordRow[] {
    return this.#selectRows(
      `SELECT ${selectedColumns} FROM records WHERE seq > ? ORDER BY seq LIMIT ?`,
      ...[seq, limit],
    );
  }

  beginPush(): number {
    const known = this.#readPosition();
    if (known !== undefined) return known;
    // The first push begins with new records, not with those stored before.
    const position = this.#readNumber("SELECT max(seq) AS value FROM records") ?? 0;
    this.writePosition(position);
    return position;
  }

  writePosition(seq: number): void {
    this.#prepare("INSERT OR REPLACE INTO push (id, position) VALUES (1, ?)").run(seq);
  }

  close(): void {
    this.#database.close();
  }

  /** Returns the `seq` of the last pushed record, or undefined before the first push. */
  #readPosition(): number | undefined {
    return this.#readNumber("SELECT position AS value FROM push");
  }

  #selectRows(sql: string, ...values: (string | number)[]): readonly RecordRow[] {
    return this.#prepare(sql).all(...values) as unknown as readonly RecordRow[];
  }

  #readNumber(sql: string): number | undefined {
    const value = this.#prepare(sql).get()?.value ?? undefined;
    return value === undefined ? undefined : Number(value);
  }

  #nextZone(zone: string): string | undefined {
    const row = this.#prepare("SELECT min(zone) AS value FROM records WHERE zone > ?").get(zone);
    return typeof row?.value === "string" ? row.value : undefined;
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    if (this.#statements.size >= logLimits.preparedStatements) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }
}

const placeholders = `(${recordColumns.map(() => "?").join(", ")})`;
const insertOne = `INSERT INTO records (${recordColumns.join(", ")}) VALUES ${placeholders}`;
const insertMany = insertOne + `, ${placeholders}`.repeat(rowsAtOnce - 1);

function toFrom({ scope, order }: Stretch): string {
  const [after, upTo] = order === "asc" ? [">", "<="] : ["<", ">="];
  return `records INDEXED BY ${indices[scope]} WHERE zone = ? AND ${scopeTexts[scope]} AND (at, seq) ${after} (?, ?) AND (at, seq) ${upTo} (?, ?)`;
}

function toBounds({ zone, from, to }: Stretch): (string | number)[] {
  return [zone, from.at, from.seq, to.at, to.seq];
}

function toOrder({ order }: Stretch): string {
  return order === "asc" ? "ORDER BY at, seq" : "ORDER BY at DESC, seq DESC";
}
