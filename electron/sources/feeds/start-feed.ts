// The loop of a live feed: looks at its source, fetches what is new, pairs the products of a window, publishes, forgets what
// is too old, and sleeps. One turn after the other, so nothing of it runs twice at a time; what a turn does is bounded.
import { rm } from "node:fs/promises";
import { AppError, isAppError, messageOf } from "../../../shared/app-error.ts";
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import { productIds } from "../../../shared/contract/primitives.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { resolveIdentity } from "../../catalog/event-rules.ts";
import { toInstant } from "../../catalog/instants.ts";
import type { FeedTiming } from "./feed-config.ts";
import type { Effects } from "../../platform/effects.ts";
import { toSourceError } from "../../pipeline/ingest/source-error.ts";
import { AssetLedger, isOpen, type StagedFile, type TrackedAsset } from "./asset-ledger.ts";
import { FeedJournal } from "./feed-journal.ts";
import type { Feed } from "./feed.ts";
import type { Listing } from "./feed-source.ts";
import { toFeedState } from "./feed-state.ts";
import { GapWatch } from "./gap-watch.ts";
import { ListingJournal } from "./listing-journal.ts";
import { retryDelay } from "./poll-schedule.ts";
import { SourceWatch } from "./source-watch.ts";
import type { Workshop } from "./stage-assets.ts";
import { WindowWork } from "./window-work.ts";
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
/** Of the cadence: how soon a feed looks again while older windows are still to be fetched. */
const catchUpShare = 1 / 8;
/** Of the time that a window waits: how soon a feed looks for its second product. */
const pairLookShare = 1 / 4;
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
  readonly #listings: ListingJournal;
  readonly #watch: SourceWatch;
  readonly #gaps: GapWatch;
  readonly #stopWatching: (() => void) | undefined;
  readonly #ended = Promise.withResolvers<undefined>();
  #wake: AbortController | undefined;
  /** Publishing itself, or the disk, failed at so many turns in a row, and rests until then. */
  #failedTurns = 0;
  #restUntilMs = 0;
  readonly #isDue: (atMs: number) => boolean;
  readonly #work: WindowWork;
  #hasBacklog = false;
  /** After a start, an outage or a sleep, until all is dealt with that was missed. */
  #isRecovering = true;
  #isStopped = false;

  constructor(options: FeedOptions, label: string | undefined) {
    const { source, eventId, effects, timing } = options;
    this.#options = options;
    this.#journal = new FeedJournal({ source: source.name, eventId, now: effects.now });
    this.#listings = new ListingJournal(this.#journal);
    this.#watch = new SourceWatch({ source, timing, effects, journal: this.#journal });
    this.#gaps = new GapWatch(this.#ledger, this.#journal);
    this.#isDue = createIsDue(effects.now, longestWaitMs(timing));
    this.#work = new WindowWork({
      workshop: options,
      eventId,
      label,
      timing,
      effects,
      ledger: this.#ledger,
      journal: this.#journal,
      isDue: this.#isDue,
      sentenceOf: (error) => this.#sentenceOf(error),
      signal: this.#stopping.signal,
    });
    this.#stopWatching = source.watch?.(() => {
      this.#watch.lookSooner(0);
      this.#wake?.abort();
    });
  }

  restore(records: Parameters<AssetLedger["restore"]>[0]): void {
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
      pendingWindows,
      newestListedMs: this.#journal.newestListedMs(),
      nowMs: this.#nowMs(),
    });
    const isOver = this.#isStopped || lastCheckedMs === undefined;
    return [
      {
        source: source.name,
        eventId,
        state,
        lastCheckedAt: orNull(lastCheckedMs),
        lastReachedAt: orNull(lastReachedMs),
        nextCheckAt: isOver ? null : toInstant(nextLookMs),
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
      await this.#goOn();
      // Also after a failure: a loop that fails without a pause would leave no time for anything else in this process.
      await this.#pause();
    }
    await this.#end();
  }

  /** A turn and what is to be told of it. Whatever fails, a feed goes on: it is unattended. */
  async #goOn(): Promise<void> {
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
      this.#options.effects.log("warn", "The feed could not end cleanly.", { error });
    } finally {
      this.#ended.resolve(undefined);
    }
  }

  async #turn(isResting: boolean): Promise<void> {
    if (this.#isDue(this.#watch.nextLookMs)) await this.#look();
    if (!isResting) await this.#workOff();
  }

  async #look(): Promise<void> {
    const look = await this.#watch.look(this.#stopping.signal);
    if (!look || look.hadOutage) this.#isRecovering = true;
    if (look) await this.#takeListing(look.listing, this.#nowMs());
  }

  async #takeListing({ assets, strange, failures, unreadable }: Listing, nowMs: number): Promise<void> {
    this.#listings.tellProblems({ strange, unreadable });
    const usable = this.#listings.refuseAhead(assets, nowMs);
    const fresh = this.#ledger.merge(usable, nowMs);
    for (const { productId, observedAt } of usable)
      this.#journal.noteListed(productId, Date.parse(observedAt));
    await this.#discover(fresh);
    const { fromMs } = this.#watch.rangeOf(this.#options.timing.keepMs);
    if (failures.length + unreadable.length === 0) this.#gaps.note(observationWindow(toInstant(fromMs)) + 1);
    for (const staged of this.#ledger.forgetBefore(fromMs)) await this.#dropStaged(staged);
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

  async #workOff(): Promise<void> {
    const nowMs = this.#nowMs();
    const before = this.#journal.counts.published;
    await this.#workOffWhatIsStuck(nowMs);
    const actionable = this.#ledger.openWindows().filter((window) => this.#work.canAct(window, nowMs));
    const newestPublished = this.#work.newestPublished;
    const isNew = (window: number): boolean => window > (newestPublished ?? -Infinity);
    if (actionable.filter(isNew).length >= outageWindows) this.#isRecovering = true;
    const { first, backfill, left } = planTurn(actionable, {
      newestPublished,
      isRecovering: this.#isRecovering,
      backfillLimit,
    });
    if (actionable.length === 0) this.#isRecovering = false;
    if (first.length > 0) await this.#work.deal(first);
    if (backfill.length > 0) await this.#work.deal(backfill);
    this.#hasBacklog = left > 0;
    if (this.#journal.counts.published > before) await this.#forgetOld();
    this.#lookSooner(nowMs);
  }

  /** While publishing fails, what lies in staging goes first, so that no more and more of it gathers there. */
  async #workOffWhatIsStuck(nowMs: number): Promise<void> {
    if (this.#failedTurns === 0) return;
    const stuck = this.#ledger
      .openWindows()
      .filter((window) => this.#work.decide(window, nowMs).kind === "publish");
    if (stuck.length > 0) await this.#work.deal(stuck.slice(-backfillLimit));
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
    const { pollMs, pairWaitMs } = this.#options.timing;
    const isWaiting = this.#ledger
      .openWindows()
      .some((window) => this.#work.decide(window, nowMs).kind === "wait");
    if (isWaiting) this.#watch.lookSooner(pairWaitMs * pairLookShare);
    if (this.#hasBacklog) this.#watch.lookSooner(pollMs * catchUpShare);
  }

  /** It may have been kept already, for a publication that failed then. */
  async #dropStaged({ path, sha256 }: StagedFile): Promise<void> {
    await rm(path, { force: true });
    await this.#options.catalog.discardSources([sha256]);
  }

  /** Sleeps until there is something to do: a look, a window that has waited long enough, a file to be tried again. */
  async #pause(): Promise<void> {
    const { signal } = this.#stopping;
    if (this.#hasBacklog && this.#isDue(this.#restUntilMs)) return;
    const nowMs = this.#nowMs();
    const { nextLookMs } = this.#watch;
    const times = [nextLookMs];
    for (const window of this.#ledger.openWindows()) {
      const decision = this.#work.decide(window, nowMs);
      if (decision.kind === "wait") times.push(decision.untilMs);
      for (const tracked of this.#ledger.assetsOf(window)) {
        if (tracked.state === "listed" && isOpen(tracked)) times.push(tracked.retryAtMs);
      }
    }
    const dueMs = Math.max(Math.min(...times), Math.min(this.#restUntilMs, nextLookMs));
    await this.#sleep(Math.min(Math.max(0, dueMs - nowMs), longestWaitMs(this.#options.timing)), signal);
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const wake = new AbortController();
    this.#wake = wake;
    try {
      await this.#options.effects.sleep(ms, AbortSignal.any([signal, wake.signal]));
    } catch (error) {
      if (!wake.signal.aborted && !signal.aborted) throw error;
    } finally {
      this.#wake = undefined;
    }
  }

  /** Publishing, or the disk, failed: what is staged stays, and is tried again after a while. */
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
      throw error;
    }
  }

  #nowMs(): number {
    return this.#options.effects.now().getTime();
  }
}

/** Longer than any wait that a feed sets. */
function longestWaitMs({ pollMs, backoffMaxMs, pairWaitMs }: FeedTiming): number {
  return 1.2 * Math.max(pollMs, backoffMaxMs, pairWaitMs);
}

/** A time that lies further ahead than any wait was set before the clock was set back: it is due. */
function createIsDue(now: () => Date, longestMs: number): (atMs: number) => boolean {
  return (atMs) => {
    const leftMs = atMs - now().getTime();
    return leftMs <= 0 || leftMs > longestMs;
  };
}

function orNull(ms: number | undefined): string | null {
  return ms === undefined ? null : toInstant(ms);
}
