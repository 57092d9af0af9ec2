// Fills the registered window of a benchmark event from a source: what is there already is not fetched again, so that a
// fetch that was interrupted goes on where it ended.
import { rm } from "node:fs/promises";
import { AppError, messageOf } from "../../../shared/app-error.ts";
import { productIds, type ProductId } from "../../../shared/contract/primitives.ts";
import { windowMs, windowStartAt } from "../../../shared/revisions/observation-window.ts";
import type { Catalog, EventRecord, TimeWindow } from "../../catalog/catalog.ts";
import { toInstant } from "../../catalog/instants.ts";
import type { Effects } from "../../platform/effects.ts";
import type { FileResult } from "../../pipeline/ingest/ingest-report.ts";
import { toFailureLine } from "../../pipeline/ingest/source-error.ts";
import { AssetLedger, type TrackedAsset } from "./asset-ledger.ts";
import { FeedJournal } from "./feed-journal.ts";
import type { Listing } from "./feed-source.ts";
import { findGaps, gapLength } from "./gaps.ts";
import { askedWaitMs } from "./link-error.ts";
import { dayPrefix } from "./mrms-name.ts";
import { retryDelay } from "./poll-schedule.ts";
import {
  publishStaged,
  stageAll,
  type Delivery,
  type StagedDelivery,
  type Workshop,
} from "./stage-assets.ts";
import { getProduct } from "../../../shared/products/registry.ts";

/** Windows of a product for which the source has no file. */
export interface MissingWindows {
  readonly product: ProductId;
  readonly status: "missing";
  /** From the beginning of the first missing window to the end of the last. */
  readonly from: string;
  readonly to: string;
  readonly windows: number;
}

export interface FetchOptions extends Omit<Workshop, "catalog"> {
  readonly catalog: Catalog;
  readonly eventId: string;
  readonly effects: Pick<Effects, "now" | "sleep" | "random">;
  readonly signal: AbortSignal;
  /** One call a file that was to be fetched. */
  readonly onFile: (result: FileResult) => void;
  readonly onMissing: (missing: MissingWindows) => void;
  readonly onProgress: (done: number, total: number) => void;
}

export interface FetchReport {
  /** Files of the window at the source. */
  readonly listed: number;
  /** Of those, already here before. */
  readonly known: number;
  readonly failed: number;
  readonly missingWindows: number;
  readonly isComplete: boolean;
}

/** Windows that are fetched while those before them are drawn. */
const windowsAtOnce = 8;
/** How often a listing and a file are tried. */
const attemptLimit = 4;
const retryTiming = { pollMs: 8000, backoffMaxMs: 30_000 };

/**
 * Fetches and publishes in order of observation. The event is complete afterwards when nothing failed, there is data, and
 * its window is over.
 * @throws AppError `not-found` for an unknown event or a source that has nothing of the window, `conflict` for an event
 * that was not registered or is archived, `upstream-unavailable` where the source cannot be listed, `storage-failed`; the
 * signal's reason. What was reported as complete by then is published
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
  const event: EventRecord | undefined = await catalog.findEvent(eventId);
  if (!event) throw new AppError("not-found", `There is no event ${eventId}: register its window first.`);
  if (event.status === "archived" || event.mirrorOf !== undefined) {
    throw new AppError("conflict", `The event ${eventId} is read-only.`);
  }
  if (!event.registeredWindow) {
    throw new AppError("conflict", `The event ${eventId} has no registered window that could be filled.`);
  }
  return event.registeredWindow;
}

class FetchRun {
  readonly #options: FetchOptions;
  readonly #window: TimeWindow;
  readonly #ledger = new AssetLedger();
  readonly #journal: FeedJournal;
  /** SHA-256 by path. */
  readonly #staged = new Map<string, string>();
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
    const fresh = this.#ledger.merge(listing.assets, effects.now().getTime());
    const listed = listing.assets.length;
    this.#total = listed;
    this.#done = listed - fresh.length;
    onProgress(this.#done, listed);
    const unlisted = [...listing.failures, ...listing.unreadable];
    for (const { what, message } of unlisted) this.#failListing(what, message);
    await this.#discover(fresh);
    await this.#fetchAll(fresh);
    const missingWindows = this.#tellMissing(listing);
    if (listed === 0 && unlisted.length === 0) {
      throw new AppError("not-found", "The source has nothing of the event's window.");
    }
    const isOver = Date.parse(this.#window.endedAt) <= effects.now().getTime();
    const isComplete = this.#failed === 0 && isOver;
    if (isComplete) await catalog.completeEvent(eventId, { registered: true });
    return { listed, known: listed - fresh.length, failed: this.#failed, missingWindows, isComplete };
  }

  /** Leaves nothing in staging and nothing untold. */
  async end(): Promise<void> {
    for (const path of this.#staged.keys()) await rm(path, { force: true });
    // Of these, some may have been kept for a publication that did not come about.
    if (this.#staged.size > 0) await this.#options.catalog.discardSources([...this.#staged.values()]);
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
        if (isWhole || attempt === attemptLimit) return listing;
        await effects.sleep(
          listing.lookAgainInMs ?? retryDelay(attempt, retryTiming, effects.random),
          signal,
        );
      } catch (error) {
        signal.throwIfAborted();
        if (attempt === attemptLimit) throw error;
        await effects.sleep(retryDelay(attempt, retryTiming, effects.random, askedWaitMs(error)), signal);
      }
    }
  }

  #failListing(what: string, message: string): void {
    this.#failed += 1;
    this.#journal.add({ kind: "failed", locator: what, message });
    const error = `${what}: ${message}`;
    this.#options.onFile({ file: what, product: null, observedAt: null, status: "failed", error });
  }

  async #discover(fresh: readonly TrackedAsset[]): Promise<void> {
    const ascending = fresh.toReversed();
    const ids = await this.#options.catalog.discoverAssets(
      ascending.map(({ asset }) => ({ ...asset, eventId: this.#options.eventId, sha256: undefined })),
    );
    for (const [index, tracked] of ascending.entries()) tracked.assetId = ids[index];
  }

  /** The next windows are fetched while those before them are drawn and published. */
  async #fetchAll(fresh: readonly TrackedAsset[]): Promise<void> {
    const windows = [...new Set(fresh.map(({ window }) => window))].sort((a, b) => a - b);
    const byWindow = Map.groupBy(fresh, ({ window }) => window);
    let publishing: Promise<void> = Promise.resolve();
    try {
      for (let at = 0; at < windows.length; at += windowsAtOnce) {
        const batch = windows.slice(at, at + windowsAtOnce).flatMap((window) => byWindow.get(window)!);
        const staged = await this.#stage(batch);
        await publishing;
        publishing = this.#publish(staged);
        // It is waited for a little later; until then its failure must not count as unhandled.
        publishing.catch(() => undefined);
      }
    } finally {
      await publishing;
    }
  }

  async #stage(batch: readonly TrackedAsset[]): Promise<StagedDelivery[]> {
    const { effects, signal } = this.#options;
    const staged: StagedDelivery[] = [];
    let open: readonly Delivery[] = batch.map(({ asset, assetId, doneEtag }) => ({
      asset,
      assetId: assetId!,
      knownEtag: doneEtag,
    }));
    for (let attempt = 1; open.length > 0; attempt += 1) {
      const failed: { delivery: Delivery; error: unknown }[] = [];
      await stageAll(open, this.#options, signal, async ({ delivery, outcome, durationMs }) => {
        if (outcome === "not-modified") await this.#settleKnown(delivery);
        else if ("error" in outcome) failed.push({ delivery, error: outcome.error });
        else {
          this.#staged.set(outcome.path, outcome.sha256);
          staged.push({ ...delivery, staged: outcome });
          const { productId, observedAt, locator } = delivery.asset;
          const { byteLength } = outcome;
          this.#journal.add({ kind: "received", productId, observedAt, locator, byteLength, durationMs });
        }
      });
      if (attempt === attemptLimit) for (const each of failed) await this.#fail(each.delivery, each.error);
      open = attempt === attemptLimit ? [] : failed.map(({ delivery }) => delivery);
      if (open.length === 0) break;
      const askedMs = Math.max(0, ...failed.map(({ error }) => askedWaitMs(error) ?? 0));
      await effects.sleep(retryDelay(attempt, retryTiming, effects.random, askedMs), signal);
    }
    return staged;
  }

  async #settleKnown({ asset, assetId }: Delivery): Promise<void> {
    await this.#options.catalog.updateAsset(assetId, { status: "complete" });
    const { locator: file, productId: product, observedAt } = asset;
    this.#report({ file, product, observedAt, status: "unchanged" });
  }

  async #fail({ asset, assetId }: Delivery, error: unknown): Promise<void> {
    const { locator, name, productId, observedAt } = asset;
    const line = toFailureLine(name, error);
    await this.#options.catalog.updateAsset(assetId, { status: "failed", errorMessage: line });
    const message = messageOf(error);
    this.#journal.add({ kind: "failed", productId, observedAt, locator, message });
    this.#report({ file: locator, product: productId, observedAt, status: "failed", error: line });
  }

  async #publish(staged: readonly StagedDelivery[]): Promise<void> {
    const { eventId, signal, catalog } = this.#options;
    if (staged.length === 0) return;
    await publishStaged(
      staged,
      { workshop: this.#options, event: { id: eventId }, signal },
      {
        onFile: ({ asset, staged: { path } }, result) => {
          this.#staged.delete(path);
          const { locator, productId, observedAt } = asset;
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

  /** Windows that lie wholly in the event's and are over by now. What could not be listed is not known to be missing. */
  #tellMissing({ failures }: Listing): number {
    const { effects, onMissing } = this.#options;
    const endMs = Math.min(Date.parse(this.#window.endedAt), effects.now().getTime());
    const first = Math.ceil(Date.parse(this.#window.startedAt) / windowMs);
    const last = Math.floor(endMs / windowMs) - 1;
    let missingWindows = 0;
    for (const product of productIds) {
      const isUnknown = (window: number): boolean => {
        const prefix = dayPrefix(getProduct(product), window * windowMs);
        return failures.some(({ what }) => what === prefix);
      };
      const has = (window: number): boolean => this.#ledger.isListed(window, product) || isUnknown(window);
      for (const gap of findGaps(first, last, has)) {
        const windows = gapLength(gap);
        const from = toInstant(Date.parse(windowStartAt(gap.firstWindow)));
        const to = toInstant(Date.parse(windowStartAt(gap.lastWindow + 1)));
        const message = `The source has nothing for ${windows === 1 ? "this window" : `${windows} windows`}.`;
        this.#journal.add({ kind: "gap", productId: product, observedAt: from, message });
        onMissing({ product, status: "missing", from, to, windows });
        missingWindows += windows;
      }
    }
    return missingWindows;
  }
}
