// What a feed does with the windows that it deals with: fetches what they lack, publishes what is ready, and remembers what
// came of each file.
import { rm } from "node:fs/promises";
import { isAppError } from "../../../shared/app-error.ts";
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { EventDraft } from "../../catalog/catalog.ts";
import type { FeedTiming } from "./feed-config.ts";
import type { Effects } from "../../platform/effects.ts";
import type { PublishedRevision } from "../../pipeline/ingest/publish-in-order.ts";
import type { FileResult } from "../../pipeline/ingest/ingest-report.ts";
import type { AssetLedger, TrackedAsset } from "./asset-ledger.ts";
import type { FeedJournal } from "./feed-journal.ts";
import type { SourceAsset } from "./feed-source.ts";
import { askedWaitMs } from "./link-error.ts";
import { decidePairing } from "./pairing.ts";
import { retryDelay } from "./poll-schedule.ts";
import {
  publishStaged,
  stageAll,
  type StagedDelivery,
  type StageOutcome,
  type Workshop,
} from "./stage-assets.ts";

export interface WindowWorkOptions {
  readonly workshop: Workshop;
  readonly eventId: string;
  /** Of a new event, until it is there. */
  readonly label: string | undefined;
  readonly timing: FeedTiming;
  readonly effects: Pick<Effects, "now" | "random">;
  readonly ledger: AssetLedger;
  readonly journal: FeedJournal;
  readonly isDue: (atMs: number) => boolean;
  /** The sentence of an error for log and people. */
  readonly sentenceOf: (error: unknown) => string;
  readonly signal: AbortSignal;
}

/** How often a version of a file is tried. */
const attemptLimit = 6;

export class WindowWork {
  readonly #options: WindowWorkOptions;
  #label: string | undefined;
  #newestPublished: number | undefined;

  constructor(options: WindowWorkOptions) {
    this.#options = options;
    this.#label = options.label;
  }

  /** The newest window that was ever published. */
  get newestPublished(): number | undefined {
    return this.#newestPublished;
  }

  canAct(window: number, nowMs: number): boolean {
    return (
      this.#options.ledger.assetsOf(window).some((tracked) => this.#isFetchable(tracked)) ||
      this.decide(window, nowMs).kind === "publish"
    );
  }

  #isFetchable({ state, retryAtMs, assetId }: TrackedAsset): boolean {
    return state === "listed" && assetId !== undefined && this.#options.isDue(retryAtMs);
  }

  decide(window: number, nowMs: number): ReturnType<typeof decidePairing> {
    return decidePairing(this.#options.ledger.pairingOf(window), nowMs, this.#options.timing.pairWaitMs);
  }

  /** Fetches what these windows still lack, and publishes those that need not wait. */
  async deal(windows: readonly number[]): Promise<void> {
    const { signal, workshop } = this.#options;
    const tracked = new Map<SourceAsset, TrackedAsset>();
    for (const each of windows.flatMap((window) => this.#options.ledger.assetsOf(window)))
      tracked.set(each.asset, each);
    const wanted = [...tracked.values()].filter((each) => this.#isFetchable(each));
    const deliveries = wanted.map(({ asset, assetId, doneEtag }) => ({
      asset,
      assetId: assetId!,
      knownEtag: doneEtag,
    }));
    await stageAll(deliveries, workshop, signal, (outcome) =>
      this.#takeStaged(tracked.get(outcome.delivery.asset)!, outcome),
    );
    const nowMs = this.#nowMs();
    const ready = windows
      .filter((window) => this.decide(window, nowMs).kind === "publish")
      .flatMap((window) => this.#options.ledger.assetsOf(window))
      .flatMap(toDelivery);
    if (ready.length === 0) return;
    await publishStaged(
      ready,
      { workshop, event: this.#eventDraft(), signal },
      {
        onFile: ({ asset }, result) => {
          this.#takeResult(tracked.get(asset)!, result);
        },
        onRevision: (published) => {
          this.#noteRevision(published);
        },
      },
    );
  }

  #eventDraft(): EventDraft {
    const { eventId: id } = this.#options;
    const label = this.#label === undefined ? {} : { label: this.#label };
    return { id, kind: "operational-feed", origin: "observed", ...label };
  }

  async #takeStaged(tracked: TrackedAsset, { outcome, durationMs }: StageOutcome): Promise<void> {
    const { asset, assetId } = tracked;
    const { productId, observedAt, locator } = asset;
    if (outcome === "not-modified") {
      this.#noteDuplicate(tracked);
      this.notePublished(productId, observedAt);
      await this.#options.workshop.catalog.updateAsset(assetId!, { status: "complete" });
    } else if ("error" in outcome) {
      // A full disk is no fault of the file.
      if (isAppError(outcome.error, "storage-failed")) throw outcome.error;
      const message = this.#options.sentenceOf(outcome.error);
      this.#noteFailure(tracked, message, askedWaitMs(outcome.error));
      await this.#options.workshop.catalog.updateAsset(assetId!, {
        status: "failed",
        errorMessage: `${asset.name}: ${message}`,
      });
    } else {
      // Of a version that was replaced before it was published.
      if (tracked.staged) await rm(tracked.staged.path, { force: true });
      tracked.staged = outcome;
      tracked.state = "staged";
      this.#options.journal.counts.received += 1;
      const observedAtMs = Date.parse(observedAt);
      const delayMs = this.#nowMs() - observedAtMs;
      this.#options.journal.noteArrival(productId, observedAtMs, delayMs);
      const { byteLength } = outcome;
      this.#options.journal.add({
        kind: "received",
        productId,
        observedAt,
        locator,
        byteLength,
        delayMs,
        durationMs,
      });
    }
  }

  #takeResult(tracked: TrackedAsset, result: FileResult): void {
    tracked.staged = undefined;
    if (result.status === "failed") {
      this.#noteFailure(tracked, withoutName(result.error, tracked.asset.name));
      return;
    }
    if (result.status === "unchanged") this.#noteDuplicate(tracked);
    else this.#settle(tracked);
    this.notePublished(result.product, result.observedAt);
  }

  #settle(tracked: TrackedAsset): void {
    tracked.state = "done";
    tracked.doneEtag = tracked.asset.etag;
    this.#options.ledger.notePublished(tracked.window, tracked.asset.productId);
  }

  #noteDuplicate(tracked: TrackedAsset): void {
    const { productId, observedAt, locator } = tracked.asset;
    this.#settle(tracked);
    this.#options.journal.counts.duplicates += 1;
    this.#options.journal.add({ kind: "duplicate", productId, observedAt, locator });
  }

  notePublished(productId: ProductId, observedAt: string): void {
    this.#options.journal.notePublished(productId, Date.parse(observedAt));
    this.#newestPublished = Math.max(this.#newestPublished ?? -Infinity, observationWindow(observedAt));
  }

  /** Told once for each cause, counted once for each version of the file, and tried again within bounds. */
  #noteFailure(tracked: TrackedAsset, message: string, askedMs?: number): void {
    const { timing, effects } = this.#options;
    const { productId, observedAt, locator } = tracked.asset;
    tracked.attempts += 1;
    tracked.state = tracked.attempts < attemptLimit ? "listed" : "given-up";
    tracked.retryAtMs = this.#nowMs() + retryDelay(tracked.attempts, timing, effects.random, askedMs);
    this.#options.journal.noteFailure(productId, observedAt, message);
    if (tracked.told.size === 0) this.#options.journal.counts.failed += 1;
    if (tracked.told.has(message)) return;
    tracked.told.add(message);
    this.#options.journal.add({ kind: "failed", productId, observedAt, locator, message });
  }

  #noteRevision({ revision, change, candidates }: PublishedRevision): void {
    const { counts } = this.#options.journal;
    this.#label = undefined;
    counts.published += 1;
    if (change === "correction") counts.corrections += 1;
    if (change === "completion") counts.completions += 1;
    if (change === "backfill") counts.backfills += 1;
    const { observedAt, publishedAt, revisionId, sequence } = revision;
    const delayMs = Date.parse(publishedAt) - Date.parse(observedAt);
    const [only, ...others] = candidates;
    const productId = others.length === 0 ? only?.productId : undefined;
    this.#options.journal.add({
      kind: "published",
      productId,
      observedAt,
      revisionId,
      sequence,
      change,
      delayMs,
    });
  }

  #nowMs(): number {
    return this.#options.effects.now().getTime();
  }
}

function toDelivery(tracked: TrackedAsset): StagedDelivery[] {
  const { asset, assetId, doneEtag, staged, state } = tracked;
  if (state !== "staged" || !staged || assetId === undefined) return [];
  return [{ asset, assetId, knownEtag: doneEtag, staged }];
}

/** A failure line begins with the file's name, which the log has as its locator. */
function withoutName(line: string, name: string): string {
  return line.startsWith(`${name}: `) ? line.slice(name.length + 2) : line;
}
