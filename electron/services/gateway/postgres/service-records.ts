// The records of the request log in the database of a service, written by all gateways. The same queries as over a file
// give the same answers. Commits are lazy: a crash of the database may lose the records of its last second.
import { randomUUID } from "node:crypto";
import { isAppError } from "../../../../shared/app-error.ts";
import { CommitUnknownError, sqlState } from "../../../platform/postgres/database-error.ts";
import type { Database, Session, SqlValue } from "../../../platform/postgres/database.ts";
import { serviceLimits } from "../gateway-limits.ts";
import { scopeTexts, toColumnSql, toSql, type Condition } from "../log/conditions.ts";
import type { Position, RecordGroup, RecordStore, Stretch } from "../log/record-store.ts";
import { createRequestLog, type RequestLog, type RequestLogOptions } from "../log/request-log.ts";
import {
  recordColumns,
  selectedColumns,
  toValues,
  type RecordRow,
  type RequestRecord,
} from "../log/request-record.ts";
import { dayOf, dropOldest, lockWriters, makePartition, makePartitionsAhead } from "./record-partitions.ts";

type Value = string | number | null;

/** Closing it leaves the database open. @throws AppError as the database does */
export async function openServiceLog(database: Database, options: RequestLogOptions): Promise<RequestLog> {
  await makePartitionsAhead(database);
  return createRequestLog(createServiceRecords(database), options);
}

export function createServiceRecords(database: Database): RecordStore {
  return { ...createWriting(database), ...createReading(database), ...createPushing(database) };
}

function createWriting(database: Database): Pick<RecordStore, "insert" | "tidy"> {
  /** Days that have a partition. */
  const known = new Set<number>();
  /** True if a commit was not confirmed: its records come again, and may be there. */
  let isUnsure = false;

  const insertAll = async (session: Session, records: readonly RequestRecord[]): Promise<void> => {
    await lockWriters(session);
    const missing = new Set(records.map(({ at }) => dayOf(at)).filter((day) => !known.has(day)));
    for (const day of missing) await makePartition(session, day);
    const present = isUnsure ? await findPresent(session, records) : new Set();
    await insertRows(
      session,
      records.filter(({ id }) => !present.has(id)),
    );
  };
  const insert = async (records: readonly RequestRecord[]): Promise<void> => {
    await database.transact("lazy", (session) => insertAll(session, records));
    for (const { at } of records) known.add(dayOf(at));
    isUnsure = false;
  };
  return {
    async insert(records) {
      try {
        try {
          await insert(records);
        } catch (error) {
          if (!lacksPartition(error)) throw error;
          // Another gateway has removed it.
          known.clear();
          await insert(records);
        }
      } catch (error) {
        isUnsure ||= error instanceof CommitUnknownError;
        throw error;
      }
    },
    async tidy(keepMs) {
      await makePartitionsAhead(database);
      return dropOldest(database, keepMs);
    },
  };
}

/** Returns the ids of records that are stored already. */
async function findPresent({ query }: Session, records: readonly RequestRecord[]): Promise<Set<string>> {
  const times = records.map(({ at }) => at);
  const rows = await query<{ id: string }>(
    "SELECT id FROM gateway_records WHERE zone = ANY($1) AND at BETWEEN $2 AND $3 AND id = ANY($4)",
    [
      [...new Set(records.map(({ zoneId }) => zoneId))],
      Math.min(...times),
      Math.max(...times),
      records.map(({ id }) => id),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

const numeric: ReadonlySet<string> = new Set(["at", "status"]);
const arrays = recordColumns.map((name, at) => `$${at + 1}::${numeric.has(name) ? "bigint" : "text"}[]`);
const insertSql = `INSERT INTO gateway_records (${recordColumns.join(", ")}) SELECT * FROM unnest(${arrays.join(", ")})`;

async function insertRows({ query }: Session, records: readonly RequestRecord[]): Promise<void> {
  const rows = records.map(toValues);
  const values = recordColumns.map((_, column) => rows.map((row) => storable(row[column]!)));
  await query(insertSql, values);
}

/** Replaces NUL, which PostgreSQL stores in no text, by the next character in order. No client can send either. */
function storable<Stored extends Value>(value: Stored): Stored {
  return typeof value === "string" ? (value.replaceAll("\0", "\u0001") as Stored) : value;
}

function lacksPartition(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return sqlState(cause) === "23514";
}

function createReading({ ask }: Database): Pick<RecordStore, "findEnd" | "select" | "group" | "selectAfter"> {
  return {
    async findEnd(stretch, count) {
      const sql = new Statement(stretch);
      const [row] = await ask<{ at: number; seq: number }>(
        `SELECT at, seq FROM ${sql.from} ${toOrder(stretch)} LIMIT 1 OFFSET ${count - 1}`,
        sql.values,
      );
      return row satisfies Position | undefined;
    },
    select(stretch, condition, limit) {
      const sql = new Statement(stretch, condition);
      return ask<RecordRow>(
        `SELECT ${selectedColumns} FROM ${sql.from} ${toOrder(stretch)} LIMIT ${limit}`,
        sql.values,
      );
    },
    async group(stretch, condition, by) {
      const sql = new Statement(stretch, condition);
      const names = by.map((_, at) => `v${at}`);
      const columns = by.map((column, at) => `, ${toColumnSql(column)} AS v${at}`).join("");
      const tail = by.length === 0 ? "" : `GROUP BY ${names.join(", ")}`;
      const rows = await ask<Record<string, Value>>(
        `SELECT count(*) AS count, max(at) AS last${columns} FROM ${sql.from} ${tail}`,
        sql.values,
      );
      return rows.flatMap((row): RecordGroup[] => {
        const { count, last } = row;
        if (count === 0) return [];
        return [{ count: Number(count), lastAt: Number(last), values: names.map((name) => row[name]!) }];
      });
    },
    selectAfter: (seq, limit) =>
      ask<RecordRow>(`SELECT ${selectedColumns} FROM gateway_records WHERE seq > $1 ORDER BY seq LIMIT $2`, [
        seq,
        limit,
      ]),
  };
}

/** The records of a stretch that match, as a FROM clause with its values. */
class Statement {
  readonly from: string;
  readonly values: readonly SqlValue[];

  constructor({ zone, scope, order, from, to }: Stretch, condition?: Condition) {
    const [after, upTo] = order === "asc" ? [">", "<="] : ["<", ">="];
    const [low, high] = order === "asc" ? [from, to] : [to, from];
    const { text, values } = condition ? toSql(condition) : { text: "TRUE", values: [] };
    const where = [
      ...["zone = ?", scopeTexts[scope], `(at, seq) ${after} (?, ?)`, `(at, seq) ${upTo} (?, ?)`],
      // Leaves out the partitions of other days.
      ...["at BETWEEN ? AND ?", `(${text})`],
    ].join(" AND ");
    let number = 0;
    this.from = `gateway_records WHERE ${where.replaceAll("?", () => `$${(number += 1)}`)}`;
    const bounds = [zone, from.at, from.seq, to.at, to.seq, low.at, high.at];
    this.values = [...bounds, ...values].map(storable);
  }
}

function toOrder({ order }: Stretch): string {
  return order === "asc" ? "ORDER BY at, seq" : "ORDER BY at DESC, seq DESC";
}

/** One process pushes at a time, and the others stand by. */
function createPushing({ transact }: Database): Pick<RecordStore, "beginPush" | "writePosition" | "close"> {
  const holder = randomUUID();
  return {
    async beginPush() {
      const [row] = await transact("lazy", ({ query }) =>
        query<{ position: number }>(
          `INSERT INTO gateway_push AS p (id, position, holder, expires_at)
            SELECT 1, coalesce(max(seq), 0), $1, catalog_clock() + $2::bigint FROM gateway_records
            ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
              WHERE p.holder = excluded.holder OR p.expires_at <= catalog_clock()
            RETURNING position`,
          [holder, serviceLimits.pushLeaseMs],
        ),
      );
      return row?.position;
    },
    async writePosition(seq) {
      await transact("lazy", ({ query }) =>
        query("UPDATE gateway_push SET position = $1 WHERE holder = $2", [seq, holder]),
      );
    },
    async close() {
      try {
        await transact("lazy", ({ query }) =>
          query("UPDATE gateway_push SET expires_at = 0 WHERE holder = $1", [holder]),
        );
      } catch (error) {
        // The lease ends by itself.
        if (!isAppError(error)) throw error;
      }
    },
  };
}
