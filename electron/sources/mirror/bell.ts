// A bell that wakes one waiting loop. A ring while nobody waits is kept for the next wait; many rings are one.

export interface Bell {
  ring(): void;
  /** Resolves at a ring, or when `sleep` does; rejects when the signal is aborted. */
  wait(ms: number | undefined, signal: AbortSignal): Promise<void>;
}

export function createBell(sleep: (ms: number, signal: AbortSignal) => Promise<void>): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async wait(ms, signal) {
      signal.throwIfAborted();
      if (!rung) {
        const over = new AbortController();
        const { promise, resolve, reject } = Promise.withResolvers<undefined>();
        const onAbort = (): void => {
          reject(signal.reason as Error);
        };
        wake = () => {
          resolve(undefined);
        };
        signal.addEventListener("abort", onAbort, { once: true });
        if (ms !== undefined) {
          sleep(ms, over.signal).then(
            () => {
              resolve(undefined);
            },
            (error: unknown) => {
              // The end of the wait ends the sleep too, which is no news.
              if (!over.signal.aborted) reject(error);
            },
          );
        }
        try {
          await promise;
        } finally {
          wake = undefined;
          over.abort();
          signal.removeEventListener("abort", onAbort);
        }
      }
      rung = false;
    },
  };
}
