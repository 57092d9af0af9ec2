// Rows of the feeds' log, and their conversion to and from entries.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import type { RevisionChange } from "../../../shared/revisions/publication.ts";
import type { FeedLogEntry, FeedLogKind, FeedLogRecord } from "../catalog.ts";
import { parseInstant, toInstant, toInstantOrUndefined } from "../plans/instants.ts";

/** Columns of the log. */
export interface FeedLogRow {
  readonly id: number;
  readonly at: number;
  readonly source: string;
  readonly event_id: string;
  readonly kind: FeedLogKind;
  readonly product_id: ProductId | null;
  readonly observed_at: number | null;
  readonly locator: string | null;
  readonly byte_length: number | null;
  readonly delay_ms: number | null;
  readonly duration_ms: number | null;
  readonly revision_id: string | null;
  readonly sequence: number | null;
  readonly change: RevisionChange | null;
  readonly message: string | null;
}

/** Returns the values of an entry's columns, except for its id. */
export function toLogValues(entry: FeedLogEntry): (string | number | null)[] {
  return [
    parseInstant(entry.at),
    entry.source,
    entry.eventId,
    entry.kind,
    entry.productId ?? null,
    entry.observedAt === undefined ? null : parseInstant(entry.observedAt),
    entry.locator ?? null,
    toWhole(entry.byteLength),
    toWhole(entry.delayMs),
    toWhole(entry.durationMs),
    entry.revisionId ?? null,
    entry.sequence ?? null,
    entry.change ?? null,
    entry.message ?? null,
  ];
}

/** Rounds: measured times have fractions, columns do not. */
function toWhole(value: number | undefined): number | null {
  return value === undefined ? null : Math.round(value);
}

export function toLogRecord(row: FeedLogRow): FeedLogRecord {
  return Object.freeze({
    id: row.id,
    at: toInstant(row.at),
    source: row.source,
    eventId: row.event_id,
    kind: row.kind,
    productId: row.product_id ?? undefined,
    observedAt: toInstantOrUndefined(row.observed_at),
    locator: row.locator ?? undefined,
    byteLength: row.byte_length ?? undefined,
    delayMs: row.delay_ms ?? undefined,
    durationMs: row.duration_ms ?? undefined,
    revisionId: row.revision_id ?? undefined,
    sequence: row.sequence ?? undefined,
    change: row.change ?? undefined,
    message: row.message ?? undefined,
  });
}
