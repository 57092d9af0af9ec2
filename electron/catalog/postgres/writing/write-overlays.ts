// Writes the overlays that are kept with events.
import type { KeptOverlay } from "../../../../shared/contract/overlays.ts";
import type { OverlayDraft } from "../../catalog.ts";
import { planOverlay } from "../../plans/plan-overlay.ts";
import { toKeptOverlay, toOverlayRow, type OverlayRow } from "../../rows/catalog-rows.ts";
import { documentsOfEvent } from "../reading/stored-overlays.ts";
import { lockEvent, type Query } from "./service-transaction.ts";

/** A write whose answer was lost finds its own overlay, and changes nothing. */
export async function writeKeptOverlay(query: Query, draft: OverlayDraft): Promise<KeptOverlay> {
  const { eventId, bytes } = draft;
  const event = await lockEvent(query, eventId);
  const rows = await query<Pick<OverlayRow, "document">>(documentsOfEvent, [eventId]);
  const present = rows.map(toKeptOverlay);
  const overlay = planOverlay(event, present, draft);
  if (!present.includes(overlay)) await writeOverlayRow(query, toOverlayRow(eventId, overlay, bytes));
  return overlay;
}

/** Inserts or replaces an overlay of an event. */
export async function writeOverlayRow(query: Query, row: OverlayRow): Promise<void> {
  await query(
    `INSERT INTO kept_overlays (event_id, name, sha256, fetched_at, document, content)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (event_id, name) DO UPDATE SET sha256 = excluded.sha256, fetched_at = excluded.fetched_at,
        document = excluded.document, content = excluded.content`,
    [row.event_id, row.name, row.sha256, row.fetched_at, row.document, row.content],
  );
}
