// Publishes the demonstration event through the ingest that real files go through: generated files in a temporary folder, in
// the order of publication, so that the correction comes after newer windows.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import type { Catalog, CatalogReader } from "../../catalog/catalog.ts";
import { resolveIdentity } from "../../catalog/event-rules.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import { ingestPaths } from "../ingest/ingest-paths.ts";
import type { RenderPool } from "../ingest/render-pool.ts";
import {
  demonstrationEvent,
  demonstrationFileCount,
  demonstrationSteps,
  fileCountOf,
} from "./demonstration.ts";
import { generateAhead } from "./generate-ahead.ts";
import type { GeneratedStep } from "./generate-ahead.ts";

export interface PublishDemonstrationOptions {
  readonly catalog: Catalog;
  readonly frames: FrameStore;
  readonly pool: RenderPool;
  /** `generator-worker.ts`, or what it was bundled into; this thread generates where it is not given. */
  readonly generatorWorkerUrl?: URL | undefined;
  /** Files published so far, of all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Whether a first start has something to publish: nothing is there yet, or a demonstration that was interrupted. */
export async function wantsDemonstration(catalog: CatalogReader): Promise<boolean> {
  const event = await catalog.findEvent(demonstrationEvent.id);
  if (event) return event.origin === demonstrationEvent.origin && event.status === "active";
  return (await catalog.listEvents(1)).length === 0;
}

/**
 * Publishes what is missing of the demonstration event: all of it, the rest after an interruption, or nothing. The event is
 * active until its last file is published, then complete.
 * @throws AppError `conflict` when an event of that name holds other pictures or is archived; `storage-failed`; the
 * signal's reason. What was published by then stays, and the next call goes on from there.
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
  const folder = await mkdtemp(join(tmpdir(), "echotop-demonstration-"));
  try {
    for await (const batch of toBatches(generateAhead(steps, { workerUrl, signal }))) {
      await publishBatch(batch, folder, { ...options, onFile });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await catalog.completeEvent(demonstrationEvent.id);
}

type Batch = readonly GeneratedStep[];

/** Windows that are ingested at one go, so that drawing the next one overlaps with publishing the one before. */
const BATCH_STEPS = 4;
/** The first picture is not kept waiting. */
const FIRST_BATCH_STEPS = 1;

/** Consecutive windows together, a correction by itself: one ingest publishes in order of observation. */
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
  // Another process may be publishing the same: a step that it has published must not look like a correction of a later one.
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
