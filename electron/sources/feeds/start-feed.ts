// The loop of a live feed: polls its source, downloads what is new, pairs the products of a window, publishes,
// removes what is too old, and sleeps. Turns run one after the other, and each turn has a limit.
import { rm } from "node:fs/promises";
import { AppError, isAppError, messageOf } from "../../../shared/app-error.ts";
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import { productIds } from "../../../shared/contract/primitives.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { AssetRecord, Catalog } from "../../catalog/catalog.ts";
import { resolveIdentity } from "../../catalog/plans/event-rules.ts";
import { toInstant } from "../../catalog/plans/instants.ts";
import { toSourceError } from "../../pipeline/ingest/source-error.ts";
import type { Effects } from "../../platform/effects.ts";
import { createBell, type Bell } from "../fetching/bell.ts";
import { AssetLedger, type StagedFile } from "./asset-ledger.ts";
import type { FeedTiming } from "./feed-config.ts";
import { FeedJournal } from "./feed-journal.ts";
import { backfillWindows, catchUpShare, outageWindows, pairPollShare } from "./feed-limits.ts";
import { orNull } from "./feed-notes.ts";
import type { Listing } from "./feed-source.ts";
import { toFeedState } from "./feed-state.ts";
import type { Feed } from "./feed.ts";
import { GapWatch } from "./gaps.ts";
import { retryDelay } from "./link-error.ts";
import { refuseAhead, reportUnusable, SourceWatch } from "./source-watch.ts";
import { discoverAssets, type Workshop } from "./stage-assets.ts";
import { WindowWork } from "./window-work.ts";
import { planTurn } from "./work-order.ts";

export interface FeedOptions extends Omit<Workshop, "catalog"> {
  readonly catalog: Catalog;
  readonly eventId: string;
  /** Label of a new event. */
  readonly label: string;
  readonly timing: FeedTiming;
  readonly effects: Pick<Effects, "now" | "sleep" | "random" | "log">;
}

/**
 * Starts to follow a source into an operational event. Resolves before the first poll.
 * @throws AppError `conflict` if the event cannot take a live feed
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
  readonly #watch: SourceWatch;
  readonly #gaps: GapWatch;
  readonly #work: WindowWork;
  readonly #bell: Bell;
  readonly #stopWatching: (() => void) | undefined;
  readonly #ended = Promise.withResolvers<undefined>();
  /** Turns in a row in which publishing or the disk failed, and the pause after them. */
  #failedTurns = 0;
  #restUntilMs = 0;
  #hasBacklog = false;
  /** After a start, an outage or a sleep, until everything missed is published. */
  #isRecovering = true;
  #isStopped = false;

  constructor(options: FeedOptions, label: string | undefined) {
    const { source, eventId, effects, timing } = options;
    this.#options = options;
    this.#journal = new FeedJournal({ source: source.name, eventId, now: effects.now });
    this.#watch = new SourceWatch({ source, timing, effects, journal: this.#journal });
    this.#gaps = new GapWatch(this.#ledger, this.#journal);
    this.#work = new WindowWork({
      workshop: options,
      eventId,
      label,
      timing,
      effects,
      ledger: this.#ledger,
      journal: this.#journal,
      isDue: (atMs) => this.#isDue(atMs),
      sentenceOf: (error) => this.#sentenceOf(error),
      signal: this.#stopping.signal,
    });
    this.#bell = createBell(effects.sleep);
    this.#stopWatching = source.watch?.(() => {
      this.#watch.lookAfterNotice();
      this.#bell.ring();
    });
  }

  restore(records: readonly AssetRecord[]): void {
    this.#ledger.restore(records);
    for (const { status, productId, observedAt } of records) {
      if (status !== "complete" || productId === undefined || observedAt === undefined) continue;
      this.#work.notePublished(productId, observedAt);
    }
    this.#gaps.restore();
  }

  health(): readonly FeedHealth[] {
    const { source, eventId } = this.#options;
    const { lastCheckedMs, lastReachedMs, nextLookMs, problem } = this.#watch;
    const pendingWindows = this.#ledger.openWindows().length;
    const state = toFeedState({
      isStopped: this.#isStopped,
      wasChecked: lastCheckedMs !== undefined,
      hasLinkProblem: problem !== undefined,
      hasProcessingProblem: this.#failedTurns > 0 || this.#journal.hasNewFailure(),
      // One window may wait for its second product.
      isCatchingUp: pendingWindows > 1,
      newestListedMs: this.#journal.newestListedMs(),
      nowMs: this.#nowMs(),
    });
    const hasNextCheck = !this.#isStopped && lastCheckedMs !== undefined;
    return [
      {
        source: source.name,
        eventId,
        state,
        lastCheckedAt: orNull(lastCheckedMs),
        lastReachedAt: orNull(lastReachedMs),
        nextCheckAt: hasNextCheck ? toInstant(nextLookMs) : null,
        linkProblem: problem ?? null,
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
      await this.#runTurn();
      // Also after a failure: a loop that fails without a pause would block the process.
      await this.#pause();
    }
    await this.#end();
  }

  /** Runs a turn and writes its log. No failure ends the feed: it is unattended. */
  async #runTurn(): Promise<void> {
    const isResting = !this.#isDue(this.#restUntilMs);
    const outcomes = await Promise.allSettled([this.#turn(isResting)]);
    outcomes.push(...(await Promise.allSettled([this.#writeLog()])));
    if (this.#stopping.signal.aborted) return;
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure) this.#restAfter(failure.reason);
    else if (!isResting && this.#failedTurns > 0) {
      this.#failedTurns = 0;
      this.#journal.noteRecovered();
    }
  }

  async #end(): Promise<void> {
    this.#stopWatching?.();
    this.#isStopped = true;
    this.#journal.add({ kind: "stopped" });
    try {
      for (const window of this.#ledger.openWindows()) {
        for (const { staged } of this.#ledger.assetsOf(window)) if (staged) await this.#dropStaged(staged);
      }
      await this.#writeLog();
    } catch (error) {
      this.#options.effects.log("warn", "The feed did not stop cleanly.", { error });
    } finally {
      this.#ended.resolve(undefined);
    }
  }

  async #turn(isResting: boolean): Promise<void> {
    if (this.#isDue(this.#watch.nextLookMs)) {
      const look = await this.#watch.look(this.#stopping.signal);
      if (!look || look.hadOutage) this.#isRecovering = true;
      if (look) await this.#takeListing(look.listing, this.#nowMs());
    }
    if (!isResting) await this.#publishReady();
  }

  async #takeListing(listing: Listing, nowMs: number): Promise<void> {
    const { catalog, eventId, timing } = this.#options;
    reportUnusable(this.#journal, listing);
    const usable = refuseAhead(this.#journal, listing.assets, nowMs);
    const fresh = this.#ledger.merge(usable, nowMs);
    for (const { productId, observedAt } of usable) this.#journal.noteListed(productId, observedAt);
    const { newestBefore } = listing;
    if (newestBefore) this.#journal.noteListed(newestBefore.productId, newestBefore.observedAt);
    await discoverAssets(catalog, eventId, fresh);
    const { fromMs } = this.#watch.rangeOf(timing.keepMs);
    const isWhole = listing.failures.length + listing.unreadable.length === 0;
    if (isWhole) this.#gaps.note(observationWindow(toInstant(fromMs)) + 1);
    for (const staged of this.#ledger.forgetBefore(fromMs)) await this.#dropStaged(staged);
  }

  async #publishReady(): Promise<void> {
    const nowMs = this.#nowMs();
    const before = this.#journal.counts.published;
    await this.#publishStuck(nowMs);
    const actionable = this.#ledger.openWindows().filter((window) => this.#work.canAct(window, nowMs));
    const newestPublished = this.#work.newestPublished;
    const isNew = (window: number): boolean => window > (newestPublished ?? -Infinity);
    if (actionable.filter(isNew).length >= outageWindows) this.#isRecovering = true;
    const { first, backfill, left } = planTurn(actionable, {
      newestPublished,
      isRecovering: this.#isRecovering,
      backfillLimit: backfillWindows,
    });
    if (actionable.length === 0) this.#isRecovering = false;
    if (first.length > 0) await this.#work.deal(first);
    if (backfill.length > 0) await this.#work.deal(backfill);
    this.#hasBacklog = left > 0;
    if (this.#journal.counts.published > before) await this.#removeOld();
    this.#lookSooner(nowMs);
  }

  /** Publishes staged files first while publishing fails, so that staging does not grow. */
  async #publishStuck(nowMs: number): Promise<void> {
    if (this.#failedTurns === 0) return;
    const stuck = this.#ledger
      .openWindows()
      .filter((window) => this.#work.decide(window, nowMs).kind === "publish");
    if (stuck.length > 0) await this.#work.deal(stuck.slice(-backfillWindows));
  }

  async #removeOld(): Promise<void> {
    const { catalog, eventId, timing } = this.#options;
    const { revisions, frames } = await catalog.prune(eventId, timing.keepMs);
    if (revisions === 0) return;
    const message = `${revisions} old revisions and ${frames} frames were removed.`;
    this.#journal.add({ kind: "pruned", message });
  }

  /** Polls early while a window waits for its second product, or older windows are left. */
  #lookSooner(nowMs: number): void {
    const { pollMs, pairWaitMs } = this.#options.timing;
    const isWaiting = this.#ledger
      .openWindows()
      .some((window) => this.#work.decide(window, nowMs).kind === "wait");
    if (isWaiting) this.#watch.lookSooner(pairWaitMs * pairPollShare);
    if (this.#hasBacklog) this.#watch.lookSooner(pollMs * catchUpShare);
  }

  /** Also discards its stored copy, which a failed publication may have made. */
  async #dropStaged({ path, sha256 }: StagedFile): Promise<void> {
    await rm(path, { force: true });
    await this.#options.catalog.discardSources([sha256]);
  }

  /**
   * Sleeps until there is work: a poll, a window that has waited long enough, a retry, or a change of a watched
   * folder.
   */
  async #pause(): Promise<void> {
    if (this.#hasBacklog && this.#isDue(this.#restUntilMs)) return;
    const nowMs = this.#nowMs();
    const { nextLookMs } = this.#watch;
    const times = [nextLookMs];
    for (const window of this.#ledger.openWindows()) {
      const decision = this.#work.decide(window, nowMs);
      if (decision.kind === "wait") times.push(decision.untilMs);
      for (const { state, retryAtMs } of this.#ledger.assetsOf(window)) {
        if (state === "listed") times.push(retryAtMs);
      }
    }
    const dueMs = Math.max(Math.min(...times), Math.min(this.#restUntilMs, nextLookMs));
    const { signal } = this.#stopping;
    try {
      await this.#bell.wait(Math.min(Math.max(0, dueMs - nowMs), this.#longestWaitMs()), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Pauses after publishing or the disk failed; staged files stay for a retry. */
  #restAfter(error: unknown): void {
    const { timing, effects } = this.#options;
    const message = this.#sentenceOf(error);
    this.#failedTurns += 1;
    this.#restUntilMs = this.#nowMs() + retryDelay(this.#failedTurns, timing, effects.random);
    this.#watch.lookLater(this.#restUntilMs);
    for (const id of productIds) this.#journal.noteFailure(id, null, message);
    if (this.#failedTurns > 1) return;
    this.#journal.counts.failed += 1;
    this.#journal.add({ kind: "failed", message });
  }

  /** Returns the sentence of an error; the details of an unexpected one go to the host's log only. */
  #sentenceOf(error: unknown): string {
    if (isAppError(error)) return error.detail;
    this.#options.effects.log("error", "The feed failed unexpectedly.", { error });
    return messageOf(toSourceError(error));
  }

  async #writeLog(): Promise<void> {
    const entries = this.#journal.take();
    if (entries.length === 0) return;
    try {
      await this.#options.catalog.appendFeedLog(entries);
    } catch (error) {
      this.#journal.putBack(entries);
      throw error;
    }
  }

  /** Returns true for a past time, and for one so far ahead that the clock must have been set back. */
  #isDue(atMs: number): boolean {
    const leftMs = atMs - this.#nowMs();
    return leftMs <= 0 || leftMs > this.#longestWaitMs();
  }

  /** Longer than any wait that a feed sets. */
  #longestWaitMs(): number {
    const { pollMs, backoffMaxMs, pairWaitMs } = this.#options.timing;
    return 1.2 * Math.max(pollMs, backoffMaxMs, pairWaitMs);
  }

  #nowMs(): number {
    return this.#options.effects.now().getTime();
  }
}
