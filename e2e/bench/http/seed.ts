// A seeded data directory for the HTTP benchmarks, published through the catalog: a hundred events, one of them with
// revisions of both products, and a frame of 1 MiB.
import { createFrameStore } from "../../../electron/catalog/files/file-frame-store.ts";
import { openCatalog } from "../../../electron/catalog/sqlite/open-catalog.ts";
import type { PublishedLayer } from "../../../electron/catalog/catalog.ts";
import { productIds, type ProductId } from "../../../shared/contract/primitives.ts";
import { windowMs } from "../../../shared/revisions/observation-window.ts";

export const benchEventId = "bench";
export const frameByteLength = 1024 * 1024;
const eventCount = 100;
const revisionCount = 60;

export interface SeededDirectory {
  readonly frameId: string;
}

export async function seedDirectory(directory: string): Promise<SeededDirectory> {
  const catalog = await openCatalog({ directory, now: () => new Date() });
  const frames = createFrameStore({ directory });
  try {
    const frameId = await frames.put(seededBytes(frameByteLength));
    for (let revision = 0; revision < revisionCount; revision += 1) {
      const layers = productIds.map((productId) => toLayer(productId, revision, frameId));
      await catalog.publish({ event: { id: benchEventId, label: "Benchmark" }, layers, assetIds: [] });
    }
    for (let event = 1; event < eventCount; event += 1) {
      const layers = [toLayer("mrms-mesh", event, frameId)];
      await catalog.publish({
        event: { id: `event-${event}`, label: `Event ${event}` },
        layers,
        assetIds: [],
      });
    }
    return { frameId };
  } finally {
    await frames.close();
    await catalog.close();
  }
}

function toLayer(productId: ProductId, window: number, frameId: string): PublishedLayer {
  const observedAt = new Date(Date.UTC(2024, 4, 20) + window * windowMs).toISOString();
  return {
    productId,
    observedAt,
    frameId,
    bounds: [-100, 33, -94, 38],
    messageSha256: `${productId} ${window}`,
    sourceUrl: "ni:///sha-256;bench",
    sourceLastModified: undefined,
  };
}

/** Returns a PNG signature and incompressible bytes (xorshift32); `byteLength` is a multiple of 4, `seed` is not 0. */
export function seededBytes(byteLength: number, seed = 0x9e3779b9): Uint8Array {
  const words = new Uint32Array(byteLength / 4);
  let state = seed;
  for (let index = 0; index < words.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  const bytes = new Uint8Array(words.buffer);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return bytes;
}
