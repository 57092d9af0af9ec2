// Queries what is already published for an observation window or time.
import type { ProductId } from "../../../../shared/contract/primitives.ts";
import type { AssetBytes, PublishedLayer, PublishedMessage } from "../../catalog.ts";
import { toPublishedLayer, type LayerRow } from "../../rows/catalog-rows.ts";
import { layerColumns } from "../service-columns.ts";
import type { Query } from "./service-transaction.ts";

/** Lists the layers of the newest revision of the window. */
export async function findLayersOfWindow(
  query: Query,
  eventId: string,
  window: number,
): Promise<readonly PublishedLayer[]> {
  const rows = await query<LayerRow>(
    `SELECT ${layerColumns} FROM revision_layers WHERE revision = (SELECT id FROM revisions
      WHERE event_id = $1 AND observation_window = $2 ORDER BY sequence DESC LIMIT 1)`,
    [eventId, window],
  );
  return rows.map(toPublishedLayer);
}

/** Returns the newest message of a product for exactly this time. */
export async function findNewestMessage(
  query: Query,
  eventId: string,
  { productId, observedAtMs }: { readonly productId: ProductId; readonly observedAtMs: number },
): Promise<PublishedMessage | undefined> {
  const [row] = await query<PublishedMessage>(
    `SELECT l.message_sha256 AS "messageSha256", r.revision_id AS "revisionId", l.sequence
      FROM revision_layers l JOIN revisions r ON r.id = l.revision
      WHERE l.event_id = $1 AND l.product_id = $2 AND l.observed_at = $3
      ORDER BY l.sequence DESC LIMIT 1`,
    [eventId, productId, observedAtMs],
  );
  return row;
}

/** True if the asset was last completed with these bytes, and a revision of its time shows their message. */
export async function isRepeatedAsset(
  query: Query,
  assetId: number,
  { sha256, messageSha256 }: AssetBytes,
): Promise<boolean> {
  const rows = await query(
    `SELECT 1 FROM assets a JOIN revision_layers l USING (event_id, product_id, observed_at)
      WHERE a.id = $1 AND a.sha256 = $2 AND l.message_sha256 = $3 LIMIT 1`,
    [assetId, sha256, messageSha256],
  );
  return rows.length > 0;
}

export async function findNewestWindow(query: Query, eventId: string): Promise<number | undefined> {
  const [row] = await query<{ newest: number | null }>(
    "SELECT max(observation_window) AS newest FROM revisions WHERE event_id = $1",
    [eventId],
  );
  return row?.newest ?? undefined;
}
