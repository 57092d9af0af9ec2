// A place for ingest tests: a data directory with catalog, frames and render pool, and a folder of source files.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { writeGribFile, type GribFileDraft } from "../../../support/grib-files.ts";
import type { ProductId } from "../../../../shared/contract/primitives.ts";
import type { Catalog, EventDraft } from "../../../catalog/catalog.ts";
import { createFrameStore } from "../../../catalog/files/file-frame-store.ts";
import type { FrameStore } from "../../../catalog/files/frame-store.ts";
import { openCatalog } from "../../../catalog/sqlite/open-catalog.ts";
import { ingestPaths, type IngestOptions } from "../ingest-paths.ts";
import type { RenderPool } from "../render-pool.ts";
import type { FileResult } from "../ingest-report.ts";

export const workerUrl = new URL("../render-worker.ts", import.meta.url);

export interface Workshop {
  /** Folder of the files that `write` creates. */
  readonly sources: string;
  readonly data: string;
  readonly catalog: Catalog;
  readonly frames: FrameStore;
  readonly pool: RenderPool;
  /** Writes a small file and returns its path. */
  write(product: ProductId, observedAt: string, draft?: Partial<GribFileDraft>): string;
  ingest(
    paths: readonly string[],
    event?: EventDraft,
    options?: Partial<IngestOptions>,
  ): Promise<FileResult[]>;
}

/** The caller owns the pool: starting one takes longer than most tests. */
export async function createWorkshop(
  pool: RenderPool,
  now: () => Date = () => new Date(),
): Promise<Workshop> {
  const root = await mkdtemp(join(tmpdir(), "echotop-"));
  const sources = join(root, "sources");
  const data = join(root, "data");
  await mkdir(sources);
  const catalog = await openCatalog({ directory: data, now });
  const frames = createFrameStore({ directory: data });
  onTestFinished(async () => {
    await catalog.close();
    await rm(root, { recursive: true, force: true });
  });
  return {
    sources,
    data,
    catalog,
    frames,
    pool,
    write: (product, observedAt, draft = {}) => writeGribFile(sources, { product, observedAt, ...draft }),
    async ingest(paths, event = { id: "storm" }, options = {}) {
      const results: FileResult[] = [];
      await ingestPaths({
        paths,
        event,
        catalog,
        frames,
        pool,
        onFile: (result) => results.push(result),
        ...options,
      });
      return results;
    },
  };
}
