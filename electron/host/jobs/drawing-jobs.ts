// Work that draws frames: ingest, fetch and repair.
import type { EventDraft } from "../../catalog/catalog.ts";
import type { Redraw, RepairOptions, RepairReport } from "../../catalog/repair/repair-directory.ts";
import type { Effects } from "../../platform/effects.ts";
import type { FileSourceConfig } from "../../sources/feeds/feed-config.ts";
import type { FetchOptions, FetchReport } from "../../sources/feeds/fetch-event.ts";
import { createRenderPool, type RenderPool } from "../../pipeline/ingest/render-pool.ts";
import type { FileResult } from "../../pipeline/ingest/ingest-report.ts";
import { existing, making, useStores } from "./stores.ts";

export type { FetchReport };

/** Where work that draws frames happens. */
export interface RenderingPlace {
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

/**
 * Ingests files into an event; other writers and a running host may use the directory meanwhile. Throws as `ingestPaths`
 * does.
 */
export async function ingestInto(
  { dataDirectory, renderWorkerUrl }: RenderingPlace,
  request: IngestRequest,
  effects: Effects,
): Promise<void> {
  // The pool comes first: its first worker loads on another core while this one loads and opens the catalog.
  const pool = createRenderPool({ workerUrl: renderWorkerUrl });
  try {
    const { ingestPaths } = await import("../../pipeline/ingest/ingest-paths.ts");
    await useStores(dataDirectory, making(effects), (stores) => ingestPaths({ ...request, ...stores, pool }));
  } finally {
    await pool.close();
  }
}

export interface FetchRequest extends Pick<
  FetchOptions,
  "eventId" | "signal" | "onFile" | "onMissing" | "onProgress"
> {
  readonly source: FileSourceConfig;
}

/**
 * Fills an event's registered window; other writers and a running host may use the directory meanwhile. Throws as
 * `fetchEvent` does, and `not-found` where there is no catalog.
 */
export async function fetchInto(
  { dataDirectory: directory, renderWorkerUrl }: RenderingPlace,
  request: FetchRequest,
  effects: Effects,
): Promise<FetchReport> {
  const { fetchFrom } = await import("../../sources/feeds/fetch-from.ts");
  return useStores(directory, existing(effects), async (stores) => {
    const pool = createRenderPool({ workerUrl: renderWorkerUrl });
    try {
      return await fetchFrom({ ...request, ...stores, directory, pool, effects });
    } finally {
      await pool.close();
    }
  });
}

export type RepairRequest = Pick<RepairOptions, "signal" | "onFinding" | "onProgress">;

/** Repairs a data directory; a running host and other writers may use it meanwhile. Throws as `repairDirectory` does. */
export async function repairData(
  { dataDirectory, renderWorkerUrl }: RenderingPlace,
  request: RepairRequest,
  { now }: Effects,
): Promise<RepairReport> {
  const { repairDirectory } = await import("../../catalog/repair/repair-directory.ts");
  // Most repairs draw nothing.
  let pool: RenderPool | undefined;
  const redraw: Redraw = (path, signal) => {
    pool ??= createRenderPool({ workerUrl: renderWorkerUrl });
    return pool.render(path, { signal });
  };
  try {
    return await repairDirectory(dataDirectory, { ...request, redraw, now });
  } finally {
    await pool?.close();
  }
}
