// The statements on the request log's file. Each of them is short: whatever looks at many records does so piece by piece.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { transact } from "../../../platform/sqlite/transact.ts";
import { toColumnSql, toSql, type Condition, type RecordColumn } from "./conditions.ts";
import { recordColumns, toValues, type RecordRow } from "./record-rows.ts";
import type { RequestRecord } from "./request-record.ts";

export interface Position {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly seq: number;
}

/** A stretch of a zone's records in the order of time. */
export interface Stretch {
  readonly zone: string;
  readonly scope: "all" | "verified" | "redirects";
  readonly order: "asc" | "desc";
  /** Not included. */
  readonly from: Position;
  /** Included. */
  readonly to: Position;
}

export interface GroupRow {
  readonly count: number;
  readonly lastAt: number;
  /** In the order of the columns. */
  readonly values: readonly (string | number | null)[];
}

export interface RecordTable {
  /** One transaction. Throws what SQLite throws; then nothing is written. */
  readonly insert: (records: readonly RequestRecord[]) => void;
  /** The position of the last of so many records of the stretch; undefined where there are not that many. */
  readonly findEnd: (stretch: Stretch, count: number) => Position | undefined;
  readonly select: (stretch: Stretch, condition: Condition, limit: number) => readonly RecordRow[];
  readonly group: (
    stretch: Stretch,
    condition: Condition,
    by: readonly RecordColumn[],
  ) => readonly GroupRow[];
  /** The oldest of any zone before that instant, by seq. */
  readonly selectOlder: (beforeMs: number, limit: number) => readonly number[];
  readonly remove: (seqs: readonly number[]) => void;
  /** In the order of writing. */
  readonly selectAfter: (seq: number, limit: number) => readonly RecordRow[];
  /** Undefined where there was no push yet. */
  readonly readPosition: () => number | undefined;
  readonly writePosition: (seq: number) => void;
  /** Of the last record, 0 without one. */
  readonly lastSeq: () => number;
}

/** Rows of one statement: a fifth of the time of each row is the statement's. */
const rowsAtOnce = 25;

const scopes = {
  all: { index: "records_by_time", text: "TRUE" },
  verified: { index: "verified_by_time", text: "category IS NOT NULL" },
  redirects: { index: "redirects_by_time", text: "target IS NOT NULL" },
} as const;

export function createRecordTable(database: DatabaseSync): RecordTable {
  // Paths differ by case, and so do patterns for them.
  database.exec("PRAGMA case_sensitive_like = ON");
  const statements = new StatementCache(database);
  const prepareInsert = (rows: number): StatementSync => {
    const row = `(${recordColumns.map(() => "?").join(", ")})`;
    const values = new Array<string>(rows).fill(row).join(", ");
    return database.prepare(`INSERT INTO records (${recordColumns.join(", ")}) VALUES ${values}`);
  };
  const insertOne = prepareInsert(1);
  const insertMany = prepareInsert(rowsAtOnce);
  return {
    insert(records) {
      transact(database, () => {
        let at = 0;
        for (; at + rowsAtOnce <= records.length; at += rowsAtOnce) {
          insertMany.run(...records.slice(at, at + rowsAtOnce).flatMap(toValues));
        }
        for (const record of records.slice(at)) insertOne.run(...toValues(record));
      });
    },
    findEnd(stretch, count) {
      const text = `SELECT at, seq FROM ${toFrom(stretch)} ${toOrder(stretch)} LIMIT 1 OFFSET ?`;
      const row = statements.get(text).get(...toBounds(stretch), count - 1);
      return row as unknown as Position | undefined;
    },
    select(stretch, condition, limit) {
      const { text, values } = toSql(condition);
      const sql = `SELECT * FROM ${toFrom(stretch)} AND (${text}) ${toOrder(stretch)} LIMIT ?`;
      const rows = statements.get(sql).all(...toBounds(stretch), ...values, limit);
      return rows as unknown as readonly RecordRow[];
    },
    group(stretch, condition, by) {
      const { text, values } = toSql(condition);
      const names = by.map((_, at) => `v${at}`);
      const columns = by.map((column, at) => `, ${toColumnSql(column)} AS v${at}`).join("");
      const tail = by.length === 0 ? "" : `GROUP BY ${names.join(", ")}`;
      const sql = `SELECT count(*) AS count, max(at) AS last${columns} FROM ${toFrom(stretch)} AND (${text}) ${tail}`;
      const rows = statements.get(sql).all(...toBounds(stretch), ...values) as unknown as Row[];
      return rows.flatMap((row) => {
        const { count, last } = row;
        if (count === 0) return [];
        return [{ count: Number(count), lastAt: Number(last), values: names.map((name) => row[name]!) }];
      });
    },
    ...createUpkeep(database, statements),
  };
}

type Row = Readonly<Record<string, string | number | null>>;

/** What retention and push need. */
function createUpkeep(
  database: DatabaseSync,
  statements: StatementCache,
): Omit<RecordTable, "insert" | "findEnd" | "select" | "group"> {
  const numberOf = (text: string, ...values: (string | number)[]): number | undefined => {
    const value = statements.get(text).get(...values)?.value ?? undefined;
    return value === undefined ? undefined : Number(value);
  };
  const nextZone = (zone: string): string | undefined => {
    const value = statements.get("SELECT min(zone) AS value FROM records WHERE zone > ?").get(zone)?.value;
    return typeof value === "string" ? value : undefined;
  };
  return {
    selectOlder(beforeMs, limit) {
      const seqs: number[] = [];
      const older = statements.get("SELECT seq FROM records WHERE zone = ? AND at < ? ORDER BY at LIMIT ?");
      for (let zone = nextZone(""); zone !== undefined; zone = nextZone(zone)) {
        const rows = older.all(zone, beforeMs, limit - seqs.length);
        seqs.push(...rows.map(({ seq }) => Number(seq)));
        if (seqs.length >= limit) break;
      }
      return seqs;
    },
    remove(seqs) {
      const remove = statements.get("DELETE FROM records WHERE seq = ?");
      transact(database, () => {
        for (const seq of seqs) remove.run(seq);
      });
    },
    selectAfter: (seq, limit) =>
      statements
        .get("SELECT * FROM records WHERE seq > ? ORDER BY seq LIMIT ?")
        .all(seq, limit) as unknown as readonly RecordRow[],
    readPosition: () => numberOf("SELECT position AS value FROM push"),
    writePosition(seq) {
      statements.get("INSERT OR REPLACE INTO push (id, position) VALUES (1, ?)").run(seq);
    },
    lastSeq: () => numberOf("SELECT max(seq) AS value FROM records") ?? 0,
  };
}

function toFrom({ scope, order }: Stretch): string {
  const { index, text } = scopes[scope];
  const [after, upTo] = order === "asc" ? [">", "<="] : ["<", ">="];
  return `records INDEXED BY ${index} WHERE zone = ? AND ${text} AND (at, seq) ${after} (?, ?) AND (at, seq) ${upTo} (?, ?)`;
}

function toBounds({ zone, from, to }: Stretch): (string | number)[] {
  return [zone, from.at, from.seq, to.at, to.seq];
}

function toOrder({ order }: Stretch): string {
  return order === "asc" ? "ORDER BY at, seq" : "ORDER BY at DESC, seq DESC";
}

/** Statements by their text: a query asks with the same one again and again. */
class StatementCache {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(text);
    if (this.#statements.size >= maxStatements) this.#statements.clear();
    this.#statements.set(text, statement);
    return statement;
  }
}

const maxStatements = 64;
