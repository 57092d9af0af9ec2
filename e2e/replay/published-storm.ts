// A storm of small MRMS files, published through the real ingest at times set by this module's clock.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EventDraft } from "../../electron/catalog/catalog.ts";
import { createFrameStore } from "../../electron/catalog/files/file-frame-store.ts";
import { openCatalog } from "../../electron/catalog/sqlite/open-catalog.ts";
import { programFiles } from "../../electron/host/config/program-files.ts";
import { ingestPaths } from "../../electron/pipeline/ingest/ingest-paths.ts";
import { createRenderPool } from "../../electron/pipeline/ingest/render-pool.ts";
import { writeGribFile } from "../../electron/support/grib-files.ts";

interface Publication {
  /** Seconds after the previous one. */
  readonly afterSeconds: number;
  readonly window: number;
  readonly products: readonly ("mrms-mesh" | "mrms-reflectivity")[];
  /** Changes the picture of the window. */
  readonly shade: number;
}

const both = ["mrms-mesh", "mrms-reflectivity"] as const;

/** A completion, a late correction, its original again, a backfill; gaps from none to long. */
export const publications: readonly Publication[] = [
  { afterSeconds: 0, window: 0, products: both, shade: 0 },
  { afterSeconds: 1, window: 1, products: ["mrms-mesh"], shade: 0 },
  { afterSeconds: 0, window: 1, products: ["mrms-reflectivity"], shade: 0 },
  { afterSeconds: 14, window: 4, products: both, shade: 0 },
  { afterSeconds: 1, window: 0, products: ["mrms-mesh"], shade: 3 },
  { afterSeconds: 7, window: 0, products: ["mrms-mesh"], shade: 0 },
  { afterSeconds: 1, window: 2, products: both, shade: 0 },
];

const firstPublishedMs = Date.UTC(2024, 4, 1, 20, 3);

/** Publishes the storm as a complete event. */
export async function publishStorm(dataDirectory: string, event: EventDraft): Promise<void> {
  let nowMs = firstPublishedMs;
  const catalog = await openCatalog({ directory: dataDirectory, now: () => new Date(nowMs) });
  const frames = createFrameStore({ directory: dataDirectory });
  const pool = createRenderPool({ workerUrl: programFiles.renderWorkerUrl, size: 1 });
  try {
    for (const [index, publication] of publications.entries()) {
      nowMs += publication.afterSeconds * 1000;
      const folder = join(dataDirectory, "..", `files-${index}`);
      mkdirSync(folder);
      writeFiles(folder, publication);
      await ingestPaths({
        paths: [folder],
        event,
        catalog,
        frames,
        pool,
        onFile: (result) => {
          if (result.status !== "complete") throw new Error(JSON.stringify(result));
        },
      });
    }
  } finally {
    await pool.close();
    await frames.close();
    await catalog.close();
  }
}

function writeFiles(folder: string, { window, products, shade }: Publication): void {
  for (const product of products) {
    const second = product === "mrms-mesh" ? 39 : 40;
    writeGribFile(folder, {
      product,
      observedAt: new Date(Date.UTC(2024, 4, 1, 20, 2 * window, second)).toISOString(),
      values: (row, column) => ((row * 7 + column + window + shade) % 12) * 5,
    });
  }
}
