// Work on a data directory that needs no listener: what the commands but `serve` do. The parts that it needs meet here, as
// those of the host do in start.ts, and are loaded when they are needed.
import type { PlatformTokens } from "./api/platform-tokens.ts";
import type { BriefingRequest, BriefingResult, BriefingSources } from "./briefings/briefing.ts";
import type { BackupOptions, BackupReport } from "./catalog/backup.ts";
import type {
  Catalog,
  EventDraft,
  EventRecord,
  EventRegistration,
  FeedLogRecord,
} from "./catalog/catalog.ts";
import type { Redraw, RepairOptions, RepairReport } from "./catalog/repair.ts";
import type { VerifyOptions, VerifyReport } from "./catalog/verify.ts";
import { briefingsIn } from "./data-location.ts";
import type { Effects } from "./effects.ts";
import type { FileSourceConfig } from "./feeds/create-source.ts";
import type { FetchOptions, FetchReport } from "./feeds/fetch-event.ts";
import { createRenderPool, type RenderPool } from "./ingest/render-pool.ts";
import type { FileResult } from "./ingest/report.ts";
import type { ExportOptions, PackOutcome } from "./packs/export-event.ts";
import type { ImportOptions } from "./packs/import-pack.ts";
import type { GetRequest, PushRequest } from "./packs/sharing/carry-pack.ts";
import type { ReplayPlan } from "./replay/plan.ts";
import type { ReplayEnd, ReplayOptions } from "./replay/replay.ts";

export { platformPermissions } from "./api/api-part.ts";
export type { EventRegistration, FeedLogRecord, FetchReport };

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

export type RepairRequest = Pick<RepairOptions, "signal" | "onFinding" | "onProgress">;

/** Repairs a data directory; a running host and other writers may use it meanwhile. Throws as `repairDirectory` does. */
export async function repairData(
  { dataDirectory, renderWorkerUrl }: RenderingPlace,
  request: RepairRequest,
  { now }: Effects,
): Promise<RepairReport> {
  const { repairDirectory } = await import("./catalog/repair.ts");
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

export interface ReplayRequest extends Omit<ReplayOptions, "catalog" | "effects"> {
  /** One call before the first revision. */
  readonly onPlan: (plan: ReplayPlan) => void;
}

/**
 * Replays an event to its end, or until the signal is aborted; a running host may use the directory meanwhile. Throws as
 * `startReplay` and its `done` do, and `not-found` where there is no catalog.
 */
export async function replayEvent(
  dataDirectory: string,
  { onPlan, ...request }: ReplayRequest,
  effects: Effects,
): Promise<ReplayEnd> {
  const { startReplay } = await import("./replay/replay.ts");
  const catalog = await openExistingCatalog(dataDirectory, effects);
  try {
    const replay = await startReplay({ ...request, catalog, effects });
    onPlan(replay.plan);
    return await replay.done;
  } finally {
    await catalog.close();
  }
}

/** Makes a registered event, and the directory where there is none. Throws as the catalog's `registerEvent` does. */
export async function registerIn(
  dataDirectory: string,
  registration: EventRegistration,
  { now }: Effects,
): Promise<EventRecord> {
  const { openCatalog } = await import("./catalog/open-catalog.ts");
  const catalog = await openCatalog({ directory: dataDirectory, now });
  try {
    return await catalog.registerEvent(registration);
  } finally {
    await catalog.close();
  }
}

/** Makes an event read-only. Throws as the catalog's `archiveEvent` does, and `not-found` where there is no catalog. */
export async function archiveIn(dataDirectory: string, eventId: string, effects: Effects): Promise<void> {
  const catalog = await openExistingCatalog(dataDirectory, effects);
  try {
    await catalog.archiveEvent(eventId);
  } finally {
    await catalog.close();
  }
}

/** Copies a data directory that others may write to meanwhile. Throws as `backupDirectory` does. */
export async function backupData(options: BackupOptions): Promise<BackupReport> {
  const { backupDirectory } = await import("./catalog/backup.ts");
  return backupDirectory(options);
}

/** Entries of the log that are in memory at the same time. */
const logPage = 1000;

/** The feeds' log, oldest first, as far as it goes when it is read. Throws `not-found` where there is no catalog. */
export async function* readLog(dataDirectory: string): AsyncGenerator<FeedLogRecord, void, undefined> {
  const { openReadableCatalog } = await import("./catalog/open-catalog.ts");
  const catalog = await openReadableCatalog({ directory: dataDirectory });
  try {
    for (let afterId = 0; ;) {
      const records = await catalog.listFeedLog({ limit: logPage, afterId });
      yield* records;
      const last = records.at(-1);
      if (!last) return;
      afterId = last.id;
    }
  } finally {
    await catalog.close();
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
  { dataDirectory, renderWorkerUrl }: RenderingPlace,
  request: FetchRequest,
  effects: Effects,
): Promise<FetchReport> {
  const { createFrameStore } = await import("./catalog/file-frame-store.ts");
  const { fetchFrom } = await import("./feeds/fetch-from.ts");
  const catalog = await openExistingCatalog(dataDirectory, effects);
  const pool = createRenderPool({ workerUrl: renderWorkerUrl });
  const frames = createFrameStore({ directory: dataDirectory, cacheByteLimit: 0 });
  try {
    return await fetchFrom({ ...request, directory: dataDirectory, catalog, frames, pool, effects });
  } finally {
    await pool.close();
    await frames.close();
    await catalog.close();
  }
}

/** For work on what is there already: throws `not-found` where there is no catalog, and makes none. */
async function openExistingCatalog(directory: string, { now }: Effects): Promise<Catalog> {
  const { openCatalog, openReadableCatalog } = await import("./catalog/open-catalog.ts");
  await (await openReadableCatalog({ directory })).close();
  return openCatalog({ directory, now });
}

export interface TokenPlace {
  readonly dataDirectory: string;
  /** `make` makes the store where there is none; `existing` throws `not-found`. */
  readonly file: "make" | "existing";
}

/** Work on the control plane's tokens; a running host knows of it at once. Throws as `openPlatformTokens` and `use` do. */
export async function usePlatformTokens<Result>(
  { dataDirectory, file }: TokenPlace,
  { now }: Effects,
  use: (tokens: PlatformTokens) => Result,
): Promise<Result> {
  const { openPlatformTokens } = await import("./api/platform-tokens.ts");
  const tokens = await openPlatformTokens({ directory: dataDirectory, file, now });
  try {
    return use(tokens);
  } finally {
    tokens.close();
  }
}

export interface PackExportRequest extends Pick<ExportOptions, "eventId" | "signal" | "onProgress"> {
  /** Of the bare repository; the data directory's own of this event unless given. */
  readonly gitdir?: string | undefined;
}

/**
 * Writes an event as a pack; writers and a running host may use the directory meanwhile. Throws as `exportEvent` does, and
 * `not-found` where there is no catalog.
 */
export async function exportPack(
  dataDirectory: string,
  { gitdir, ...request }: PackExportRequest,
): Promise<PackOutcome> {
  const { openReadableCatalog } = await import("./catalog/open-catalog.ts");
  const { createFrameStore } = await import("./catalog/file-frame-store.ts");
  const { exportEvent } = await import("./packs/export-event.ts");
  const { packDirectoryOf } = await import("./packs/layout.ts");
  const catalog = await openReadableCatalog({ directory: dataDirectory });
  const frames = createFrameStore({ directory: dataDirectory, cacheByteLimit: 0 });
  try {
    const directory = gitdir ?? packDirectoryOf(dataDirectory, request.eventId);
    return await exportEvent({ ...request, catalog, frames, directory });
  } finally {
    await frames.close();
    await catalog.close();
  }
}

export interface PackImportRequest extends Pick<ImportOptions, "signal" | "onProgress"> {
  /** A bare repository, or a folder with one in `.git`. */
  readonly path: string;
}

/** Takes over an event out of a pack, and makes the directory where there is none. Throws as `importPack` does. */
export async function importPackInto(
  dataDirectory: string,
  { path, ...request }: PackImportRequest,
  { now }: Effects,
): Promise<PackOutcome> {
  const { openCatalog } = await import("./catalog/open-catalog.ts");
  const { createFrameStore } = await import("./catalog/file-frame-store.ts");
  const { importPack } = await import("./packs/import-pack.ts");
  const { findRepository } = await import("./packs/objects/repository.ts");
  const gitdir = findRepository(path);
  const catalog = await openCatalog({ directory: dataDirectory, now });
  const frames = createFrameStore({ directory: dataDirectory, cacheByteLimit: 0 });
  try {
    return await importPack({ ...request, catalog, frames, gitdir });
  } finally {
    await frames.close();
    await catalog.close();
  }
}

export interface PackPushRequest extends Pick<
  PushRequest,
  "eventId" | "address" | "token" | "signal" | "onProgress"
> {
  readonly effects: Effects;
}

/**
 * Exports an event and pushes it; writers and a running host may use the directory meanwhile. Throws as `exportAndPush` does,
 * and `not-found` where there is no catalog.
 */
export async function pushPackFrom(directory: string, request: PackPushRequest): Promise<PackOutcome> {
  const { openReadableCatalog } = await import("./catalog/open-catalog.ts");
  const { createFrameStore } = await import("./catalog/file-frame-store.ts");
  const { exportAndPush } = await import("./packs/sharing/carry-pack.ts");
  const catalog = await openReadableCatalog({ directory });
  const frames = createFrameStore({ directory, cacheByteLimit: 0 });
  try {
    return await exportAndPush({ ...request, directory, catalog, frames });
  } finally {
    await frames.close();
    await catalog.close();
  }
}

export interface PackFetchRequest extends Pick<GetRequest, "address" | "token" | "signal" | "onProgress"> {
  readonly effects: Effects;
}

/** Fetches a pack and takes its event over, and makes the directory where there is none. Throws as `fetchAndImport` does. */
export async function fetchPackInto(directory: string, request: PackFetchRequest): Promise<PackOutcome> {
  const { openCatalog } = await import("./catalog/open-catalog.ts");
  const { createFrameStore } = await import("./catalog/file-frame-store.ts");
  const { fetchAndImport } = await import("./packs/sharing/carry-pack.ts");
  const catalog = await openCatalog({ directory, now: request.effects.now });
  const frames = createFrameStore({ directory, cacheByteLimit: 0 });
  try {
    return await fetchAndImport({ ...request, directory, catalog, frames });
  } finally {
    await frames.close();
    await catalog.close();
  }
}

export interface BriefRequest
  extends Omit<BriefingRequest, "directory">, Pick<BriefingSources, "mapFile" | "signal" | "onProgress"> {
  /** Absolute; the data directory's own folder of briefings unless given. */
  readonly directory: string | undefined;
}

/**
 * Publishes a briefing; writers and a running host may use the directory meanwhile. Throws as `publishBriefing` does, and
 * `not-found` where there is no catalog.
 */
export async function publishBriefingFrom(
  dataDirectory: string,
  { mapFile, signal, onProgress, ...request }: BriefRequest,
): Promise<BriefingResult> {
  const { openReadableCatalog } = await import("./catalog/open-catalog.ts");
  const { createFrameStore } = await import("./catalog/file-frame-store.ts");
  const { publishBriefing } = await import("./briefings/publish-briefing.ts");
  const catalog = await openReadableCatalog({ directory: dataDirectory });
  const frames = createFrameStore({ directory: dataDirectory, cacheByteLimit: 0 });
  try {
    return await publishBriefing(
      { ...request, directory: request.directory ?? briefingsIn(dataDirectory) },
      { catalog, frames, mapFile, signal, onProgress },
    );
  } finally {
    await frames.close();
    await catalog.close();
  }
}
