// Asks a public service, which has no stream, which revision of an event is the newest: with jitter, so that viewers do
// not all ask at once, not while the page is hidden, and less often while the service fails.
import type { LatestRevision } from "../../shared/contract/index.ts";
import { publicTiming } from "../platform/viewer-limits.ts";
import type { StreamState } from "./event-stream.ts";
import { isAbort } from "./service-errors.ts";

export interface LatestPollOptions {
  /** Reads the newest revision; undefined if the event has none. */
  readonly read: (signal: AbortSignal) => Promise<LatestRevision | undefined>;
  /** Calls back once after the delay; returns a function that cancels it. */
  readonly schedule: (delayMs: number, callback: () => void) => () => void;
  /** Returns 0 ≤ x < 1, for the jitter. */
  readonly random: () => number;
  readonly isVisible: () => boolean;
  /** `open` while the service answers. */
  readonly onState: (state: StreamState) => void;
  /** Called with each answer. */
  readonly onLatest: (latest: LatestRevision | undefined) => void;
}

/** Doubles with each failure up to the longest; a fifth of it more or less is random. */
export function pollDelayMs(failures: number, random: () => number): number {
  const { latestMs, longestMs, jitter } = publicTiming;
  const full = Math.min(longestMs, latestMs * 2 ** failures);
  return Math.round(full * (1 - jitter + 2 * jitter * random()));
}

export class LatestPoll {
  readonly #options: LatestPollOptions;
  readonly #closing = new AbortController();
  #cancel: (() => void) | undefined;
  #isAsking = false;
  /** True if the time to ask came while the page was hidden. */
  #isDue = false;
  #failures = 0;

  constructor(options: LatestPollOptions) {
    this.#options = options;
    options.onState({ kind: "connecting", attempt: 1 });
    this.#ask();
  }

  /** Asks now if the time has passed, or the last answer failed. */
  retryNow(): void {
    if (!this.#isAsking && (this.#isDue || this.#failures > 0)) this.#ask();
  }

  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#cancel?.();
    this.#options.onState({ kind: "closed" });
  }

  #ask(): void {
    this.#cancel?.();
    this.#isAsking = true;
    this.#isDue = false;
    this.#options.read(this.#closing.signal).then(
      (latest) => {
        this.#settle(0);
        if (this.#closing.signal.aborted) return;
        this.#options.onState({ kind: "open" });
        this.#options.onLatest(latest);
      },
      (error: unknown) => {
        if (!isAbort(error)) this.#settle(this.#failures + 1);
      },
    );
  }

  #settle(failures: number): void {
    this.#isAsking = false;
    this.#failures = failures;
    if (this.#closing.signal.aborted) return;
    const delayMs = pollDelayMs(failures, this.#options.random);
    if (failures > 0) this.#options.onState({ kind: "waiting", attempt: failures + 1, delayMs });
    this.#cancel = this.#options.schedule(delayMs, () => {
      if (this.#options.isVisible()) this.#ask();
      else this.#isDue = true;
    });
  }
}
