// Fills the registered window of a benchmark event from a source. Files already here are not downloaded again, so an
// interrupted fetch continues.
import { rm } from "node:fs/promises";
import { messageOf } from "../../../shared/app-error.ts";
import type { Catalog, TimeWindow } from "../../catalog/catalog.ts";
import type { FileResult } from "../../pipeline/ingest/ingest-report.ts";
import { toFailureLine } from "../../pipeline/ingest/source-error.ts";
import type { Effects } from "../../platform/effects.ts";
import type { TrackedAsset } from "./asset-ledger.ts";
import { FeedJournal } from "./feed-journal.ts";
import { fetchRetryTiming, fetchWindowsAtOnce, maxFetchAttempts } from "./feed-limits.ts";
import type { FeedSource } from "./feed-source.ts";
import { askedWaitMs, retryDelay } from "./link-error.ts";
import { getFetchWindow, listEvent, type MissingWindows } from "./list-event.ts";
import { publishStaged, stageAll, type Workshop } from "./stage-assets.ts";

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
  const window = await getFetchWindow(options);
  const run = new FetchRun(options, window);
  try {
    return await run.fetch();
  } finally {
    await run.end();
  }
}

class FetchRun {
  readonly #options: FetchOptions;
  readonly #window: TimeWindow;
  readonly #journal: FeedJournal;
  #fresh: readonly TrackedAsset[] = [];
  #done = 0;
  #total = 0;
  #failed = 0;

  constructor(options: FetchOptions, window: TimeWindow) {
    const { eventId, source, effects } = options;
    this.#options = options;
    this.#window = window;
    this.#journal = new FeedJournal({ source: toFetchName(source), eventId, now: effects.now });
  }

  async fetch(): Promise<FetchReport> {
    const { catalog, eventId, onProgress, effects } = this.#options;
    const listing = await listEvent(this.#options, this.#window, this.#journal);
    const { listed, fresh, unlisted, reportMissing } = listing;
    this.#fresh = fresh;
    this.#failed = unlisted;
    const known = listed - fresh.length;
    this.#total = listed;
    this.#done = known;
    onProgress(known, listed);
    await this.#fetchAll();
    const missingWindows = reportMissing();
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
}

/** Returns the name of a fetch from a source in the log. */
export function toFetchName({ name }: Pick<FeedSource, "name">): string {
  return `fetch ${name}`;
}
