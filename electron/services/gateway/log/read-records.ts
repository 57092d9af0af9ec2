// Answers queries of the log: pages of records in the order of time, and groups of records with their counts.
import { AppError } from "../../../../shared/app-error.ts";
import { logLimits } from "../gateway-limits.ts";
import { toPatternLength, toScope, toTimeRange, type Condition, type RecordColumn } from "./conditions.ts";
import type { Position, RecordGroup, RecordReader } from "./record-store.ts";
import { toRecord, type RecordRow, type RequestRecord } from "./request-record.ts";
import { scan } from "./scan.ts";

export interface RecordQuery {
  readonly zoneId: string;
  /** ISO; `since` is included, `until` is not. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly host?: string | undefined;
  readonly category?: string | undefined;
  readonly targetPrefix?: string | undefined;
  readonly limit: number;
  readonly order: "asc" | "desc";
}

export interface RecordPage {
  readonly records: readonly RequestRecord[];
  /** Position of the last record; undefined if no record follows. */
  readonly next: Position | undefined;
}

export interface PageQuery extends RecordQuery {
  readonly after?: Position | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GroupQuery {
  readonly zoneId: string;
  readonly where: Condition;
  /** Without columns, there is one group of all records. */
  readonly by: readonly RecordColumn[];
  readonly signal?: AbortSignal | undefined;
}

/** Throws as `scan` does. */
export async function readPage(records: RecordReader, query: PageQuery): Promise<RecordPage> {
  const where = toCondition(query);
  const rows: RecordRow[] = [];
  const { zoneId: zone, order, after, signal, limit } = query;
  const options = { zone, order, after, signal, scope: toScope(where), ...toTimeRange(where) };
  for await (const stretch of scan(records, options)) {
    rows.push(...(await records.select(stretch, where, limit + 1 - rows.length)));
    if (rows.length > limit) break;
  }
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { records: page.map(toRecord), next: last && { at: last.at, seq: last.seq } };
}

function toCondition({ since, until, host, category, targetPrefix }: RecordQuery): Condition {
  const of: Condition[] = [];
  if (since !== undefined) of.push({ kind: "geq", column: "at", value: Date.parse(since) });
  if (until !== undefined) of.push({ kind: "lt", column: "at", value: Date.parse(until) });
  if (host !== undefined) of.push({ kind: "eq", column: "host", value: host });
  if (category !== undefined) of.push({ kind: "eq", column: "category", value: category });
  if (targetPrefix !== undefined) of.push({ kind: "prefix", column: "target", text: targetPrefix });
  return { kind: "all", of };
}

/** Returns groups in no particular order. Throws as `scan` does, and `invalid-input` for too many groups. */
export async function readGroups(records: RecordReader, query: GroupQuery): Promise<readonly RecordGroup[]> {
  const { zoneId: zone, where, by, signal } = query;
  const groups = new Map<string, { count: number; lastAt: number; readonly values: RecordGroup["values"] }>();
  let characters = 0;
  const options = {
    ...{ zone, order: "asc" as const, signal, scope: toScope(where), patternLength: toPatternLength(where) },
    ...toTimeRange(where),
  };
  for await (const stretch of scan(records, options)) {
    for (const row of await records.group(stretch, where, by)) {
      const key = JSON.stringify(row.values);
      const group = groups.get(key);
      if (group !== undefined) {
        group.count += row.count;
        group.lastAt = Math.max(group.lastAt, row.lastAt);
        continue;
      }
      characters += key.length;
      groups.set(key, { ...row });
      if (groups.size > logLimits.groups || characters > logLimits.groupChars) {
        throw new AppError(
          "invalid-input",
          "There are too many groups; ask for a shorter time or fewer dimensions.",
        );
      }
    }
  }
  return [...groups.values()];
}
