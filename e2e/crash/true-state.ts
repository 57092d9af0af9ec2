// Compares the final state of a viewer with the catalog and the frames.
import { createHash } from "node:crypto";
import { MrmsManifest, type MrmsLayer } from "../../shared/contract/manifest.ts";
import { historyLimit } from "../../shared/contract/index.ts";
import { openReadableCatalog } from "../../electron/catalog/sqlite/open-catalog.ts";
import type { WatchingViewer } from "./watching-viewer.ts";

export interface Comparison {
  readonly viewer: WatchingViewer;
  readonly eventId: string;
  readonly data: string;
  readonly origin: string;
}

const patienceMs = 60_000;

/**
 * Waits until the viewer matches the catalog, then checks every picture. Returns the differences; empty if there are
 * none.
 */
export async function findDifferences({ viewer, eventId, data, origin }: Comparison): Promise<string[]> {
  const truth = await readTruth(data, eventId);
  const shown = (): string =>
    JSON.stringify({
      latest: viewer.latestSequence(),
      revisions: viewer.revisions().map(({ sequence, revisionId, layers }) => ({
        sequence,
        revisionId,
        layers: layers.map(toPublished),
      })),
    });
  const startedMs = performance.now();
  while (shown() !== truth.text) {
    if (performance.now() - startedMs > patienceMs) return [`it shows ${shown()} instead of ${truth.text}`];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const differences = [...viewer.contradictions];
  for (const url of truth.imageUrls) {
    const response = await fetch(`${origin}${url}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (response.status !== 200 || !url.endsWith(`/${hash}.png`)) {
      differences.push(`${url} responds with status ${response.status}`);
    }
  }
  return differences;
}

/** Removes what the viewer adds to the address of a picture. */
function toPublished(layer: MrmsLayer): MrmsLayer {
  return { ...layer, imageUrl: layer.imageUrl.replace(/#.*/, "") };
}

async function readTruth(
  data: string,
  eventId: string,
): Promise<{ text: string; imageUrls: ReadonlySet<string> }> {
  const catalog = await openReadableCatalog({ directory: data });
  try {
    const revisions = (await catalog.listRevisions(eventId, historyLimit.max)).map((revision) => {
      const json: unknown = JSON.parse(Buffer.from(revision.manifest).toString("utf8"));
      const { sequence, revisionId } = revision;
      return { sequence, revisionId, layers: MrmsManifest.parse(json).layers };
    });
    const latest = (await catalog.findEvent(eventId))?.latestSequence;
    const imageUrls = new Set(revisions.flatMap(({ layers }) => layers.map(({ imageUrl }) => imageUrl)));
    return { text: JSON.stringify({ latest, revisions }), imageUrls };
  } finally {
    await catalog.close();
  }
}
