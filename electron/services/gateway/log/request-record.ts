// One record a request that the gateway has answered. No header, no cookie and no query is in it.
import type { Reason } from "../reason.ts";

export interface RequestRecord {
  /** Stable, so that a receiver can drop repeats. */
  readonly id: string;
  /** Of the request's arrival, in milliseconds since 1970. */
  readonly at: number;
  readonly zoneId: string;
  readonly host: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly userAgent: string;
  /** Null for whoever is not verified. */
  readonly verifiedBotCategory: string | null;
  readonly verifiedBotName: string | null;
  readonly reason: Reason;
  /** The canonical URL that the visitor was sent to; null where it was not. */
  readonly redirectsForAiTrainingTarget: string | null;
}

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

export interface RequestLog {
  /** Never throws and never waits: records are written in batches, and counted as lost where the disk is full. */
  readonly append: (record: RequestRecord) => void;
  /** Sees every record appended before. */
  readonly query: (query: RecordQuery) => Promise<readonly RequestRecord[]>;
  /** Writes what waits, ends the push. Idempotent. */
  readonly close: () => Promise<void>;
}
