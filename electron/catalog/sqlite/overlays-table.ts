// Overlays kept with events: small files with their facts.
import type { KeptOverlay } from "../../../shared/contract/overlays.ts";
import type { OverlayDraft } from "../catalog.ts";
import { planOverlay } from "../plans/plan-overlay.ts";
import { toKeptOverlay, toOverlayRow, type OverlayRow } from "../rows/catalog-rows.ts";
import { type Prepare, prepareEvent, prepareNote } from "./queries.ts";

/** Returns a function that lists the overlays of an event by name, without their bytes. */
export function prepareKeptOverlays(prepare: Prepare): (eventId: string) => KeptOverlay[] {
  const byEvent = prepare<Pick<OverlayRow, "document">>(
    "SELECT document FROM kept_overlays WHERE event_id = ? ORDER BY name",
  );
  return (eventId) => byEvent.all(eventId).map(toKeptOverlay);
}

/** Returns a function that inserts or replaces an overlay. Call it inside a write transaction. */
export function prepareOverlayWriter(prepare: Prepare): (row: OverlayRow) => void {
  const upsert = prepare(`
    INSERT INTO kept_overlays (event_id, name, sha256, fetched_at, document, content) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (event_id, name) DO UPDATE SET sha256 = excluded.sha256, fetched_at = excluded.fetched_at,
        document = excluded.document, content = excluded.content`);
  // Otherwise readers would treat the commit as a change by hand, and drop their caches.
  const noteChange = prepareNote(prepare, "asset_version");
  return (row) => {
    upsert.run(row.event_id, row.name, row.sha256, row.fetched_at, row.document, row.content);
    noteChange();
  };
}

/** Returns a function that keeps an overlay. Call it inside a write transaction. */
export function createOverlayWrites(prepare: Prepare): (draft: OverlayDraft) => KeptOverlay {
  const findEvent = prepareEvent(prepare);
  const listKept = prepareKeptOverlays(prepare);
  const write = prepareOverlayWriter(prepare);
  return (draft) => {
    const { eventId, bytes } = draft;
    const present = listKept(eventId);
    const overlay = planOverlay(findEvent(eventId), present, draft);
    if (!present.includes(overlay)) write(toOverlayRow(eventId, overlay, bytes));
    return overlay;
  };
}
