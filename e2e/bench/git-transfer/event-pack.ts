// A seeded event pack of 200 MB, exported by the app itself: 700 revisions with a frame of each product.
import { join } from "node:path";
import { createFrameStore } from "../../../electron/catalog/files/file-frame-store.ts";
import { openCatalog } from "../../../electron/catalog/sqlite/open-catalog.ts";
import type { Catalog, PublishedLayer } from "../../../electron/catalog/catalog.ts";
import type { FrameStore } from "../../../electron/catalog/files/frame-store.ts";
import { exportEvent } from "../../../electron/sharing/packs/export-event.ts";
import { productIds, type ProductId } from "../../../shared/contract/primitives.ts";
import { windowMs } from "../../../shared/revisions/observation-window.ts";
import { gitOk } from "../../hosting/git.ts";
import { seededBytes } from "../http/seed.ts";

const eventId = "bench";
export const revisionCount = 700;
/** Length of one frame; two per revision make 200 MB. */
const frameByteLength = 142_860;
const firstMs = Date.UTC(2024, 4, 20);

/**
 * Exports the pack as a bare repository in `directory` and returns its path. The repository is packed once, so a push
 * sends stored bytes and the servers dominate the measurement.
 */
export async function makeEventPack(directory: string): Promise<string> {
  const repository = join(directory, "pack.git");
  const catalog = await openCatalog({ directory: join(directory, "data"), now: () => new Date() });
  const frames = createFrameStore({ directory: join(directory, "data"), cacheByteLimit: 0 });
  try {
    for (let index = 0; index < revisionCount; index += 1) await publish(catalog, frames, index);
    await exportEvent({ catalog, frames, directory: repository, eventId });
  } finally {
    await frames.close();
    await catalog.close();
  }
  // Skips the search for deltas between frames: it takes minutes and finds none.
  await gitOk(["-c", "core.bigFileThreshold=100k", "repack", "-a", "-d", "--quiet"], { cwd: repository });
  return repository;
}

async function publish(catalog: Catalog, frames: FrameStore, index: number): Promise<void> {
  const layers: PublishedLayer[] = [];
  for (const [product, productId] of productIds.entries()) {
    const seed = 1 + index * productIds.length + product;
    layers.push(toLayer(productId, index, await frames.put(seededBytes(frameByteLength, seed))));
  }
  await catalog.publish({ event: { id: eventId, label: "Benchmark" }, layers, assetIds: [] });
}

function toLayer(productId: ProductId, index: number, frameId: string): PublishedLayer {
  return {
    productId,
    observedAt: new Date(firstMs + index * windowMs).toISOString(),
    frameId,
    bounds: [-100, 33, -94, 38],
    messageSha256: frameId,
    sourceUrl: "ni:///sha-256;bench",
    sourceLastModified: undefined,
  };
}
