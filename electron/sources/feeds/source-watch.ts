// Looking at a source: when, how far back, and what to say while it cannot be reached.
import { messageOf } from "../../../shared/app-error.ts";
import { futureToleranceMs } from "../../catalog/event-rules.ts";
import type { FeedTiming } from "./feed-config.ts";
import type { Effects } from "../../platform/effects.ts";
import type { FeedJournal } from "./feed-journal.ts";
import type { FeedSource, Listing, ListingProblem, TimeRange } from "./feed-source.ts";
import { askedWaitMs, isLinkError } from "./link-error.ts";
import { dayMs } from "./mrms-name.ts";
import { pollDelay, retryDelay } from "./poll-schedule.ts";
import { ToldCauses } from "./told-causes.ts";

export interface SourceWatchOptions {
  readonly source: FeedSource;
  readonly timing: FeedTiming;
  readonly effects: Pick<Effects, "now" | "random">;
  readonly journal: FeedJournal;
}

/** Most looks go back this far; every fifth one goes back as far as the feed keeps. */
const recentMs = 3_600_000;
const fullLookEvery = 5;
const leastPauseMs = 1000;
/** Looks that are further apart, in cadences, had an outage or a sleep between them. */
const outagePolls = 2;

export class SourceWatch {
  readonly #options: SourceWatchOptions;
  readonly #told = new ToldCauses();
  #looks = 0;
  #lastCheckedMs: number | undefined;
  #lastReachedMs: number | undefined;
  #nextLookMs = 0;
  #failures = 0;
  #problem: string | undefined;

  constructor(options: SourceWatchOptions) {
    this.#options = options;
  }

  get lastCheckedMs(): number | undefined {
    return this.#lastCheckedMs;
  }

  get lastReachedMs(): number | undefined {
    return this.#lastReachedMs;
  }

  get nextLookMs(): number {
    return this.#nextLookMs;
  }

  /** A sentence while the source cannot be reached, or a part of it cannot be listed. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Undefined where nothing could be listed. `hadOutage`: more may have been missed than one cadence brings.
   * @throws the signal's reason; what is no fault of the source
   */
  async look(signal: AbortSignal): Promise<{ listing: Listing; hadOutage: boolean } | undefined> {
    const { source, timing, effects } = this.#options;
    const nowMs = this.#nowMs();
    const isFull = this.#looks % fullLookEvery === 0 || this.#failures > 0 || this.#isAtHand;
    this.#looks += 1;
    try {
      const listing = await source.list(this.rangeOf(isFull ? timing.keepMs : recentMs), signal);
      const hadOutage = nowMs - (this.#lastReachedMs ?? -Infinity) > outagePolls * timing.pollMs;
      this.#lastCheckedMs = this.#lastReachedMs = nowMs;
      this.#failures = 0;
      this.#note(listing.failures[0]);
      const delayMs = pollDelay(timing, effects.random);
      this.#nextLookMs = nowMs + Math.min(delayMs, listing.lookAgainInMs ?? Infinity);
      return { listing, hadOutage };
    } catch (error) {
      signal.throwIfAborted();
      if (!isLinkError(error)) throw error;
      this.#lastCheckedMs = nowMs;
      this.#failures += 1;
      this.#note({ what: "", message: messageOf(error) });
      this.#nextLookMs = nowMs + retryDelay(this.#failures, timing, effects.random, askedWaitMs(error));
      return undefined;
    }
  }

  /**
   * From what is kept, or later, to the end of the newest day whose listing is asked for anyway, or without end where all lies
   * at hand: what is ahead of the clock is listed too, so that the feed can say that it refuses it.
   */
  rangeOf(backMs: number): TimeRange {
    const nowMs = this.#nowMs();
    const newestMs = Math.max(nowMs, this.#options.journal.newestListedMs() ?? -Infinity);
    const keptFromMs = newestMs - this.#options.timing.keepMs;
    const nextDayMs = (Math.floor((nowMs + futureToleranceMs) / dayMs) + 1) * dayMs;
    const toMs = this.#isAtHand ? Infinity : nextDayMs - 1;
    return { fromMs: Math.max(keptFromMs, nowMs - backMs), toMs };
  }

  /** Looks again so long after the last look, if that is before its time. Not while the source has to be left alone. */
  lookSooner(afterMs: number): void {
    if (this.#failures > 0) return;
    const soonMs = (this.#lastCheckedMs ?? 0) + Math.max(leastPauseMs, afterMs);
    this.#nextLookMs = Math.min(this.#nextLookMs, soonMs);
  }

  lookLater(untilMs: number): void {
    this.#nextLookMs = Math.max(this.#nextLookMs, untilMs);
  }

  /** A source that can be watched is of this machine: looking at all of it costs little. */
  get #isAtHand(): boolean {
    return this.#options.source.watch !== undefined;
  }

  #note(problem: ListingProblem | undefined): void {
    const { journal } = this.#options;
    const was = this.#problem;
    this.#problem = problem?.message;
    if (problem) {
      if (!this.#told.tellOnce(problem.message)) return;
      const { message, what } = problem;
      journal.counts.failed += 1;
      journal.add({ kind: "link-down", message, ...(what === "" ? {} : { locator: what }) });
    } else if (was !== undefined) {
      journal.add({ kind: "link-up" });
      // The same trouble is told again when it comes back after all was well.
      this.#told.forget();
    }
  }

  #nowMs(): number {
    return this.#options.effects.now().getTime();
  }
}
