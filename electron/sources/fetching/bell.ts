// Lets other code wake one waiting loop. A ring while nobody waits counts for the next wait; several rings count as
// one.

export type Bell = ReturnType<typeof createBell>;

export function createBell(sleep: (ms: number, signal: AbortSignal) => Promise<void>) {
  let hasRung = false;
  let wake = new AbortController();
  return {
    ring(): void {
      hasRung = true;
      wake.abort();
    },
    /** Resolves at a ring, or after `ms` if given. @throws the signal's reason */
    async wait(ms: number | undefined, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      if (!hasRung) {
        wake = new AbortController();
        const { signal: rung } = wake;
        const either = AbortSignal.any([signal, rung]);
        try {
          await (ms === undefined ? aborted(either) : sleep(ms, either));
        } catch (error) {
          signal.throwIfAborted();
          if (!rung.aborted) throw error;
        }
      }
      hasRung = false;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      reject(signal.reason as Error);
    });
  });
}
