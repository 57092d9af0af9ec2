// Work on a data directory that needs no listener: ingest and verify. The parts that it needs meet here, as those of the
// host do in start.ts.
import type { EventDraft } from "./catalog/catalog.ts";
import type { VerifyOptions, VerifyReport } from "./catalog/verify.ts";
import type { Effects } from "./effects.ts";
import { createRenderPool } from "./ingest/render-pool.ts";
import type { FileResult } from "./ingest/report.ts";

export interface IngestPlace {
  readonly dataDirectory: string;
  /** The render worker's module, which has another name once bundled. */
  readonly renderWorkerUrl: URL;
}

export interface IngestRequest {
  readonly paths: readonly string[];
  readonly event: EventDraft;
  readonly signal: AbortSignal;
  readonly onFile: (result: FileResult) => void;
  readonly onProgress: (done: number, total: number) => void;
}

/** Ingests files into an event; other writers and a running host may use the directory meanwhile. Throws as `ingestPaths` does. */
export async function ingestInto(
  { dataDirectory, renderWorkerUrl }: IngestPlace,
  request: IngestRequest,
  { now }: Effects,
): Promise<void> {
  // The pool comes first: its first worker loads on another core while this one loads and opens the catalog.
  const pool = createRenderPool({ workerUrl: renderWorkerUrl });
  try {
    const { openCatalog } = await import("./catalog/open-catalog.ts");
    const { createFrameStore } = await import("./catalog/file-frame-store.ts");
    const { ingestPaths } = await import("./ingest/ingest-paths.ts");
    const catalog = await openCatalog({ directory: dataDirectory, now });
    const frames = createFrameStore({ directory: dataDirectory, cacheByteLimit: 0 });
    try {
      await ingestPaths({ ...request, catalog, frames, pool });
    } finally {
      await frames.close();
      await catalog.close();
    }
  } finally {
    await pool.close();
  }
}

/** Checks a data directory without changing it. Damage is a finding, not an error. */
export async function verifyData(dataDirectory: string, options: VerifyOptions): Promise<VerifyReport> {
  const { verifyDirectory } = await import("./catalog/verify.ts");
  return verifyDirectory(dataDirectory, options);
}
