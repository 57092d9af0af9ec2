// Values of events and assets in the order of their columns, which both engines share.
import type { AssetDraft } from "../catalog.ts";
import type { EventState } from "../plans/event-state.ts";
import { parseInstant } from "../plans/instants.ts";
import type { AssetRow } from "./catalog-rows.ts";
import type { FeedLogRow } from "./log-rows.ts";

type Value = string | number | null;

/** Returns the values of an event's row, from `id` to `pruned_sequence`. */
export function toEventValues(event: EventState): Value[] {
  return [
    ...[event.id, event.kind, event.label, event.origin, event.status, event.startedAtMs, event.endedAtMs],
    ...(event.bounds ?? [null, null, null, null]),
    ...[event.currentRevisionId, event.lastSequence, event.lastPublishedAtMs, event.updatedAtMs],
    event.registeredWindow?.startedAtMs ?? null,
    event.registeredWindow?.endedAtMs ?? null,
    event.mirrorOf,
    event.replayOf?.eventId ?? null,
    event.replayOf?.sequence ?? null,
    event.prunedSequence,
  ];
}

/** Returns the values of an asset's facts, from `product_id` to `etag`; absent ones are null. */
export function toAssetValues(facts: Partial<AssetDraft>): Value[] {
  return [
    facts.productId ?? null,
    facts.observedAt === undefined ? null : parseInstant(facts.observedAt),
    facts.byteLength ?? null,
    facts.sha256 ?? null,
    facts.lastModifiedAt === undefined ? null : parseInstant(facts.lastModifiedAt),
    facts.etag ?? null,
  ];
}

/** Returns the values of an asset's row, from `event_id` to `etag`, then from `status` to `error_message`. */
export function toAssetRowValues(row: AssetRow): Value[] {
  return [
    ...[row.event_id, row.locator, row.product_id, row.observed_at, row.byte_length, row.sha256],
    ...[row.last_modified_at, row.etag, row.status, row.completed_at, row.error_message],
  ];
}

/** Returns the values of a log entry's row, from `at` to `message`. */
export function toLogRowValues(row: FeedLogRow): Value[] {
  return [
    ...[
      row.at,
      row.source,
      row.event_id,
      row.kind,
      row.product_id,
      row.observed_at,
      row.locator,
      row.byte_length,
    ],
    ...[row.delay_ms, row.duration_ms, row.revision_id, row.sequence, row.change, row.message],
  ];
}
