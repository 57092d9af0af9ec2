// Downloads and draws the files of a claimed window, as a fetch does. What a fetch would write into the catalog is
// collected instead, for the process that publishes the windows in order.
import { rm } from "node:fs/promises";
import { messageOf } from "../../../shared/app-error.ts";
import type { AssetChange, CatalogWriter, PublishDraft } from "../../catalog/catalog.ts";
import type { DrawnWindow, QueuedFile, WindowClaim } from "../../catalog/stores/backfill-queue.ts";
import { toFailureLine } from "../../pipeline/ingest/source-error.ts";
import type { Effects } from "../../platform/effects.ts";
import type { TrackedAsset } from "../feeds/asset-ledger.ts";
import { FeedJournal } from "../feeds/feed-journal.ts";
import { fetchRetryTiming, maxFetchAttempts } from "../feeds/feed-limits.ts";
import { toFetchName } from "../feeds/fetch-event.ts";
import { askedWaitMs, retryDelay } from "../feeds/link-error.ts";
import { publishStaged, stageAll, type Workshop } from "../feeds/stage-assets.ts";

export interface DrawOptions {
  readonly workshop: Workshop;
  readonly effects: Pick<Effects, "now" | "random">;
  readonly signal: AbortSignal;
}

/** Claims of a window whose workers ended before it counts as what ends them. */
export const mostLosses = 10;

/** The window's result, or the pause until its files are tried again. */
export type DrawOutcome = { readonly drawn: DrawnWindow } | { readonly retryInMs: number };

interface FailedFile {
  readonly file: TrackedAsset;
  readonly error: unknown;
}

/**
 * A download that fails makes the whole window wait, so that its products are published together; after the last
 * attempt the window goes without that file. @throws AppError of the stores; the signal's reason
 */
export async function drawWindow(claim: WindowClaim, options: DrawOptions): Promise<DrawOutcome> {
  const { workshop, effects, signal } = options;
  const files = claim.files.map((file) => toTracked(claim, file));
  const result = new CollectedResult(claim, options);
  if (claim.losses >= mostLosses) {
    const error = new Error(`Workers ended ${claim.losses} times while they had it.`);
    for (const file of files) result.fail(file, error);
    return { drawn: result.toDrawn() };
  }
  const failed: FailedFile[] = [];
  try {
    await stageAll(files, workshop, signal, ({ tracked, outcome, durationMs }) => {
      if (outcome === "not-modified") result.settle(tracked);
      else if ("error" in outcome) failed.push({ file: tracked, error: outcome.error });
      else {
        tracked.staged = outcome;
        result.receive(tracked, outcome.byteLength, durationMs);
      }
    });
    const attempt = claim.failures + 1;
    if (failed.length > 0 && attempt < maxFetchAttempts) {
      const askedMs = Math.max(0, ...failed.map(({ error }) => askedWaitMs(error) ?? 0));
      return { retryInMs: retryDelay(attempt, fetchRetryTiming, effects.random, askedMs) };
    }
    for (const { file, error } of failed) result.fail(file, error);
    await result.draw(files.filter(({ staged }) => staged !== undefined));
    return { drawn: result.toDrawn() };
  } finally {
    for (const { staged } of files) if (staged) await rm(staged.path, { force: true });
  }
}

function toTracked({ window }: WindowClaim, { asset, assetId, doneEtag }: QueuedFile): TrackedAsset {
  return {
    ...{ asset, window, state: "listed", assetId, staged: undefined, doneEtag },
    ...{ attempts: 0, retryAtMs: 0, knownSinceMs: 0, reported: new Set() },
  };
}

class CollectedResult {
  readonly #options: DrawOptions;
  readonly #eventId: string;
  readonly #journal: FeedJournal;
  readonly #drafts: PublishDraft[] = [];
  readonly #changes = new Map<number, AssetChange>();
  #hasFailed = false;

  constructor({ eventId }: WindowClaim, options: DrawOptions) {
    this.#options = options;
    this.#eventId = eventId;
    const { workshop, effects } = options;
    this.#journal = new FeedJournal({ source: toFetchName(workshop.source), eventId, now: effects.now });
  }

  /** Notes a file whose stored version is current. */
  settle({ assetId }: TrackedAsset): void {
    this.#change(assetId!, { status: "complete" });
  }

  receive({ asset }: TrackedAsset, byteLength: number, durationMs: number): void {
    const { productId, observedAt, locator } = asset;
    this.#journal.add({ kind: "received", productId, observedAt, locator, byteLength, durationMs });
  }

  fail({ asset, assetId }: TrackedAsset, error: unknown): void {
    const { locator, name, productId, observedAt } = asset;
    this.#change(assetId!, { status: "failed", errorMessage: toFailureLine(name, error) });
    this.#hasFailed = true;
    this.#journal.add({ kind: "failed", productId, observedAt, locator, message: messageOf(error) });
  }

  /** Draws staged files, and stores their frames and sources. A file that cannot be drawn is noted and skipped. */
  async draw(staged: readonly TrackedAsset[]): Promise<void> {
    if (staged.length === 0) return;
    const { workshop, signal } = this.#options;
    await publishStaged(
      staged,
      { workshop: { ...workshop, catalog: this.#collect() }, event: { id: this.#eventId }, signal },
      {
        onFile: ({ asset }, result) => {
          if (result.status !== "failed") return;
          this.#hasFailed = true;
          const { locator, productId, observedAt } = asset;
          this.#journal.add({ kind: "failed", productId, observedAt, locator, message: result.error });
        },
        onRevision: () => undefined,
      },
    );
  }

  toDrawn(): DrawnWindow {
    return {
      drafts: this.#drafts,
      assets: [...this.#changes].map(([id, change]) => ({ id, change })),
      log: this.#journal.take(),
      hasFailed: this.#hasFailed,
    };
  }

  /** Returns a catalog that takes publications and changes of assets, and writes none. */
  #collect(): CatalogWriter {
    return {
      ...this.#options.workshop.catalog,
      publish: (draft) => {
        this.#drafts.push(draft);
        return Promise.resolve({ revision: undefined, unchanged: [], change: undefined });
      },
      updateAsset: (id, change) => {
        this.#change(id, change);
        return Promise.resolve();
      },
      discardSources: () => Promise.resolve(0),
    };
  }

  #change(id: number, change: AssetChange): void {
    this.#changes.set(id, { ...this.#changes.get(id), ...change });
  }
}
