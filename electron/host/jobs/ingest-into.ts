// Ingests files, with stores and a render pool of its own.
import type { StoresLocation } from "../../catalog/stores/located-stores.ts";
import type { Effects } from "../../platform/effects.ts";
import type { IngestOptions } from "../../pipeline/ingest/ingest-paths.ts";
import { createRenderPool } from "../../pipeline/ingest/render-pool.ts";
import { openOrCreate, useStores } from "./stores.ts";

export interface IngestPlace {
  readonly location: StoresLocation;
  readonly renderWorkerUrl: URL;
}

export type IngestRequest = Omit<IngestOptions, "catalog" | "frames" | "pool" | "sourcePlace"> & {
  /** False leaves no copies of the files. */
  readonly keepsSources: boolean;
};

/** Ingests files; other writers and a running host may use the stores meanwhile. @throws as `ingestPaths` does */
export async function ingestInto(
  { location, renderWorkerUrl }: IngestPlace,
  { keepsSources, ...request }: IngestRequest,
  effects: Effects,
): Promise<void> {
  // The pool comes first: its first worker loads on another core while this thread loads and opens the catalog.
  const pool = createRenderPool({ workerUrl: renderWorkerUrl });
  try {
    const { ingestPaths } = await import("../../pipeline/ingest/ingest-paths.ts");
    await useStores(location, openOrCreate(effects), ({ catalog, frames, ...place }) =>
      ingestPaths({ ...request, catalog, frames, pool, sourcePlace: keepsSources ? place : undefined }),
    );
  } finally {
    await pool.close();
  }
}
