// Queries what is already published for an observation window or time, as the basis of a new publication.
import type { ProductId } from "../../../../shared/contract/primitives.ts";
import type { AssetBytes, PublishedLayer, PublishedMessage } from "../../catalog.ts";
import { toPublishedLayer, type LayerRow } from "../../rows/catalog-rows.ts";
import type { Prepare } from "../queries.ts";

export interface Published {
  /** Lists the layers of the newest revision of the window. */
  windowLayers(eventId: string, window: number): readonly PublishedLayer[];
  /** Returns the newest message of a product for exactly this time. */
  message(eventId: string, productId: ProductId, observedAtMs: number): PublishedMessage | undefined;
  /** True if the asset was last completed with these bytes, and a revision of its time shows their message. */
  isRepeated(assetId: number, bytes: AssetBytes): boolean;
  newestWindow(eventId: string): number | undefined;
}

export function createPublished(prepare: Prepare): Published {
  const layers = prepare<LayerRow>(`
    SELECT l.* FROM revision_layers l WHERE l.revision =
      (SELECT id FROM revisions WHERE event_id = ? AND observation_window = ? ORDER BY sequence DESC LIMIT 1)`);
  const message = prepare<{ message_sha256: string; revision_id: string; sequence: number }>(`
    SELECT l.message_sha256, r.revision_id, l.sequence
      FROM revision_layers l JOIN revisions r ON r.id = l.revision
      WHERE l.event_id = ? AND l.product_id = ? AND l.observed_at = ?
      ORDER BY l.sequence DESC LIMIT 1`);
  const repeated = prepare(`
    SELECT 1 FROM assets a JOIN revision_layers l USING (event_id, product_id, observed_at)
      WHERE a.id = ? AND a.sha256 = ? AND l.message_sha256 = ? LIMIT 1`);
  const newestWindow = prepare<{ newest: number | null }>(
    "SELECT max(observation_window) AS newest FROM revisions WHERE event_id = ?",
  );
  return {
    isRepeated: (assetId, { sha256, messageSha256 }) =>
      repeated.first(assetId, sha256, messageSha256) !== undefined,
    newestWindow: (eventId) => newestWindow.first(eventId)?.newest ?? undefined,
    windowLayers: (eventId, window) => layers.all(eventId, window).map(toPublishedLayer),
    message(eventId, productId, observedAtMs) {
      const row = message.first(eventId, productId, observedAtMs);
      if (!row) return undefined;
      return { messageSha256: row.message_sha256, revisionId: row.revision_id, sequence: row.sequence };
    },
  };
}
