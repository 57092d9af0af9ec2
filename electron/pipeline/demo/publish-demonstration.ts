// Publishes the demonstration event through the ordinary ingest: generated files in a temporary folder, in the order of
// publication, so that the correction comes after newer windows.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import type { Catalog, CatalogReader } from "../../catalog/catalog.ts";
import { resolveIdentity } from "../../catalog/plans/event-rules.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import { ingestPaths } from "../ingest/ingest-paths.ts";
import type { RenderPool } from "../ingest/render-pool.ts";
import {
  demonstrationEvent,
  demonstrationFileCount,
  demonstrationSteps,
  fileCountOf,
} from "./demonstration.ts";
import { createDemonstrationOverlays } from "./demo-overlays.ts";
import { generateAhead } from "./generate-ahead.ts";
import type { GeneratedStep } from "./generate-ahead.ts";

export interface PublishDemonstrationOptions {
  readonly catalog: Catalog;
  readonly frames: FrameStore;
  readonly pool: RenderPool;
  /** `generator-worker.ts` or its bundle; without it, this thread generates. */
  readonly generatorWorkerUrl?: URL | undefined;
  /** Called with the number of published files and of all files. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Returns true if the catalog is empty or its demonstration was interrupted. */
export async function wantsDemonstration(catalog: CatalogReader): Promise<boolean> {
  const event = await catalog.findEvent(demonstrationEvent.id);
  if (event) return event.origin === demonstrationEvent.origin && event.status === "active";
  return (await catalog.listEvents(1)).length === 0;
}

/**
 * Publishes the missing part of the demonstration event. The event is active until its last file is published, then
 * complete.
 * @throws AppError `conflict` if an event with this id has other content or is archived; `storage-failed`; the signal's
 * reason. Published files stay, and the next call continues from there.
 */
export async function publishDemonstration(options: PublishDemonstrationOptions): Promise<void> {
  const { catalog, generatorWorkerUrl: workerUrl, onProgress, signal } = options;
  signal?.throwIfAborted();
  const before = await catalog.findEvent(demonstrationEvent.id);
  resolveIdentity(before, demonstrationEvent);
  if (before?.status === "complete") return;
  const steps = demonstrationSteps.slice(before?.latestSequence ?? 0);
  let done = demonstrationFileCount - steps.reduce((files, step) => files + fileCountOf(step), 0);
  const onFile = (): void => {
    done += 1;
    onProgress?.(done, demonstrationFileCount);
  };
  let hasOverlays = false;
  const folder = await mkdtemp(join(tmpdir(), "echotop-demonstration-"));
  try {
    for await (const batch of toBatches(generateAhead(steps, { workerUrl, signal }))) {
      await publishBatch(batch, folder, { ...options, onFile });
      // With the first picture, as soon as there is an event to keep them with.
      if (!hasOverlays) for (const draft of createDemonstrationOverlays()) await catalog.keepOverlay(draft);
      hasOverlays = true;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await catalog.completeEvent(demonstrationEvent.id);
}

type Batch = readonly GeneratedStep[];

/** Windows per ingest, so that drawing one overlaps with publishing the one before. */
const BATCH_STEPS = 4;
/** The size of the first batch, small so that the first picture comes soon. */
const FIRST_BATCH_STEPS = 1;

/** Yields consecutive windows together and a correction alone, as one ingest publishes in order of observation. */
async function* toBatches(generated: AsyncIterable<GeneratedStep>): AsyncGenerator<Batch, void, undefined> {
  let batch: GeneratedStep[] = [];
  let room = FIRST_BATCH_STEPS;
  for await (const next of generated) {
    if (next.step.kind === "correction" || batch.length === room) {
      if (batch.length > 0) yield batch;
      batch = [];
      room = BATCH_STEPS;
    }
    batch.push(next);
    if (next.step.kind === "correction") {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

async function publishBatch(
  batch: Batch,
  parent: string,
  options: PublishDemonstrationOptions & { readonly onFile: () => void },
): Promise<void> {
  const { catalog, frames, pool, signal, onFile } = options;
  // Another process may publish the same event: its steps must not be published again as corrections.
  const published = (await catalog.findEvent(demonstrationEvent.id))?.latestSequence ?? 0;
  const missing = batch.filter(({ step }) => demonstrationSteps.indexOf(step) >= published);
  const folder = await mkdtemp(join(parent, "files-"));
  for (const { name, bytes } of missing.flatMap(({ files }) => files))
    await writeFile(join(folder, name), bytes);
  const failures: string[] = [];
  await ingestPaths({
    paths: [folder],
    event: demonstrationEvent,
    catalog,
    completesEvent: false,
    frames,
    pool,
    signal,
    onFile: (result) => {
      if (result.status === "failed") failures.push(result.error);
      onFile();
    },
  });
  await rm(folder, { recursive: true, force: true });
  const [failure] = failures;
  if (failure !== undefined) {
    throw new AppError("source-invalid", `The demonstration event could not be published: ${failure}`);
  }
}
