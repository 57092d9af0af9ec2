// Draws files ahead in the render pool and publishes them strictly in order of observation.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import { isAppError } from "../../../shared/app-error.ts";
import type { RevisionChange } from "../../../shared/revisions/publication.ts";
import type { CatalogWriter, EventDraft, PublishedLayer, RevisionRecord } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import { publishAgainWhileFramesVanish } from "../../catalog/stores/frame-vanished.ts";
import type { Candidate } from "./candidate.ts";
import { finish } from "./finish.ts";
import { mapLimited } from "../../platform/locks/limit.ts";
import type { RenderPool } from "./render-pool.ts";
import type { RenderedSource } from "./render-task.ts";
import type { Reporter } from "./ingest-report.ts";
import type { Group } from "./schedule.ts";
import { toFailureLine } from "./source-error.ts";
import { toNameUri } from "./source-file.ts";

export interface PublishOptions {
  readonly event: EventDraft;
  readonly catalog: CatalogWriter;
  readonly frames: FrameStore;
  readonly pool: RenderPool;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** Keeps the source file of a coming revision under its SHA-256. */
  readonly keepSource?: ((path: string, sha256: string) => Promise<void>) | undefined;
  readonly onRevision?: ((published: PublishedRevision) => void) | undefined;
}

/** A revision and the files it was made of, without those that changed nothing. */
export interface PublishedRevision {
  readonly revision: RevisionRecord;
  readonly change: RevisionChange;
  readonly candidates: readonly Candidate[];
}

interface Drawn {
  readonly candidate: Candidate;
  readonly rendered: RenderedSource;
}

type Outcome = Drawn | { readonly candidate: Candidate; readonly error: unknown };

/**
 * Publishes all groups. A file that cannot be drawn is recorded, reported and skipped.
 * @throws AppError `storage-failed` or `conflict` if publishing fails; the signal's reason. Files that were not
 * published by then go back to `discovered`.
 */
export async function publishInOrder(groups: readonly Group[], options: PublishOptions): Promise<void> {
  const { pool, catalog, signal } = options;
  const ahead = new AbortController();
  const drawing = drawAhead(groups.flat(), {
    catalog,
    pool,
    limit: 2 * pool.size + 2,
    signal: AbortSignal.any([signal, ahead.signal]),
  });
  await finish(
    async () => {
      for (const group of groups) {
        const outcomes: Outcome[] = [];
        for (const candidate of group) outcomes.push(await drawing.wait(candidate));
        for (const outcome of outcomes) {
          if ("error" in outcome) await fail(outcome.candidate, outcome.error, options);
        }
        for (const revision of toRevisions(outcomes)) await publish(revision, options);
        drawing.release(group);
      }
    },
    async () => {
      ahead.abort();
      for (const { assetId } of await drawing.end())
        await catalog.updateAsset(assetId, { status: "discovered" });
    },
  );
}

interface Drawing {
  /** Waits until a file is drawn. Callers wait for files in order. @throws the signal's reason */
  wait(candidate: Candidate): Promise<Outcome>;
  /** Releases finished files, to make room for the next ones. */
  release(candidates: readonly Candidate[]): void;
  /** Waits for the files in progress; returns all that were started and not released. */
  end(): Promise<Candidate[]>;
}

/** Keeps at most `limit` files drawn or in progress: their pictures are the memory that an ingest holds. */
function drawAhead(
  candidates: readonly Candidate[],
  options: Pick<PublishOptions, "catalog" | "pool" | "signal"> & { readonly limit: number },
): Drawing {
  const begun = new Map<Candidate, Promise<Outcome>>();
  let next = 0;
  const fill = (): void => {
    while (begun.size < options.limit && next < candidates.length) {
      const candidate = candidates[next]!;
      next += 1;
      begun.set(candidate, draw(candidate, options));
    }
  };
  return {
    async wait(candidate) {
      options.signal.throwIfAborted();
      fill();
      const outcome = await begun.get(candidate)!;
      options.signal.throwIfAborted();
      return outcome;
    },
    release(done) {
      for (const candidate of done) begun.delete(candidate);
    },
    async end() {
      await Promise.all(begun.values());
      return [...begun.keys()];
    },
  };
}

async function draw(
  candidate: Candidate,
  { catalog, pool, signal }: Pick<PublishOptions, "catalog" | "pool" | "signal">,
): Promise<Outcome> {
  // Caught here and returned with the outcome, so that a failure is never unhandled.
  let marking: Promise<{ error: unknown } | undefined> = Promise.resolve(undefined);
  const mark = (): void => {
    marking = catalog.updateAsset(candidate.assetId, { status: "processing" }).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
  };
  try {
    await catalog.updateAsset(candidate.assetId, { status: "queued" });
    const rendered = await pool.render(candidate.path, {
      workBytes: candidate.workBytes,
      signal,
      onStart: mark,
    });
    const failure = await marking;
    return failure === undefined ? { candidate, rendered } : { candidate, ...failure };
  } catch (error) {
    await marking;
    return { candidate, error };
  }
}

/**
 * Groups drawn files into revisions, usually one. A file that was replaced after its header was read may now have
 * another window or product than its group; it becomes a revision of its own.
 */
function toRevisions(outcomes: readonly Outcome[]): Drawn[][] {
  const revisions: Drawn[][] = [];
  for (const outcome of outcomes) {
    if ("error" in outcome) continue;
    const { productId, observedAt } = outcome.rendered;
    const fitting = revisions.find((drawn) =>
      drawn.every(
        ({ rendered }) =>
          rendered.productId !== productId &&
          observationWindow(rendered.observedAt) === observationWindow(observedAt),
      ),
    );
    if (fitting) fitting.push(outcome);
    else revisions.push([outcome]);
  }
  return revisions;
}

async function publish(drawn: readonly Drawn[], options: PublishOptions): Promise<void> {
  const { catalog, event, reporter } = options;
  const assetIds = drawn.map(({ candidate }) => candidate.assetId);
  try {
    const { revision, unchanged, change } = await publishAgainWhileFramesVanish(async () => {
      const layers = await mapLimited(drawn, drawn.length, (each) => storeFrame(each, options));
      return catalog.publish({ event, layers, assetIds });
    });
    for (const { candidate, rendered } of drawn) {
      const { productId: product, observedAt } = rendered;
      if (!revision || unchanged.includes(product)) {
        reporter.report({ file: candidate.file, product, observedAt, status: "unchanged" });
      } else {
        const { revisionId, sequence } = revision;
        reporter.report({
          file: candidate.file,
          product,
          observedAt,
          status: "complete",
          revisionId,
          sequence,
        });
      }
    }
    if (!revision || !change) return;
    const candidates = drawn
      .filter(({ rendered }) => !unchanged.includes(rendered.productId))
      .map(({ candidate }) => candidate);
    options.onRevision?.({ revision, change, candidates });
  } catch (error) {
    for (const { candidate, rendered } of drawn) await fail({ ...candidate, ...rendered }, error, options);
  }
}

/** Stores the picture, keeps the source file, and updates the asset's row from its bytes, all before publishing. */
async function storeFrame(
  { candidate, rendered }: Drawn,
  { catalog, frames, keepSource }: PublishOptions,
): Promise<PublishedLayer> {
  const { productId, observedAt, byteLength, sha256, lastModifiedAt, bounds, messageSha256 } = rendered;
  const frameId = await frames.put(rendered.png);
  await keepSource?.(candidate.path, sha256);
  await catalog.updateAsset(candidate.assetId, {
    status: "processing",
    productId,
    observedAt,
    byteLength,
    lastModifiedAt,
  });
  return {
    productId,
    observedAt,
    frameId,
    bounds,
    messageSha256,
    sourceUrl: candidate.sourceUrl ?? toNameUri(sha256),
    sourceLastModified: lastModifiedAt,
    sourceSha256: sha256,
  };
}

/** Records and reports a file's own failure; throws any other error. */
async function fail(
  { assetId, file, name, productId, observedAt }: Candidate & { readonly productId: ProductId },
  error: unknown,
  { catalog, reporter }: PublishOptions,
): Promise<void> {
  if (!isAppError(error, "source-invalid")) throw error;
  const line = toFailureLine(name, error);
  await catalog.updateAsset(assetId, { status: "failed", errorMessage: line });
  reporter.report({ file, product: productId, observedAt, status: "failed", error: line });
}
