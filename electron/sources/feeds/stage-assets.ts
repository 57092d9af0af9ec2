// From listed files to files in staging, several at once, and from there to revisions by the same publishing that local
// files take.
import { randomUUID } from "node:crypto";
import { rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { CatalogWriter, EventDraft } from "../../catalog/catalog.ts";
import { toStorageError } from "../../platform/disk/storage-error.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import type { Candidate } from "../../pipeline/ingest/candidate.ts";
import { mapLimited } from "../../platform/locks/limit.ts";
import { publishInOrder, type PublishedRevision } from "../../pipeline/ingest/publish-in-order.ts";
import type { RenderPool } from "../../pipeline/ingest/render-pool.ts";
import { createReporter, type FileResult } from "../../pipeline/ingest/ingest-report.ts";
import { toGroups } from "../../pipeline/ingest/schedule.ts";
import { peekSource } from "../../pipeline/ingest/source-file.ts";
import type { StagedFile } from "./asset-ledger.ts";
import type { FeedSource, SourceAsset } from "./feed-source.ts";

/** Everything that files pass through on their way to a revision. */
export interface Workshop {
  readonly source: FeedSource;
  readonly catalog: CatalogWriter;
  readonly frames: FrameStore;
  readonly pool: RenderPool;
  /** Files here are worthless after a crash. */
  readonly stagingFolder: string;
  /** Keeps a source file under its SHA-256 while a revision made of it lives. */
  readonly keepSource: (path: string, sha256: string) => Promise<void>;
}

/** A file on its way. */
export interface Delivery {
  readonly asset: SourceAsset;
  readonly assetId: number;
  readonly knownEtag: string | undefined;
}

export type StagedDelivery = Delivery & { readonly staged: StagedFile };

export interface StageOutcome {
  readonly delivery: Delivery;
  /** The staged file, `not-modified`, or why there is neither. */
  readonly outcome: StagedFile | "not-modified" | { readonly error: unknown };
  /** How long fetching took. */
  readonly durationMs: number;
}

const atOnce = 4;

/** Fetches all of them. One that fails stops no other. @throws the signal's reason; what was staged is removed then */
export async function stageAll(
  deliveries: readonly Delivery[],
  workshop: Workshop,
  signal: AbortSignal,
  onStaged: (outcome: StageOutcome) => void | Promise<void>,
): Promise<void> {
  await mapLimited(deliveries, atOnce, async (delivery) => {
    const startedMs = performance.now();
    const outcome = await stage(delivery, workshop, signal);
    await onStaged({ delivery, outcome, durationMs: Math.round(performance.now() - startedMs) });
  });
}

async function stage(
  { asset, knownEtag }: Delivery,
  { source, stagingFolder }: Workshop,
  signal: AbortSignal,
): Promise<StageOutcome["outcome"]> {
  const ending = asset.name.endsWith(".gz") ? ".grib2.gz" : ".grib2";
  const path = join(stagingFolder, `${process.pid}-${randomUUID()}${ending}`);
  try {
    const downloaded = await source.download(asset, { file: path, knownEtag, signal });
    if (downloaded === "not-modified") {
      await rm(path, { force: true });
      return downloaded;
    }
    await requireNamed(asset, path);
    // What drawing reads as the file's time is the time that the source says.
    const modified = new Date(asset.lastModifiedAt ?? asset.observedAt);
    await utimes(path, modified, modified);
    return { path, ...downloaded };
  } catch (error) {
    await rm(path, { force: true });
    signal.throwIfAborted();
    return { error: toStorageError(error, "A file could not be fetched") };
  }
}

/** A file whose header says another product or window than its name is not the one that was listed. */
async function requireNamed({ productId, observedAt }: SourceAsset, path: string): Promise<void> {
  const { header, product } = await peekSource(path);
  if (product?.id !== productId) {
    throw new AppError("source-invalid", "It holds another product than its name says.");
  }
  if (observationWindow(header.referenceAt) !== observationWindow(observedAt)) {
    throw new AppError("source-invalid", "Its header says another observation time than its name.");
  }
}

export interface PublishCallbacks {
  readonly onFile: (delivery: StagedDelivery, result: FileResult) => void;
  readonly onRevision: (published: PublishedRevision) => void;
}

/**
 * Publishes staged files in order of observation, then removes them from staging. A file that cannot be drawn is reported
 * and stops nothing.
 * @throws as `publishInOrder` does; what was not reported by then stays in staging
 */
export async function publishStaged(
  deliveries: readonly StagedDelivery[],
  { workshop, event, signal }: { workshop: Workshop; event: EventDraft; signal: AbortSignal },
  { onFile, onRevision }: PublishCallbacks,
): Promise<void> {
  const byCandidate = new Map<string, StagedDelivery>();
  const candidates = deliveries.map((delivery) => {
    byCandidate.set(delivery.asset.locator, delivery);
    return toCandidate(delivery, workshop.source);
  });
  const dropped: StagedDelivery[] = [];
  const unused: string[] = [];
  const reporter = createReporter(
    (result) => {
      const delivery = byCandidate.get(result.file)!;
      dropped.push(delivery);
      if (result.status !== "complete") unused.push(delivery.staged.sha256);
      onFile(delivery, result);
    },
    () => undefined,
  );
  try {
    const { catalog, frames, pool, keepSource } = workshop;
    const options = { event, catalog, frames, pool, keepSource, reporter, signal, onRevision };
    await publishInOrder(toGroups(candidates), options);
  } finally {
    for (const { staged } of dropped) await rm(staged.path, { force: true });
    if (unused.length > 0) await workshop.catalog.discardSources(unused);
  }
}

function toCandidate({ asset, assetId, staged }: StagedDelivery, source: FeedSource): Candidate {
  return {
    file: asset.locator,
    path: staged.path,
    name: asset.name,
    assetId,
    productId: asset.productId,
    observedAt: asset.observedAt,
    lastModifiedAt: asset.lastModifiedAt ?? asset.observedAt,
    sourceUrl: source.toSourceUrl(asset),
  };
}
