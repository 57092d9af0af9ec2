// Fills the database of a service with many revisions, as publishing them one by one would.
import { composeManifest } from "../../../electron/catalog/plans/compose-manifest.ts";
import type { PublishedLayer, PublishDraft } from "../../../electron/catalog/catalog.ts";
import type { Database } from "../../../electron/platform/postgres/database.ts";
import { sha256Of } from "../../../electron/platform/sha256.ts";
import { productIds } from "../../../shared/contract/primitives.ts";
import { windowMs } from "../../../shared/revisions/observation-window.ts";

export const firstMs = Date.UTC(2020, 0, 1);
export const frameId = sha256Of(Buffer.from("one frame for all"));

export function toServiceDraft(eventId: string, window: number): PublishDraft {
  const observedAt = new Date(firstMs + window * windowMs).toISOString();
  const layers = productIds.map((productId): PublishedLayer => ({
    productId,
    observedAt,
    frameId,
    bounds: [-100, 33, -94, 38],
    messageSha256: sha256Of(Buffer.from(`${productId} ${window}`)),
    sourceUrl: "ni:///sha-256;bench",
    sourceLastModified: undefined,
  }));
  return { event: { id: eventId }, layers, assetIds: [] };
}

/** Inserts an event with `count` revisions of two layers. All have the bytes of one real manifest. */
export async function fill(database: Database, eventId: string, count: number): Promise<void> {
  const { layers } = toServiceDraft(eventId, 0);
  const publishedAt = new Date(firstMs).toISOString();
  const { bytes, sha256 } = composeManifest({
    ...{ eventId, origin: "observed", revisionId: "R1", sequence: 1, publishedAt },
    layers,
  });
  const bounds = "-100, 33, -94, 38";
  const window0 = Math.floor(firstMs / windowMs);
  await database.transact("durable", ({ execute }) =>
    execute(`
      INSERT INTO blobs VALUES ('${frameId}', 'frames/${frameId}', 1) ON CONFLICT DO NOTHING;
      INSERT INTO events (id, version, kind, label, origin, status, started_at, ended_at, west, south, east, north,
          current_revision_id, last_sequence, last_published_at, updated_at, pruned_sequence)
        VALUES ('${eventId}', nextval('event_versions'), 'historical-event', '${eventId}', 'observed', 'active',
          ${firstMs}, ${firstMs + count * windowMs}, ${bounds}, 'R${count}', ${count}, ${firstMs}, ${firstMs}, 0);
      INSERT INTO revisions (event_id, sequence, revision_id, observed_at, observation_window, published_at, west,
          south, east, north, manifest, manifest_sha256)
        SELECT '${eventId}', n, 'R' || n, ${firstMs} + n * ${windowMs}, ${window0} + n, ${firstMs}, ${bounds},
          '\\x${Buffer.from(bytes).toString("hex")}', '${sha256}' FROM generate_series(1, ${count}::bigint) AS n;
      INSERT INTO revision_layers (revision, product_id, event_id, sequence, observed_at, frame_id, west, south, east,
          north, message_sha256, source_url)
        SELECT id, product, event_id, sequence, observed_at, '${frameId}', ${bounds}, product || ' ' || sequence,
          'ni:///sha-256;bench'
          FROM revisions, unnest(ARRAY['${productIds.join("', '")}']) AS product WHERE event_id = '${eventId}'`),
  );
  await database.transact("durable", ({ execute }) => execute("ANALYZE"));
}
