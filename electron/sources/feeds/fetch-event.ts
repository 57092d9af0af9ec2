// Fills the registered window of a benchmark event from a source. Files already here are not downloaded again, so an
// interrupted fetch continues.
import { rm } from "node:fs/promises";
import { AppError, messageOf } from "../../../shared/app-error.ts";
import { productIds, type ProductId } from "../../../shared/contract/primitives.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import { windowMs, windowStartAt } from "../../../shared/revisions/observation-window.ts";
import type { Catalog, TimeWindow } from "../../catalog/catalog.ts";
import { toInstant } from "../../catalog/plans/instants.ts";
import type { FileResult } from "../../pipeline/ingest/ingest-report.ts";
import { toFailureLine } from "../../pipeline/ingest/source-error.ts";
import type { Effects } from "../../platform/effects.ts";
import { AssetLedger, type TrackedAsset } from "./asset-ledger.ts";
import { FeedJournal } from "./feed-journal.ts";
import { fetchRetryTiming, fetchWindowsAtOnce, maxFetchAttempts } from "./feed-limits.ts";
import type { Listing } from "./feed-source.ts";
import { findGaps, reportGap } from "./gaps.ts";
import { askedWaitMs, retryDelay } from "./link-error.ts";
import { dayPrefix } from "./mrms-name.ts";
import { discoverAssets, publishStaged, stageAll, type Workshop } from "./stage-assets.ts";

/** Windows of a product for which the source has no file. */
export interface MissingWindows {
  readonly product: ProductId;
  readonly status: "missing";
  /** From the start of the first missing window to the end of the last. */
  readonly from: string;
  readonly to: string;
  readonly windows: number;
}

export interface FetchOptions extends Omit<Workshop, "catalog"> {
  readonly catalog: Catalog;
  readonly eventId: string;
  readonly effects: Pick<Effects, "now" | "sleep" | "random">;
  readonly signal: AbortSignal;
  /** Called once for each file to download. */
  readonly onFile: (result: FileResult) => void;
  readonly onMissing: (missing: MissingWindows) => void;
  readonly onProgress: (done: number, total: number) => void;
}

export interface FetchReport {
  /** Files that the source lists for the window. */
  readonly listed: number;
  /** Listed files that were already here. */
  readonly known: number;
  readonly failed: number;
  readonly missingWindows: number;
  readonly isComplete: boolean;
}

/**
 * Downloads and publishes in order of observation. The event is complete if nothing failed, there is data, and its
 * window is over.
 * @throws AppError `not-found` for an unknown event or a source without files for the window, `conflict` for an event
 * that is archived or has no registered window, `upstream-unavailable` if the source cannot be listed,
 * `storage-failed`; the signal's reason. Files reported complete until then are published
 */
export async function fetchEvent(options: FetchOptions): Promise<FetchReport> {
  const window = await getWindow(options);
  const run = new FetchRun(options, window);
  try {
    return await run.fetch();
  } finally {
    await run.end();
  }
}

async function getWindow({ catalog, eventId }: FetchOptions): Promise<TimeWindow> {
  const event = await catalog.findEvent(eventId);
  if (!event) throw new AppError("not-found", `There is no event ${eventId}: register its window first.`);
  if (event.status === "archived" || event.mirrorOf !== undefined) {
    throw new AppError("conflict", `The event ${eventId} is read-only.`);
  }
  if (!event.registeredWindow) {
    throw new AppError("conflict", `The event ${eventId} has no registered window to fill.`);
  }
  return event.registeredWindow;
}

class FetchRun {
  readonly #options: FetchOptions;
  readonly #window: TimeWindow;
  readonly #ledger = new AssetLedger();
  readonly #journal: FeedJournal;
  #fresh: readonly TrackedAsset[] = [];
  #done = 0;
  #total = 0;
  #failed = 0;

  constructor(options: FetchOptions, window: TimeWindow) {
    const { eventId, source, effects } = options;
    this.#options = options;
    this.#window = window;
    this.#journal = new FeedJournal({ source: `fetch ${source.name}`, eventId, now: effects.now });
  }

  async fetch(): Promise<FetchReport> {
    const { catalog, eventId, onProgress, effects } = this.#options;
    this.#journal.add({ kind: "started" });
    this.#ledger.restore(await catalog.listAssets(eventId));
    const listing = await this.#list();
    for (const { what, message } of listing.strange) {
      this.#journal.add({ kind: "failed", locator: what, message });
    }
    const fresh = (this.#fresh = this.#ledger.merge(listing.assets, effects.now().getTime()));
    const listed = listing.assets.length;
    const known = listed - fresh.length;
    this.#total = listed;
    this.#done = known;
    onProgress(known, listed);
    const unlisted = [...listing.failures, ...listing.unreadable];
    for (const { what, message } of unlisted) {
      this.#failed += 1;
      this.#journal.add({ kind: "failed", locator: what, message });
      const error = `${what}: ${message}`;
      this.#options.onFile({ file: what, product: null, observedAt: null, status: "failed", error });
    }
    await discoverAssets(catalog, eventId, fresh);
    await this.#fetchAll();
    const missingWindows = this.#reportMissing(listing);
    if (listed === 0 && unlisted.length === 0) {
      throw new AppError("not-found", "The source has no files for the event's window.");
    }
    const isOver = Date.parse(this.#window.endedAt) <= effects.now().getTime();
    const isComplete = this.#failed === 0 && isOver;
    if (isComplete) await catalog.completeEvent(eventId, { registered: true });
    return { listed, known, failed: this.#failed, missingWindows, isComplete };
  }

  /** Empties staging and writes the log. */
  async end(): Promise<void> {
    const staged = this.#fresh.flatMap((tracked) => tracked.staged ?? []);
    for (const { path } of staged) await rm(path, { force: true });
    // A publication that failed may have stored some of them.
    if (staged.length > 0) await this.#options.catalog.discardSources(staged.map(({ sha256 }) => sha256));
    this.#journal.add({ kind: "stopped" });
    await this.#options.catalog.appendFeedLog(this.#journal.take());
  }

  async #list(): Promise<Listing> {
    const { source, effects, signal } = this.#options;
    const range = { fromMs: Date.parse(this.#window.startedAt), toMs: Date.parse(this.#window.endedAt) };
    for (let attempt = 1; ; attempt += 1) {
      try {
        const listing = await source.list(range, signal);
        const isWhole = listing.failures.length === 0 && listing.lookAgainInMs === undefined;
        if (isWhole || attempt === maxFetchAttempts) return listing;
        await effects.sleep(listing.lookAgainInMs ?? this.#retryDelay(attempt), signal);
      } catch (error) {
        signal.throwIfAborted();
        if (attempt === maxFetchAttempts) throw error;
        await effects.sleep(this.#retryDelay(attempt, askedWaitMs(error)), signal);
      }
    }
  }

  #retryDelay(attempt: number, askedMs?: number): number {
    return retryDelay(attempt, fetchRetryTiming, this.#options.effects.random, askedMs);
  }

  /** Downloads the next windows while the previous ones are drawn and published. */
  async #fetchAll(): Promise<void> {
    const byWindow = Map.groupBy(this.#fresh, ({ window }) => window);
    const windows = [...byWindow.keys()].sort((a, b) => a - b);
    let publishing: Promise<void> = Promise.resolve();
    try {
      for (let at = 0; at < windows.length; at += fetchWindowsAtOnce) {
        const batch = windows.slice(at, at + fetchWindowsAtOnce).flatMap((window) => byWindow.get(window)!);
        await this.#stage(batch);
        await publishing;
        publishing = this.#publish(batch.filter(({ staged }) => staged !== undefined));
        // Awaited later; until then a failure must not count as unhandled.
        publishing.catch(() => undefined);
      }
    } finally {
      await publishing;
    }
  }

  async #stage(batch: readonly TrackedAsset[]): Promise<void> {
    const { effects, signal } = this.#options;
    for (let open = batch, attempt = 1; ; attempt += 1) {
      const failed: { tracked: TrackedAsset; error: unknown }[] = [];
      await stageAll(open, this.#options, signal, async ({ tracked, outcome, durationMs }) => {
        if (outcome === "not-modified") await this.#settleKnown(tracked);
        else if ("error" in outcome) failed.push({ tracked, error: outcome.error });
        else {
          tracked.staged = outcome;
          const { productId, observedAt, locator } = tracked.asset;
          const { byteLength } = outcome;
          this.#journal.add({ kind: "received", productId, observedAt, locator, byteLength, durationMs });
        }
      });
      if (failed.length === 0) return;
      if (attempt === maxFetchAttempts) {
        for (const { tracked, error } of failed) await this.#fail(tracked, error);
        return;
      }
      open = failed.map(({ tracked }) => tracked);
      const askedMs = Math.max(0, ...failed.map(({ error }) => askedWaitMs(error) ?? 0));
      await effects.sleep(this.#retryDelay(attempt, askedMs), signal);
    }
  }

  async #settleKnown({ asset, assetId }: TrackedAsset): Promise<void> {
    await this.#options.catalog.updateAsset(assetId!, { status: "complete" });
    const { locator: file, productId: product, observedAt } = asset;
    this.#report({ file, product, observedAt, status: "unchanged" });
  }

  async #fail({ asset, assetId }: TrackedAsset, error: unknown): Promise<void> {
    const { locator, name, productId, observedAt } = asset;
    const line = toFailureLine(name, error);
    await this.#options.catalog.updateAsset(assetId!, { status: "failed", errorMessage: line });
    const message = messageOf(error);
    this.#journal.add({ kind: "failed", productId, observedAt, locator, message });
    this.#report({ file: locator, product: productId, observedAt, status: "failed", error: line });
  }

  async #publish(staged: readonly TrackedAsset[]): Promise<void> {
    const { eventId, signal, catalog } = this.#options;
    if (staged.length === 0) return;
    await publishStaged(
      staged,
      { workshop: this.#options, event: { id: eventId }, signal },
      {
        onFile: (tracked, result) => {
          tracked.staged = undefined;
          const { locator, productId, observedAt } = tracked.asset;
          if (result.status === "failed") {
            this.#journal.add({ kind: "failed", productId, observedAt, locator, message: result.error });
          } else if (result.status === "unchanged") {
            this.#journal.add({ kind: "duplicate", productId, observedAt, locator });
          }
          this.#report(result);
        },
        onRevision: ({ revision: { observedAt, revisionId, sequence }, change }) => {
          this.#journal.add({ kind: "published", observedAt, revisionId, sequence, change });
        },
      },
    );
    await catalog.appendFeedLog(this.#journal.take());
  }

  #report(result: FileResult): void {
    const { onFile, onProgress } = this.#options;
    this.#done += 1;
    if (result.status === "failed") this.#failed += 1;
    onFile(result);
    onProgress(this.#done, this.#total);
  }

  /**
   * Reports windows that lie entirely within the event's and are over. A window that could not be listed is not
   * missing.
   */
  #reportMissing({ failures }: Listing): number {
    const { effects, onMissing } = this.#options;
    const endMs = Math.min(Date.parse(this.#window.endedAt), effects.now().getTime());
    const first = Math.ceil(Date.parse(this.#window.startedAt) / windowMs);
    const last = Math.floor(endMs / windowMs) - 1;
    for (const product of productIds) {
      const isUnknown = (window: number): boolean => {
        const prefix = dayPrefix(getProduct(product), window * windowMs);
        return failures.some(({ what }) => what === prefix);
      };
      const has = (window: number): boolean => this.#ledger.isListed(window, product) || isUnknown(window);
      for (const gap of findGaps(first, last, has)) {
        reportGap(this.#journal, product, gap);
        const from = toInstant(Date.parse(windowStartAt(gap.firstWindow)));
        const to = toInstant(Date.parse(windowStartAt(gap.lastWindow + 1)));
        onMissing({ product, status: "missing", from, to, windows: gap.length });
      }
    }
    return this.#journal.counts.gaps;
  }
}
