// Gives up waiting after a time without progress. Time in which the page cannot run, because it is busy or hidden, does
// not count: a slow machine is not a stuck one.
import { schedule } from "./page-effects.ts";

const tickMs = 500;

export class Patience {
  /** Resolves when it is over. */
  readonly ended: Promise<undefined>;
  readonly #limitMs: number;
  readonly #end: (value: undefined) => void;
  #leftMs: number;
  #stopTimer: (() => void) | undefined;

  /** Begins at once. */
  constructor(limitMs: number) {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.ended = promise;
    this.#end = resolve;
    this.#limitMs = limitMs;
    this.#leftMs = limitMs;
    this.#tick();
  }

  get isOver(): boolean {
    return this.#leftMs <= 0;
  }

  /** Starts over, because something has happened. */
  readonly renew = (): void => {
    if (!this.isOver) this.#leftMs = this.#limitMs;
  };

  stop(): void {
    this.#stopTimer?.();
  }

  #tick(): void {
    this.#stopTimer = schedule(tickMs, () => {
      // A tick that comes late counts once.
      if (document.visibilityState === "visible") this.#leftMs -= tickMs;
      if (this.isOver) this.#end(undefined);
      else this.#tick();
    });
  }
}
