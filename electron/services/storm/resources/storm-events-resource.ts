// The list of storm events, in the catalog's order: the newest end first.
import { stormEventLimit, StormEvent } from "../../../../shared/contract/storm-event.ts";
import type { EventRecord } from "../../../catalog/catalog.ts";
import type { Log } from "../../../platform/effects.ts";
import type { Handler } from "../request-input.ts";
import { createListing } from "../listing.ts";
import type { RequestCatalog } from "../turn-catalog.ts";

/** Logs and omits a stored event that does not match the contract. */
export function createStormEvents(
  catalog: RequestCatalog,
  now: () => Date,
  log: Log,
): Handler<"listStormEvents"> {
  const isSound = (event: StormEvent): boolean => {
    const problem = StormEvent.safeParse(event).error?.issues[0];
    if (!problem) return true;
    log("error", "A stored event is damaged and is not listed.", {
      eventId: event.id,
      problem: `${problem.path.join(".")}: ${problem.message}`,
    });
    return false;
  };
  const list = createListing(now, (events: readonly EventRecord[]) => ({
    head: { schemaVersion: 1 },
    itemsName: "events",
    itemsJson: JSON.stringify(events.map(toStormEvent).filter(isSound)),
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
