// Records as rows of the file, and back. What a client may make as long as it likes is cut to a bounded length.
import type { Reason } from "../reason.ts";
import type { RequestRecord } from "./request-record.ts";

export interface RecordRow {
  readonly seq: number;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly zone: string;
  readonly host: string;
  readonly path: string;
  readonly status: number;
  readonly user_agent: string;
  readonly category: string | null;
  readonly name: string | null;
  readonly reason: string;
  readonly target: string | null;
}

/** In the order of `toValues`. */
export const recordColumns = [
  ...["id", "at", "zone", "host", "path", "status", "user_agent", "category", "name", "reason", "target"],
] as const;

/** UTF-16 code units. A target is kept as long as a Location header may be. */
const maxLengths = { host: 255, path: 4_096, userAgent: 1_024, target: 16_384 } as const;

/** The record with texts of bounded length. */
export function toBounded(record: RequestRecord): RequestRecord {
  const { host, path, userAgent, redirectsForAiTrainingTarget: target } = record;
  const isBounded =
    fits(host, maxLengths.host) &&
    fits(path, maxLengths.path) &&
    fits(userAgent, maxLengths.userAgent) &&
    (target === null || fits(target, maxLengths.target));
  if (isBounded) return record;
  return {
    ...record,
    host: cut(host, maxLengths.host),
    path: cut(path, maxLengths.path),
    userAgent: cut(userAgent, maxLengths.userAgent),
    redirectsForAiTrainingTarget: target === null ? null : cut(target, maxLengths.target),
  };
}

/** About the memory that a record takes while it waits, in bytes. */
export function toByteLength({
  path,
  userAgent,
  host,
  redirectsForAiTrainingTarget: target,
}: RequestRecord): number {
  return 400 + 2 * (path.length + userAgent.length + host.length + (target?.length ?? 0));
}

export function toValues(record: RequestRecord): (string | number | null)[] {
  const { id, at, zoneId, host, path, status, userAgent, reason } = record;
  const {
    verifiedBotCategory: category,
    verifiedBotName: name,
    redirectsForAiTrainingTarget: target,
  } = record;
  return [id, at, zoneId, host, path, status, userAgent, category, name, reason, target];
}

export function toRecord(row: RecordRow): RequestRecord {
  return {
    id: row.id,
    at: row.at,
    zoneId: row.zone,
    host: row.host,
    path: row.path,
    status: row.status,
    userAgent: row.user_agent,
    verifiedBotCategory: row.category,
    verifiedBotName: row.name,
    // Written by us alone; a reason of an older Echotop is text like any other.
    reason: row.reason as Reason,
    redirectsForAiTrainingTarget: row.target,
  };
}

function fits(text: string, length: number): boolean {
  return text.length <= length && text.isWellFormed();
}

/** Never halves a character: SQLite keeps UTF-8. */
function cut(text: string, length: number): string {
  return (text.length <= length ? text : text.slice(0, length)).toWellFormed();
}
