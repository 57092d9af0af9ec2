// Answers to queries of the log: pages of records in the order of time, and groups of them with their counts.
import { AppError } from "../../../../shared/app-error.ts";
import { toPatternLength, toScope, toTimeRange, type Condition, type RecordColumn } from "./conditions.ts";
import { toRecord, type RecordRow } from "./record-rows.ts";
import type { GroupRow, Position, RecordTable } from "./record-table.ts";
import type { RecordQuery, RequestRecord } from "./request-record.ts";
import { scan } from "./scan.ts";

export interface RecordPage {
  readonly records: readonly RequestRecord[];
  /** Of the last one; undefined when no record follows. */
  readonly next: Position | undefined;
}

export interface PageQuery extends RecordQuery {
  readonly after?: Position | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GroupQuery {
  readonly zoneId: string;
  readonly where: Condition;
  /** Without any there is one group, of all. */
  readonly by: readonly RecordColumn[];
  readonly signal?: AbortSignal | undefined;
}

export type RecordGroup = GroupRow;

/** Characters of the values of all groups together. */
const maxGroupCharacters = 16_000_000;
const maxGroups = 100_000;

/** Throws as `scan` does. */
export async function readPage(table: RecordTable, query: PageQuery): Promise<RecordPage> {
  const where = toCondition(query);
  const rows: RecordRow[] = [];
  const { zoneId: zone, order, after, signal, limit } = query;
  const options = { zone, order, after, signal, scope: toScope(where), ...toTimeRange(where) };
  for await (const stretch of scan(table, options)) {
    rows.push(...table.select(stretch, where, limit + 1 - rows.length));
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

/** In no order. Throws as `scan` does, and `invalid-input` for more groups than can be held. */
export async function readGroups(table: RecordTable, query: GroupQuery): Promise<readonly RecordGroup[]> {
  const { zoneId: zone, where, by, signal } = query;
  const groups = new Map<string, { count: number; lastAt: number; readonly values: GroupRow["values"] }>();
  let characters = 0;
  const options = {
    ...{ zone, order: "asc" as const, signal, scope: toScope(where), patternLength: toPatternLength(where) },
    ...toTimeRange(where),
  };
  for await (const stretch of scan(table, options)) {
    for (const row of table.group(stretch, where, by)) {
      const key = JSON.stringify(row.values);
      const group = groups.get(key);
      if (group !== undefined) {
        group.count += row.count;
        group.lastAt = Math.max(group.lastAt, row.lastAt);
        continue;
      }
      characters += key.length;
      groups.set(key, { ...row });
      if (groups.size > maxGroups || characters > maxGroupCharacters) {
        throw new AppError(
          "invalid-input",
          "There are too many groups: ask for a shorter time or fewer dimensions.",
        );
      }
    }
  }
  return [...groups.values()];
}
