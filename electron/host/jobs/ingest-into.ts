// Ingests files into a data directory, with stores and a render pool of its own.
import type { Effects } from "../../platform/effects.ts";
import type { IngestOptions } from "../../pipeline/ingest/ingest-paths.ts";
import { createRenderPool } from "../../pipeline/ingest/render-pool.ts";
import { openOrCreate, useStores } from "./stores.ts";

export interface IngestPlace {
  readonly dataDirectory: string;
  readonly renderWorkerUrl: URL;
}

/** Ingests files; other writers and a running host may use the directory meanwhile. @throws as `ingestPaths` does */
export async function ingestInto(
  { dataDirectory, renderWorkerUrl }: IngestPlace,
  request: Omit<IngestOptions, "catalog" | "frames" | "pool">,
  effects: Effects,
): Promise<void> {
  // The pool comes first: its first worker loads on another core while this thread loads and opens the catalog.
  const pool = createRenderPool({ workerUrl: renderWorkerUrl });
  try {
    const { ingestPaths } = await import("../../pipeline/ingest/ingest-paths.ts");
    await useStores(dataDirectory, openOrCreate(effects), (stores) =>
      ingestPaths({ ...request, ...stores, pool }),
    );
  } finally {
    await pool.close();
  }
}
