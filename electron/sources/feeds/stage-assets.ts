// Downloads listed files to staging, several at once, and publishes staged files as local files are published.
import { randomUUID } from "node:crypto";
import { copyFile, link, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { CatalogWriter, EventDraft } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import type { SourceStore } from "../../catalog/files/source-store.ts";
import type { Candidate } from "../../pipeline/ingest/candidate.ts";
import { createReporter, type FileResult } from "../../pipeline/ingest/ingest-report.ts";
import { publishInOrder, type PublishedRevision } from "../../pipeline/ingest/publish-in-order.ts";
import type { RenderPool } from "../../pipeline/ingest/render-pool.ts";
import { toGroups } from "../../pipeline/ingest/schedule.ts";
import { peekSource } from "../../pipeline/ingest/source-file.ts";
import { systemCode, toStorageError } from "../../platform/disk/storage-error.ts";
import { mapLimited } from "../../platform/locks/limit.ts";
import type { StagedFile, TrackedAsset } from "./asset-ledger.ts";
import { downloadsAtOnce } from "./feed-limits.ts";
import type { FeedSource, SourceAsset } from "./feed-source.ts";

/** Everything that a file needs to become a revision. */
export interface Workshop {
  readonly source: FeedSource;
  readonly catalog: CatalogWriter;
  readonly frames: FrameStore;
  readonly pool: RenderPool;
  /** Files here are worthless after a crash. */
  readonly stagingFolder: string;
  /** Keeps source files while a revision needs them, so that frames can be drawn again. */
  readonly sources: SourceStore;
}

export interface StageOutcome {
  readonly tracked: TrackedAsset;
  readonly outcome: StagedFile | "not-modified" | { readonly error: unknown };
  /** Duration of the download. */
  readonly durationMs: number;
}

/** Sets `assetId` of the tracked files. The newest is discovered last: the data status shows the last one. */
export async function discoverAssets(
  catalog: CatalogWriter,
  eventId: string,
  tracked: readonly TrackedAsset[],
): Promise<void> {
  const ascending = tracked.toSorted(
    (a, b) => Date.parse(a.asset.observedAt) - Date.parse(b.asset.observedAt),
  );
  const drafts = ascending.map(({ asset }) => ({ ...asset, eventId, sha256: undefined }));
  const ids = await catalog.discoverAssets(drafts);
  for (const [index, each] of ascending.entries()) each.assetId = ids[index];
}

/** Downloads all files; a failure does not stop the others. @throws the signal's reason, after removing staged files */
export async function stageAll(
  tracked: readonly TrackedAsset[],
  workshop: Workshop,
  signal: AbortSignal,
  onStaged: (outcome: StageOutcome) => void | Promise<void>,
): Promise<void> {
  await mapLimited(tracked, downloadsAtOnce, async (each) => {
    const startedMs = performance.now();
    const outcome = await stage(each, workshop, signal);
    await onStaged({ tracked: each, outcome, durationMs: Math.round(performance.now() - startedMs) });
  });
}

async function stage(
  { asset, doneEtag }: TrackedAsset,
  { source, stagingFolder }: Workshop,
  signal: AbortSignal,
): Promise<StageOutcome["outcome"]> {
  const ending = asset.name.endsWith(".gz") ? ".grib2.gz" : ".grib2";
  const path = join(stagingFolder, `${process.pid}-${randomUUID()}${ending}`);
  try {
    const downloaded = await source.download(asset, { file: path, knownEtag: doneEtag, signal });
    if (downloaded === "not-modified") {
      await rm(path, { force: true });
      return downloaded;
    }
    const workBytes = await requireNamed(asset, path);
    // Drawing reads the source's time from the file.
    const modified = new Date(asset.lastModifiedAt ?? asset.observedAt);
    await utimes(path, modified, modified);
    return { path, workBytes, ...downloaded };
  } catch (error) {
    await rm(path, { force: true });
    signal.throwIfAborted();
    return { error: toStorageError(error, "A file could not be downloaded") };
  }
}

/**
 * Checks that the header has the product and window of the name. Returns the bytes of memory that drawing takes.
 * @throws AppError `source-invalid`
 */
async function requireNamed({ productId, observedAt }: SourceAsset, path: string): Promise<number> {
  const { header, product, workBytes } = await peekSource(path);
  if (product?.id !== productId) {
    throw new AppError("source-invalid", "File's product differs from its name.");
  }
  if (observationWindow(header.referenceAt) !== observationWindow(observedAt)) {
    throw new AppError("source-invalid", "File's observation time differs from its name.");
  }
  return workBytes;
}

export interface PublishCallbacks {
  readonly onFile: (tracked: TrackedAsset, result: FileResult) => void;
  readonly onRevision: (published: PublishedRevision) => void;
}

/**
 * Publishes staged files in order of observation, then removes them from staging. A file that cannot be drawn is
 * reported and skipped.
 * @throws as `publishInOrder` does; files not reported until then stay in staging
 */
export async function publishStaged(
  tracked: readonly TrackedAsset[],
  { workshop, event, signal }: { workshop: Workshop; event: EventDraft; signal: AbortSignal },
  { onFile, onRevision }: PublishCallbacks,
): Promise<void> {
  const byLocator = new Map(tracked.map((each) => [each.asset.locator, each]));
  const dropped: StagedFile[] = [];
  const unused: string[] = [];
  const reporter = createReporter(
    (result) => {
      const each = byLocator.get(result.file)!;
      dropped.push(each.staged!);
      if (result.status !== "complete") unused.push(each.staged!.sha256);
      onFile(each, result);
    },
    () => undefined,
  );
  const { source, catalog, frames, pool, sources } = workshop;
  const keepSource = (path: string, sha256: string): Promise<void> => keep(sources, path, sha256);
  try {
    const candidates = tracked.map((each) => toCandidate(each, source));
    const options = { event, catalog, frames, pool, keepSource, reporter, signal, onRevision };
    await publishInOrder(toGroups(candidates), options);
  } finally {
    for (const { path } of dropped) await rm(path, { force: true });
    if (unused.length > 0) await catalog.discardSources(unused);
  }
}

function toCandidate({ asset, assetId, staged }: TrackedAsset, source: FeedSource): Candidate {
  return {
    file: asset.locator,
    path: staged!.path,
    name: asset.name,
    assetId: assetId!,
    productId: asset.productId,
    observedAt: asset.observedAt,
    lastModifiedAt: asset.lastModifiedAt ?? asset.observedAt,
    workBytes: staged!.workBytes,
    sourceUrl: source.toSourceUrl(asset),
  };
}

/** Stores a staged file and leaves it in staging: a failed publication is retried with it. */
async function keep(sources: SourceStore, path: string, sha256: string): Promise<void> {
  if (await sources.has(sha256)) return;
  const second = `${path}.kept`;
  try {
    await linkOrCopy(path, second);
    await sources.put(second);
  } catch (error) {
    await rm(second, { force: true });
    throw error;
  }
}

/** Copies if the file system has no hard links. */
async function linkOrCopy(path: string, second: string): Promise<void> {
  try {
    await link(path, second);
  } catch (error) {
    if (systemCode(error) === undefined || systemCode(error) === "ENOENT") throw error;
    await copyFile(path, second);
  }
}
