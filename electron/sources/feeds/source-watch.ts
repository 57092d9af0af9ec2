// Polls a source: when, how far back, which listed files are usable, and what to report while it is unreachable.
import { messageOf } from "../../../shared/app-error.ts";
import type { Effects } from "../../platform/effects.ts";
import { jitteredMs } from "../fetching/backoff.ts";
import type { FeedTiming } from "./feed-config.ts";
import type { FeedJournal } from "./feed-journal.ts";
import {
  fullPollEvery,
  futureToleranceMs,
  leastPauseMs,
  maxListingProblems,
  noticePauseLooks,
  noticePauseMs,
  outagePolls,
  recentMs,
} from "./feed-limits.ts";
import type { FeedSource, Listing, ListingProblem, SourceAsset, TimeRange } from "./feed-source.ts";
import { askedWaitMs, isLinkError, retryDelay } from "./link-error.ts";
import { dayMs } from "./mrms-name.ts";

export interface SourceWatchOptions {
  readonly source: FeedSource;
  readonly timing: FeedTiming;
  readonly effects: Pick<Effects, "now" | "random">;
  readonly journal: FeedJournal;
}

export interface Look {
  readonly listing: Listing;
  /** True if more may have been missed than one polling interval brings. */
  readonly hadOutage: boolean;
}

export class SourceWatch {
  lastCheckedMs: number | undefined;
  lastReachedMs: number | undefined;
  nextLookMs = 0;
  /** A sentence while the source, or a part of its listing, is unreachable. */
  problem: string | undefined;
  readonly #options: SourceWatchOptions;
  #looks = 0;
  #notices = 0;
  /** When a notice may cause the next look. */
  #noticeFromMs = 0;
  #failures = 0;

  constructor(options: SourceWatchOptions) {
    this.#options = options;
  }

  /** Returns undefined if nothing could be listed. @throws errors other than the source's; the signal's reason */
  async look(signal: AbortSignal): Promise<Look | undefined> {
    const { source, timing, effects } = this.#options;
    const nowMs = this.#nowMs();
    const isFull = this.#looks % fullPollEvery === 0 || this.#failures > 0 || this.#isLocal;
    this.#looks += 1;
    const noticesBefore = this.#notices;
    try {
      const listing = await source.list(this.rangeOf(isFull ? timing.keepMs : recentMs), signal);
      const lookedMs = this.#nowMs() - nowMs;
      this.#noticeFromMs = nowMs + lookedMs + Math.max(noticePauseMs, noticePauseLooks * lookedMs);
      const hadOutage = nowMs - (this.lastReachedMs ?? -Infinity) > outagePolls * timing.pollMs;
      this.lastCheckedMs = this.lastReachedMs = nowMs;
      this.#failures = 0;
      this.#note(listing.failures[0]);
      const pollMs = Math.min(timing.pollMs, source.mostPauseMs ?? Infinity);
      const delayMs = jitteredMs(pollMs, effects.random);
      this.nextLookMs = nowMs + Math.min(delayMs, listing.lookAgainInMs ?? Infinity);
      // The listing may have missed what they were about.
      if (this.#notices > noticesBefore) this.lookAfterNotice();
      return { listing, hadOutage };
    } catch (error) {
      signal.throwIfAborted();
      if (!isLinkError(error)) throw error;
      this.lastCheckedMs = nowMs;
      this.#failures += 1;
      this.#note({ what: "", message: messageOf(error) });
      this.nextLookMs = nowMs + retryDelay(this.#failures, timing, effects.random, askedWaitMs(error));
      return undefined;
    }
  }

  /**
   * Returns the time range to list: up to the end of the newest UTC day that is requested anyway, or without end for
   * a local source. Files ahead of the clock are listed too, so that they are reported as refused.
   */
  rangeOf(backMs: number): TimeRange {
    const nowMs = this.#nowMs();
    const newestMs = Math.max(nowMs, this.#options.journal.newestListedMs() ?? -Infinity);
    const keptFromMs = newestMs - this.#options.timing.keepMs;
    const nextDayMs = (Math.floor((nowMs + futureToleranceMs) / dayMs) + 1) * dayMs;
    const toMs = this.#isLocal ? Infinity : nextDayMs - 1;
    return { fromMs: Math.max(keptFromMs, nowMs - backMs), toMs };
  }

  /** Polls this long after the last poll, if that is earlier than planned. No effect while the source fails. */
  lookSooner(afterMs: number): void {
    if (this.#failures > 0) return;
    const soonMs = (this.lastCheckedMs ?? 0) + Math.max(leastPauseMs, afterMs);
    this.nextLookMs = Math.min(this.nextLookMs, soonMs);
  }

  /** Polls at once, or as soon as looking does not keep the machine busy. No effect while the source fails. */
  lookAfterNotice(): void {
    this.#notices += 1;
    if (this.#failures === 0) this.nextLookMs = Math.min(this.nextLookMs, this.#noticeFromMs);
  }

  lookLater(untilMs: number): void {
    this.nextLookMs = Math.max(this.nextLookMs, untilMs);
  }

  /** True if listing everything is cheap: only local sources can be watched. */
  get #isLocal(): boolean {
    return this.#options.source.watch !== undefined;
  }

  /** Logs each problem once until the source works again. */
  #note(problem: ListingProblem | undefined): void {
    const { journal } = this.#options;
    const wasDown = this.problem !== undefined;
    this.problem = problem?.message;
    if (problem) {
      const { message, what } = problem;
      const locator = what === "" ? {} : { locator: what };
      journal.addFailureOnce(`link ${message}`, { kind: "link-down", message, ...locator });
    } else if (wasDown) {
      journal.add({ kind: "link-up" });
      journal.forgetCauses("link ");
    }
  }

  #nowMs(): number {
    return this.#options.effects.now().getTime();
  }
}

/** Logs unusable entries of a listing, each once. */
export function reportUnusable(
  journal: FeedJournal,
  { strange, unreadable }: Pick<Listing, "strange" | "unreadable">,
): void {
  for (const { what, message } of [...unreadable, ...strange].slice(0, maxListingProblems)) {
    journal.addFailureOnce(`name ${what}`, { kind: "failed", locator: what, message });
  }
}

/** Returns the files that are not too far ahead of the clock; logs the others as refused, each once. */
export function refuseAhead(
  journal: FeedJournal,
  assets: readonly SourceAsset[],
  nowMs: number,
): readonly SourceAsset[] {
  const isAhead = ({ observedAt }: SourceAsset): boolean =>
    Date.parse(observedAt) - nowMs > futureToleranceMs;
  const message = `Observed more than ${futureToleranceMs / 60_000} minutes ahead of the clock.`;
  for (const { observedAt, locator, productId } of assets.filter(isAhead).slice(0, maxListingProblems)) {
    journal.addFailureOnce(`ahead ${locator}`, { kind: "refused", productId, observedAt, locator, message });
  }
  return assets.filter((asset) => !isAhead(asset));
}
