// The loop of a live feed: looks at its source, fetches what is new, pairs the products of a window, publishes, forgets what
// is too old, and sleeps. One turn after the other, so nothing of it runs twice at a time; what a turn does is bounded.
import { rm } from "node:fs/promises";
import { AppError, isAppError, messageOf } from "../../shared/app-error.ts";
import type { FeedHealth } from "../../shared/contract/feed-health.ts";
import { productIds, type ProductId } from "../../shared/contract/primitives.ts";
import { observationWindow, windowStartAt } from "../../shared/revisions/observation-window.ts";
import type { Catalog, EventDraft } from "../catalog/catalog.ts";
import { futureToleranceMs, resolveIdentity } from "../catalog/event-rules.ts";
import { toInstant } from "../catalog/instants.ts";
import type { FeedTiming } from "../config.ts";
import type { Effects } from "../effects.ts";
import type { PublishedRevision } from "../ingest/publish-in-order.ts";
import type { FileResult } from "../ingest/report.ts";
import { toSourceError } from "../ingest/source-error.ts";
import { AssetLedger, isOpen, type TrackedAsset } from "./asset-ledger.ts";
import { FeedJournal } from "./feed-journal.ts";
import type { Feed } from "./feed.ts";
import type { Listing, ListingProblem, SourceAsset, TimeRange } from "./feed-source.ts";
import { toFeedState } from "./feed-state.ts";
import { findGaps, gapGraceWindows, gapLength } from "./gaps.ts";
import { decidePairing } from "./pairing.ts";
import { nextPollDelay, retryDelay } from "./poll-schedule.ts";
import {
  publishStaged,
  stageAll,
  type StagedDelivery,
  type StageOutcome,
  type Workshop,
} from "./stage-assets.ts";
import { planTurn } from "./work-order.ts";

export interface FeedOptions extends Omit<Workshop, "catalog"> {
  readonly catalog: Catalog;
  readonly eventId: string;
  /** What a new event is called. */
  readonly label: string;
  readonly timing: FeedTiming;
  readonly effects: Pick<Effects, "now" | "sleep" | "random" | "log">;
}

/** Windows that are older than the newest, dealt with in one turn. */
const backfillLimit = 8;
/** How often a version of a file is tried. */
const attemptLimit = 6;
/** Most looks go back this far; every fifth one goes back as far as the feed keeps. */
const recentMs = 3_600_000;
const fullLookEvery = 5;
/** Causes that are remembered as told, beside those of the files that are listed. */
const toldLimit = 1000;
/** Of the cadence: how soon a feed looks again while older windows are still to be fetched. */
const catchUpShare = 1 / 8;
const leastPauseMs = 1000;
const linkMark = "link ";
/** Looks that are further apart, in cadences, had an outage or a sleep between them. */
const outagePolls = 2;
/** With so many new windows at once, the source itself had an outage. */
const outageWindows = 3;

/**
 * Starts following a source into an operational event. Resolves before anything was asked of the source.
 * @throws AppError `conflict` where the event cannot take a live feed
 */
export async function startFeed(options: FeedOptions): Promise<Feed> {
  const { catalog, eventId } = options;
  const event = await catalog.findEvent(eventId);
  resolveIdentity(event, { id: eventId, kind: "operational-feed", origin: "observed" });
  if (event?.mirrorOf !== undefined) {
    throw new AppError("conflict", `The event ${eventId} is a copy of another service's and takes no feed.`);
  }
  const feed = new RunningFeed(options, event === undefined ? options.label : undefined);
  feed.restore(await catalog.listAssets(eventId));
  void feed.run();
  return feed;
}

class RunningFeed implements Feed {
  readonly #options: FeedOptions;
  readonly #ledger = new AssetLedger();
  readonly #journal: FeedJournal;
  readonly #stopping = new AbortController();
  readonly #told = new Set<string>();
  readonly #gapCursors = new Map<ProductId, number>();
  readonly #stopWatching: (() => void) | undefined;
  readonly #ended = Promise.withResolvers<undefined>();
  /** Of a new event, until it is there. */
  #label: string | undefined;
  #wake: AbortController | undefined;
  #looks = 0;
  #lastCheckedMs: number | undefined;
  #lastReachedMs: number | undefined;
  #nextLookMs = 0;
  #linkFailures = 0;
  #linkProblem: string | undefined;
  /** Publishing itself failed, at so many turns in a row, and rests until then. */
  #publishFailures = 0;
  #restUntilMs = 0;
  #newestPublished: number | undefined;
  #hasBacklog = false;
  /** After a start, an outage or a sleep, until all is dealt with that was missed. */
  #isRecovering = true;
  #isStopped = false;

  constructor(options: FeedOptions, label: string | undefined) {
    const { source, eventId, effects } = options;
    this.#options = options;
    this.#label = label;
    this.#journal = new FeedJournal({ source: source.name, eventId, now: effects.now });
    this.#stopWatching = source.watch?.(() => {
      // Not more often than once a second, however fast a file grows.
      this.#nextLookMs = Math.min(this.#nextLookMs, (this.#lastCheckedMs ?? 0) + leastPauseMs);
      this.#wake?.abort();
    });
  }

  restore(records: Parameters<AssetLedger["restore"]>[0]): void {
    this.#ledger.restore(records);
    for (const { status, productId, observedAt } of records) {
      if (status !== "complete" || productId === undefined || observedAt === undefined) continue;
      this.#notePublished(productId, observedAt);
    }
    for (const id of productIds) {
      const newest = this.#ledger.newestWindow(id);
      if (newest !== undefined) this.#gapCursors.set(id, newest + 1);
    }
  }

  health(): readonly FeedHealth[] {
    const { source, eventId } = this.#options;
    const pendingWindows = this.#ledger.openWindows().length;
    const state = toFeedState({
      isStopped: this.#isStopped,
      wasChecked: this.#lastCheckedMs !== undefined,
      hasLinkProblem: this.#linkProblem !== undefined,
      hasProcessingProblem: this.#publishFailures > 0 || this.#journal.hasNewFailure(),
      pendingWindows,
      newestListedMs: this.#journal.newestListedMs(),
      nowMs: this.#nowMs(),
    });
    return [
      {
        source: source.name,
        eventId,
        state,
        lastCheckedAt: orNull(this.#lastCheckedMs),
        lastReachedAt: orNull(this.#lastReachedMs),
        nextCheckAt:
          this.#isStopped || this.#lastCheckedMs === undefined ? null : toInstant(this.#nextLookMs),
        linkProblem: this.#linkProblem ?? null,
        pendingWindows,
        products: this.#journal.products(),
        counts: { ...this.#journal.counts },
      },
    ];
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#ended.promise;
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping;
    this.#journal.add({ kind: "started" });
    while (!signal.aborted) {
      try {
        await this.#turn();
        await this.#pause();
      } catch (error) {
        // Whatever it was, a feed goes on: it is unattended.
        if (!this.#stopping.signal.aborted) this.#restAfter(error);
      }
    }
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#stopWatching?.();
    this.#isStopped = true;
    this.#journal.add({ kind: "stopped" });
    for (const window of this.#ledger.openWindows()) {
      for (const { staged } of this.#ledger.assetsOf(window))
        if (staged) await rm(staged.path, { force: true });
    }
    await this.#writeLog();
    this.#ended.resolve(undefined);
  }

  async #turn(): Promise<void> {
    if (this.#isDue(this.#nextLookMs)) await this.#look();
    if (this.#isDue(this.#restUntilMs)) await this.#work();
    await this.#writeLog();
  }

  async #look(): Promise<void> {
    const { source, timing, effects } = this.#options;
    const nowMs = this.#nowMs();
    const isFull = this.#looks % fullLookEvery === 0 || this.#linkFailures > 0 || source.watch !== undefined;
    this.#looks += 1;
    try {
      const listing = await source.list(this.#rangeOf(nowMs, isFull), this.#stopping.signal);
      if (nowMs - (this.#lastReachedMs ?? -Infinity) > outagePolls * timing.pollMs) this.#isRecovering = true;
      this.#lastCheckedMs = this.#lastReachedMs = nowMs;
      this.#linkFailures = 0;
      await this.#takeListing(listing, nowMs);
      this.#noteLink(listing.failures[0]);
      this.#nextLookMs =
        nowMs + Math.min(nextPollDelay(0, timing, effects.random), listing.lookAgainInMs ?? Infinity);
    } catch (error) {
      this.#stopping.signal.throwIfAborted();
      if (isAppError(error, "storage-failed")) throw error;
      this.#lastCheckedMs = nowMs;
      this.#isRecovering = true;
      this.#linkFailures += 1;
      this.#noteLink({ what: "", message: this.#sentenceOf(error) });
      this.#nextLookMs = nowMs + nextPollDelay(this.#linkFailures, timing, effects.random);
    }
  }

  /** From what is kept to what a clock that is a little late may still call the future. */
  #rangeOf(nowMs: number, isFull: boolean): TimeRange {
    const newestMs = Math.max(nowMs, this.#journal.newestListedMs() ?? -Infinity);
    const keptFromMs = newestMs - this.#options.timing.keepMs;
    return {
      fromMs: isFull ? keptFromMs : Math.max(keptFromMs, nowMs - recentMs),
      toMs: nowMs + futureToleranceMs,
    };
  }

  #noteLink(problem: ListingProblem | undefined): void {
    const was = this.#linkProblem;
    this.#linkProblem = problem?.message;
    if (problem) {
      if (!this.#tellOnce(`${linkMark}${problem.message}`)) return;
      this.#journal.counts.failed += 1;
      const { message, what } = problem;
      this.#journal.add({ kind: "link-down", message, ...(what === "" ? {} : { locator: what }) });
    } else if (was !== undefined) {
      this.#journal.add({ kind: "link-up" });
      // The same trouble is told again when it comes back after all was well.
      for (const told of this.#told) if (told.startsWith(linkMark)) this.#told.delete(told);
    }
  }

  async #takeListing({ assets, strange, failures }: Listing, nowMs: number): Promise<void> {
    for (const { what, message } of strange) {
      if (!this.#tellOnce(`name ${what}`)) continue;
      this.#journal.counts.failed += 1;
      this.#journal.add({ kind: "failed", locator: what, message });
    }
    const usable = assets.filter((asset) => this.#isNotAhead(asset, nowMs));
    const fresh = this.#ledger.merge(usable, nowMs);
    for (const { productId, observedAt } of usable)
      this.#journal.noteListed(productId, Date.parse(observedAt));
    await this.#discover(fresh);
    if (failures.length === 0) this.#noteGaps(nowMs);
    for (const { path } of this.#ledger.forgetBefore(this.#rangeOf(nowMs, true).fromMs))
      await rm(path, { force: true });
  }

  #isNotAhead({ observedAt, locator, productId }: SourceAsset, nowMs: number): boolean {
    if (Date.parse(observedAt) - nowMs <= futureToleranceMs) return true;
    if (this.#tellOnce(`ahead ${locator}`)) {
      this.#journal.counts.failed += 1;
      const message = "Its observation is too far ahead of the clock.";
      this.#journal.add({ kind: "refused", productId, observedAt, locator, message });
    }
    return false;
  }

  /** The newest is discovered last, which is what the data status goes by. */
  async #discover(fresh: readonly TrackedAsset[]): Promise<void> {
    const ascending = fresh.toSorted(
      (a, b) => Date.parse(a.asset.observedAt) - Date.parse(b.asset.observedAt),
    );
    const ids = await this.#options.catalog.discoverAssets(
      ascending.map(({ asset }) => ({
        eventId: this.#options.eventId,
        locator: asset.locator,
        productId: asset.productId,
        observedAt: asset.observedAt,
        byteLength: asset.byteLength,
        sha256: undefined,
        lastModifiedAt: asset.lastModifiedAt,
        etag: asset.etag,
      })),
    );
    for (const [index, tracked] of ascending.entries()) tracked.assetId = ids[index];
  }

  #noteGaps(nowMs: number): void {
    const firstKept = observationWindow(toInstant(this.#rangeOf(nowMs, true).fromMs)) + 1;
    for (const productId of productIds) {
      const newest = this.#ledger.newestWindow(productId);
      if (newest === undefined) continue;
      const isListed = (window: number): boolean => this.#ledger.isListed(window, productId);
      const last = newest - gapGraceWindows;
      let first = Math.max(this.#gapCursors.get(productId) ?? firstKept, firstKept);
      // Before the first file of all, nobody knows of a gap.
      if (!this.#gapCursors.has(productId)) while (first < newest && !isListed(first)) first += 1;
      for (const gap of findGaps(first, last, isListed)) {
        const windows = gapLength(gap);
        this.#journal.counts.gaps += windows;
        const observedAt = windowStartAt(gap.firstWindow);
        const message = `The source has nothing for ${windows === 1 ? "this window" : `${windows} windows`}.`;
        this.#journal.add({ kind: "gap", productId, observedAt, message });
      }
      this.#gapCursors.set(productId, Math.max(first, last + 1));
    }
  }

  async #work(): Promise<void> {
    const nowMs = this.#nowMs();
    const actionable = this.#ledger.openWindows().filter((window) => this.#canAct(window, nowMs));
    const newestPublished = this.#newestPublished;
    if (actionable.filter((window) => window > (newestPublished ?? -Infinity)).length >= outageWindows) {
      this.#isRecovering = true;
    }
    const { newest, backfill, left } = planTurn(actionable, {
      newestPublished: this.#isRecovering ? newestPublished : Infinity,
      backfillLimit,
    });
    this.#hasBacklog = left > 0;
    if (actionable.length === 0) this.#isRecovering = false;
    const before = this.#journal.counts.published;
    if (newest !== undefined) await this.#deal([newest]);
    if (backfill.length > 0) await this.#deal(backfill);
    if (actionable.length > 0) this.#publishFailures = 0;
    if (this.#journal.counts.published > before) await this.#forgetOld();
    this.#lookSooner(nowMs);
  }

  #canAct(window: number, nowMs: number): boolean {
    return (
      this.#ledger.assetsOf(window).some((tracked) => this.#isFetchable(tracked)) ||
      this.#decide(window, nowMs).kind === "publish"
    );
  }

  #isFetchable({ state, retryAtMs, assetId }: TrackedAsset): boolean {
    return state === "listed" && assetId !== undefined && this.#isDue(retryAtMs);
  }

  #decide(window: number, nowMs: number): ReturnType<typeof decidePairing> {
    return decidePairing(this.#ledger.pairingOf(window), nowMs, this.#options.timing.pairWaitMs);
  }

  /** Fetches what these windows still lack, and publishes those that need not wait. */
  async #deal(windows: readonly number[]): Promise<void> {
    const { signal } = this.#stopping;
    const tracked = new Map<SourceAsset, TrackedAsset>();
    for (const each of windows.flatMap((window) => this.#ledger.assetsOf(window)))
      tracked.set(each.asset, each);
    const wanted = [...tracked.values()].filter((each) => this.#isFetchable(each));
    const deliveries = wanted.map(({ asset, assetId, doneEtag }) => ({
      asset,
      assetId: assetId!,
      knownEtag: doneEtag,
    }));
    await stageAll(deliveries, this.#options, signal, (outcome) =>
      this.#takeStaged(tracked.get(outcome.delivery.asset)!, outcome),
    );
    const nowMs = this.#nowMs();
    const ready = windows
      .filter((window) => this.#decide(window, nowMs).kind === "publish")
      .flatMap((window) => this.#ledger.assetsOf(window))
      .flatMap(toDelivery);
    if (ready.length === 0) return;
    await publishStaged(
      ready,
      { workshop: this.#options, event: this.#eventDraft(), signal },
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
      await this.#options.catalog.updateAsset(assetId!, { status: "complete" });
    } else if ("error" in outcome) {
      // A full disk is no fault of the file.
      if (isAppError(outcome.error, "storage-failed")) throw outcome.error;
      const message = this.#sentenceOf(outcome.error);
      this.#noteFailure(tracked, message);
      await this.#options.catalog.updateAsset(assetId!, {
        status: "failed",
        errorMessage: `${asset.name}: ${message}`,
      });
    } else {
      tracked.staged = outcome;
      tracked.state = "staged";
      this.#journal.counts.received += 1;
      const delayMs = this.#nowMs() - Date.parse(observedAt);
      this.#journal.noteArrival(productId, delayMs);
      const { byteLength } = outcome;
      this.#journal.add({
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
    this.#notePublished(result.product, result.observedAt);
  }

  #settle(tracked: TrackedAsset): void {
    tracked.state = "done";
    tracked.doneEtag = tracked.asset.etag;
    this.#ledger.notePublished(tracked.window, tracked.asset.productId);
  }

  #noteDuplicate(tracked: TrackedAsset): void {
    const { productId, observedAt, locator } = tracked.asset;
    this.#settle(tracked);
    this.#journal.counts.duplicates += 1;
    this.#journal.add({ kind: "duplicate", productId, observedAt, locator });
  }

  #notePublished(productId: ProductId, observedAt: string): void {
    this.#journal.notePublished(productId, Date.parse(observedAt));
    this.#newestPublished = Math.max(this.#newestPublished ?? -Infinity, observationWindow(observedAt));
  }

  /** Told once for each cause, counted once for each version of the file, and tried again within bounds. */
  #noteFailure(tracked: TrackedAsset, message: string): void {
    const { timing, effects } = this.#options;
    const { productId, observedAt, locator } = tracked.asset;
    tracked.attempts += 1;
    tracked.state = tracked.attempts < attemptLimit ? "listed" : "given-up";
    tracked.retryAtMs = this.#nowMs() + retryDelay(tracked.attempts, timing, effects.random);
    this.#journal.noteFailure(productId, observedAt, message);
    if (tracked.told.size === 0) this.#journal.counts.failed += 1;
    if (tracked.told.has(message)) return;
    tracked.told.add(message);
    this.#journal.add({ kind: "failed", productId, observedAt, locator, message });
  }

  #noteRevision({ revision, change, candidates }: PublishedRevision): void {
    const { counts } = this.#journal;
    this.#label = undefined;
    counts.published += 1;
    if (change === "correction") counts.corrections += 1;
    if (change === "completion") counts.completions += 1;
    if (change === "backfill") counts.backfills += 1;
    const { observedAt, publishedAt, revisionId, sequence } = revision;
    const delayMs = Date.parse(publishedAt) - Date.parse(observedAt);
    const [only, ...others] = candidates;
    const productId = others.length === 0 ? only?.productId : undefined;
    this.#journal.add({ kind: "published", productId, observedAt, revisionId, sequence, change, delayMs });
  }

  async #forgetOld(): Promise<void> {
    const { catalog, eventId, timing } = this.#options;
    const { revisions, frames } = await catalog.prune(eventId, timing.keepMs);
    if (revisions === 0) return;
    this.#journal.add({
      kind: "pruned",
      message: `${revisions} revisions and ${frames} frames were removed.`,
    });
  }

  /** A window that waits for its other product, and a backlog, make a feed look again before its time. */
  #lookSooner(nowMs: number): void {
    if (this.#linkFailures > 0) return;
    const { pollMs, pairWaitMs } = this.#options.timing;
    const isWaiting = this.#ledger
      .openWindows()
      .some((window) => this.#decide(window, nowMs).kind === "wait");
    const pauses = [
      ...(isWaiting ? [pairWaitMs / 4] : []),
      ...(this.#hasBacklog ? [pollMs * catchUpShare] : []),
    ].map((ms) => Math.max(leastPauseMs, ms));
    this.#nextLookMs = Math.min(this.#nextLookMs, ...pauses.map((ms) => (this.#lastCheckedMs ?? nowMs) + ms));
  }

  /** Sleeps until there is something to do: a look, a window that has waited long enough, a file to be tried again. */
  async #pause(): Promise<void> {
    const { signal } = this.#stopping;
    if (this.#hasBacklog && this.#isDue(this.#restUntilMs)) return;
    const nowMs = this.#nowMs();
    const times = [this.#nextLookMs];
    for (const window of this.#ledger.openWindows()) {
      const decision = this.#decide(window, nowMs);
      if (decision.kind === "wait") times.push(decision.untilMs);
      for (const tracked of this.#ledger.assetsOf(window)) {
        if (tracked.state === "listed" && isOpen(tracked)) times.push(tracked.retryAtMs);
      }
    }
    const dueMs = Math.max(Math.min(...times), Math.min(this.#restUntilMs, this.#nextLookMs));
    await this.#sleep(Math.min(Math.max(0, dueMs - nowMs), this.#longestWaitMs()), signal);
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const wake = new AbortController();
    this.#wake = wake;
    try {
      await this.#options.effects.sleep(ms, AbortSignal.any([signal, wake.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (!wake.signal.aborted) throw error;
    } finally {
      this.#wake = undefined;
    }
  }

  /** Publishing, or the disk, failed: what is staged stays, and is tried again after a while. */
  #restAfter(error: unknown): void {
    const { timing, effects } = this.#options;
    const message = this.#sentenceOf(error);
    this.#publishFailures += 1;
    this.#restUntilMs = this.#nowMs() + retryDelay(this.#publishFailures, timing, effects.random);
    this.#nextLookMs = Math.max(this.#nextLookMs, this.#restUntilMs);
    for (const id of productIds) this.#journal.noteFailure(id, null, message);
    if (this.#publishFailures > 1) return;
    this.#journal.counts.failed += 1;
    this.#journal.add({ kind: "failed", message });
  }

  /** The sentence for the log and for people; what nobody foresaw goes to the host's own log in its own words. */
  #sentenceOf(error: unknown): string {
    if (isAppError(error)) return error.detail;
    this.#options.effects.log("error", "The feed met something that was not foreseen.", { error });
    return messageOf(toSourceError(error));
  }

  async #writeLog(): Promise<void> {
    const entries = this.#journal.take();
    if (entries.length === 0) return;
    try {
      await this.#options.catalog.appendFeedLog(entries);
    } catch (error) {
      this.#journal.putBack(entries);
      if (this.#stopping.signal.aborted) return;
      throw error;
    }
  }

  /** Whether this is new. Bounded: the oldest is forgotten first. */
  #tellOnce(what: string): boolean {
    if (this.#told.has(what)) return false;
    this.#told.add(what);
    if (this.#told.size > toldLimit) this.#told.delete(this.#told.values().next().value!);
    return true;
  }

  /** A time that lies further ahead than any wait was set before the clock was set back. */
  #isDue(atMs: number): boolean {
    const leftMs = atMs - this.#nowMs();
    return leftMs <= 0 || leftMs > this.#longestWaitMs();
  }

  #longestWaitMs(): number {
    const { pollMs, backoffMaxMs, pairWaitMs } = this.#options.timing;
    return 1.2 * Math.max(pollMs, backoffMaxMs, pairWaitMs);
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

function orNull(ms: number | undefined): string | null {
  return ms === undefined ? null : toInstant(ms);
}
