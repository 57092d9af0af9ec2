// Rows of a data directory for the checks that all engines share. Reads row by row, as of one committed state.
import type { EventRow, LayerRow, OverlayRow, RevisionRow, StepsRow } from "../rows/catalog-rows.ts";
import { prepareSummary } from "../sqlite/copying/directory-rows.ts";
import type { Prepare } from "../sqlite/queries.ts";
import type { CheckedEvent } from "./verify-events.ts";
import type { CheckedRevision } from "./verify-revisions.ts";

export function* iterateEvents(prepare: Prepare): Generator<CheckedEvent, void, undefined> {
  const events = prepare<EventRow>("SELECT * FROM events ORDER BY id");
  const summary = prepareSummary(prepare);
  for (const row of events.all()) yield { row, summarize: () => summary(row.id) };
}

/** Lists all revisions in order of event and sequence, also those of a missing event. */
export function* iterateRevisions(prepare: Prepare): Generator<CheckedRevision, void, undefined> {
  const revisions = prepare<RevisionRow>("SELECT * FROM revisions ORDER BY event_id, sequence");
  const layersOf = prepare<LayerRow>("SELECT * FROM revision_layers WHERE revision = ?");
  const adopted = prepare<{ id: string }>(
    "SELECT id FROM events WHERE mirror_of IS NOT NULL OR replay_of_event IS NOT NULL",
  );
  const adoptedIds = new Set(adopted.all().map(({ id }) => id));
  for (const row of revisions.iterate()) {
    const source = adoptedIds.has(row.event_id) ? "adopted" : "own";
    yield { row, source, readLayers: () => layersOf.all(row.id) };
  }
}

export function iterateSteps(prepare: Prepare): Iterable<StepsRow> {
  return prepare<StepsRow>("SELECT * FROM briefing_steps ORDER BY event_id").iterate();
}

export function iterateOverlays(prepare: Prepare): Iterable<OverlayRow> {
  return prepare<OverlayRow>("SELECT * FROM kept_overlays ORDER BY event_id, name").iterate();
}
