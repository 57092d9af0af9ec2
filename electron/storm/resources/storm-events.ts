// The list of storm events: feed and benchmark identities, the newest end first, as the catalog orders them.
import { stormEventLimit, type StormEvent } from "../../../shared/contract/storm-event.ts";
import type { EventRecord } from "../../catalog/catalog.ts";
import type { Handler } from "../handlers.ts";
import { createListing } from "../listing.ts";
import type { RequestCatalog } from "../turn-catalog.ts";

export function createStormEvents(catalog: RequestCatalog, now: () => Date): Handler<"listStormEvents"> {
  const list = createListing(now, (events: readonly EventRecord[]) => ({
    head: { schemaVersion: 1 },
    itemsName: "events",
    itemsJson: JSON.stringify(events.map(toStormEvent)),
  }));
  return async () => list(await catalog.listEvents(stormEventLimit));
}

function toStormEvent(record: EventRecord): StormEvent {
  return {
    id: record.id,
    kind: record.kind,
    label: record.label,
    status: record.status,
    retentionClass: record.retentionClass,
    startedAt: record.startedAt,
    endedAt: record.endedAt,
    bounds: record.bounds,
    currentRevisionId: record.currentRevisionId,
    updatedAt: record.updatedAt,
  };
}
