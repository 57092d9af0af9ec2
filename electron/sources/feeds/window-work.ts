// Works on observation windows: downloads what they lack, publishes what is ready, and notes the result of each file.
import { rm } from "node:fs/promises";
import { isAppError } from "../../../shared/app-error.ts";
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { FileResult } from "../../pipeline/ingest/ingest-report.ts";
import type { PublishedRevision } from "../../pipeline/ingest/publish-in-order.ts";
import type { Effects } from "../../platform/effects.ts";
import type { AssetLedger, TrackedAsset } from "./asset-ledger.ts";
import type { FeedTiming } from "./feed-config.ts";
import type { FeedJournal } from "./feed-journal.ts";
import { maxFileAttempts } from "./feed-limits.ts";
import { askedWaitMs, retryDelay } from "./link-error.ts";
import { decidePairing, type PairingDecision } from "./pairing.ts";
import { publishStaged, stageAll, type StageOutcome, type Workshop } from "./stage-assets.ts";

export interface WindowWorkOptions {
  readonly workshop: Workshop;
  readonly eventId: string;
  /** Label of a new event; undefined if the event exists. */
  readonly label: string | undefined;
  readonly timing: FeedTiming;
  readonly effects: Pick<Effects, "now" | "random">;
  readonly ledger: AssetLedger;
  readonly journal: FeedJournal;
  readonly isDue: (atMs: number) => boolean;
  /** Returns the sentence of an error for log and people. */
  readonly sentenceOf: (error: unknown) => string;
  readonly signal: AbortSignal;
}

export class WindowWork {
  readonly #options: WindowWorkOptions;
  #label: string | undefined;
  /** The newest window ever published. */
  newestPublished: number | undefined;

  constructor(options: WindowWorkOptions) {
    this.#options = options;
    this.#label = options.label;
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

  decide(window: number, nowMs: number): PairingDecision {
    return decidePairing(this.#options.ledger.pairingOf(window), nowMs, this.#options.timing.pairWaitMs);
  }

  /** Downloads what these windows lack, and publishes those that need not wait. */
  async deal(windows: readonly number[]): Promise<void> {
    const { eventId, ledger, signal, workshop } = this.#options;
    const wanted = windows
      .flatMap((window) => ledger.assetsOf(window))
      .filter((tracked) => this.#isFetchable(tracked));
    await stageAll(wanted, workshop, signal, (outcome) => this.#takeStaged(outcome));
    const nowMs = this.#nowMs();
    const ready = windows
      .filter((window) => this.decide(window, nowMs).kind === "publish")
      .flatMap((window) => ledger.assetsOf(window))
      .filter(({ state, staged, assetId }) => state === "staged" && staged && assetId !== undefined);
    if (ready.length === 0) return;
    const label = this.#label === undefined ? {} : { label: this.#label };
    const event = { id: eventId, kind: "operational-feed", origin: "observed", ...label } as const;
    await publishStaged(
      ready,
      { workshop, event, signal },
      {
        onFile: (tracked, result) => {
          this.#takeResult(tracked, result);
        },
        onRevision: (published) => {
          this.#noteRevision(published);
        },
      },
    );
  }

  async #takeStaged({ tracked, outcome, durationMs }: StageOutcome): Promise<void> {
    const { journal, sentenceOf, workshop } = this.#options;
    const { asset, assetId } = tracked;
    const { productId, observedAt, locator } = asset;
    if (outcome === "not-modified") {
      this.#noteDuplicate(tracked);
      this.notePublished(productId, observedAt);
      await workshop.catalog.updateAsset(assetId!, { status: "complete" });
    } else if ("error" in outcome) {
      // A full disk or a database without its standby is not the file's fault.
      const trouble = outcome.error;
      if (isAppError(trouble, "storage-failed") || isAppError(trouble, "storage-unavailable")) throw trouble;
      const message = sentenceOf(outcome.error);
      this.#noteFailure(tracked, message, askedWaitMs(outcome.error));
      const errorMessage = `${asset.name}: ${message}`;
      await workshop.catalog.updateAsset(assetId!, { status: "failed", errorMessage });
    } else {
      // A version that was replaced before it was published.
      if (tracked.staged) await rm(tracked.staged.path, { force: true });
      tracked.staged = outcome;
      tracked.state = "staged";
      journal.counts.received += 1;
      journal.noteArrival(productId, observedAt);
      const { byteLength } = outcome;
      const delayMs = this.#nowMs() - Date.parse(observedAt);
      journal.add({ kind: "received", productId, observedAt, locator, byteLength, delayMs, durationMs });
    }
  }

  #takeResult(tracked: TrackedAsset, result: FileResult): void {
    tracked.staged = undefined;
    if (result.status === "failed") {
      // The log already has the name, as the locator.
      const prefix = `${tracked.asset.name}: `;
      const { error } = result;
      this.#noteFailure(tracked, error.startsWith(prefix) ? error.slice(prefix.length) : error);
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
    this.#options.journal.notePublished(productId, observedAt);
    this.newestPublished = Math.max(this.newestPublished ?? -Infinity, observationWindow(observedAt));
  }

  /** Logs each cause once, counts each version of the file once, and plans a retry. */
  #noteFailure(tracked: TrackedAsset, message: string, askedMs?: number): void {
    const { timing, effects, journal } = this.#options;
    const { productId, observedAt, locator } = tracked.asset;
    tracked.attempts += 1;
    tracked.state = tracked.attempts < maxFileAttempts ? "listed" : "given-up";
    tracked.retryAtMs = this.#nowMs() + retryDelay(tracked.attempts, timing, effects.random, askedMs);
    journal.noteFailure(productId, observedAt, message);
    if (tracked.reported.size === 0) journal.counts.failed += 1;
    if (tracked.reported.has(message)) return;
    tracked.reported.add(message);
    journal.add({ kind: "failed", productId, observedAt, locator, message });
  }

  #noteRevision({ revision, change, candidates }: PublishedRevision): void {
    const { journal } = this.#options;
    this.#label = undefined;
    journal.countRevision(change);
    const { observedAt, publishedAt, revisionId, sequence } = revision;
    const delayMs = Date.parse(publishedAt) - Date.parse(observedAt);
    const productId = candidates.length === 1 ? candidates[0]!.productId : undefined;
    journal.add({ kind: "published", productId, observedAt, revisionId, sequence, change, delayMs });
  }

  #nowMs(): number {
    return this.#options.effects.now().getTime();
  }
}
