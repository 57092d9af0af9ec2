// One record for each request that the gateway has answered: its fields, its columns and its form for other programs.
// It contains no other header than the user agent, no cookie and no query.
import { logLimits } from "../gateway-limits.ts";
import type { Reason } from "../../../../shared/contract/gateway-reasons.ts";

export interface RequestRecord {
  /** Stable, so that a receiver can drop repeats. */
  readonly id: string;
  /** Arrival of the request, in milliseconds since 1970. */
  readonly at: number;
  readonly zoneId: string;
  readonly host: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly userAgent: string;
  /** Null for an unverified visitor. */
  readonly verifiedBotCategory: string | null;
  readonly verifiedBotName: string | null;
  readonly reason: Reason;
  /** The canonical URL that the visitor was sent to; null without a redirect. */
  readonly redirectsForAiTrainingTarget: string | null;
}

/** A record in the table. */
export interface RecordRow extends RequestRecord {
  /** Position in the order of writing, from 1. */
  readonly seq: number;
}

/** The columns of the table `records`, and the property that each contains. */
const columns = [
  ["id", "id"],
  ["at", "at"],
  ["zone", "zoneId"],
  ["host", "host"],
  ["path", "path"],
  ["status", "status"],
  ["user_agent", "userAgent"],
  ["category", "verifiedBotCategory"],
  ["name", "verifiedBotName"],
  ["reason", "reason"],
  ["target", "redirectsForAiTrainingTarget"],
] as const satisfies readonly (readonly [string, keyof RequestRecord])[];

/** Names of the columns, in the order of `toValues`. */
export const recordColumns: readonly string[] = columns.map(([column]) => column);
/** The columns of a `RecordRow`, for SELECT. */
export const selectedColumns = ["seq", ...columns.map(([column, key]) => `${column} AS "${key}"`)].join(", ");

export function toValues(record: RequestRecord): (string | number | null)[] {
  return columns.map(([, key]) => record[key]);
}

export function toRecord(row: RecordRow): RequestRecord {
  return Object.fromEntries(columns.map(([, key]) => [key, row[key]])) as unknown as RequestRecord;
}

/** Returns the record with texts of limited length: a client may make them as long as it likes. */
export function toBounded(record: RequestRecord): RequestRecord {
  const { host, path, userAgent, redirectsForAiTrainingTarget: target } = record;
  const most = logLimits.textChars;
  const isBounded =
    fits(host, most.host) &&
    fits(path, most.path) &&
    fits(userAgent, most.userAgent) &&
    (target === null || fits(target, most.target));
  if (isBounded) return record;
  return {
    ...record,
    host: cut(host, most.host),
    path: cut(path, most.path),
    userAgent: cut(userAgent, most.userAgent),
    redirectsForAiTrainingTarget: target === null ? null : cut(target, most.target),
  };
}

function fits(text: string, length: number): boolean {
  return text.length <= length && text.isWellFormed();
}

/** Cuts a text without halving a character: SQLite stores UTF-8. */
function cut(text: string, length: number): string {
  return (text.length <= length ? text : text.slice(0, length)).toWellFormed();
}

/** Converts a record for responses of the control plane and for the push. */
export function toRecordWire(record: RequestRecord) {
  return {
    id: record.id,
    datetime: new Date(record.at).toISOString(),
    host: record.host,
    path: record.path,
    status: record.status,
    user_agent: record.userAgent,
    verified_bot_category: record.verifiedBotCategory,
    reason: record.reason,
    redirects_for_ai_training_target: record.redirectsForAiTrainingTarget,
  };
}

/** Returns one line of NDJSON with its line feed. Records of all zones are pushed in one stream. */
export function toNdjson(record: RequestRecord): string {
  return `${JSON.stringify({ ...toRecordWire(record), zone_id: record.zoneId })}\n`;
}
