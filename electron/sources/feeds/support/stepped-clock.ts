// A clock for tests of a loop that does one thing after the other: it stands still while the loop works, and the test moves
// it on once the loop sleeps.
import type { Effects } from "../../../platform/effects.ts";

export interface SteppedClock {
  readonly effects: Pick<Effects, "now" | "sleep" | "random" | "log">;
  nowMs(): number;
  /** Sets the clock without waking anybody: a jump. */
  set(ms: number): void;
  /** Waits until the loop sleeps. Resolves with the time at which it is to wake. */
  asleep(): Promise<number>;
  /** Moves on to a time, letting the loop wake as often as it wants to. `onStep` is called after each move. */
  runUntil(ms: number, onStep?: () => void | Promise<void>): Promise<void>;
  /** What was logged. */
  readonly logged: string[];
}

/** `random` gives the same numbers for the same seed. */
export function createSteppedClock(startMs: number, seed = 1): SteppedClock {
  let nowMs = startMs;
  let state = seed;
  let sleeper: { readonly untilMs: number; readonly wake: () => void } | undefined;
  let noticed = Promise.withResolvers<undefined>();
  const logged: string[] = [];
  const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const onAbort = (): void => {
        sleeper = undefined;
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const wake = (): void => {
        signal.removeEventListener("abort", onAbort);
        sleeper = undefined;
        resolve();
      };
      sleeper = { untilMs: nowMs + ms, wake };
      noticed.resolve(undefined);
      noticed = Promise.withResolvers();
    });
  const asleep = async (): Promise<number> => {
    while (!sleeper) await noticed.promise;
    return sleeper.untilMs;
  };
  return {
    effects: {
      now: () => new Date(nowMs),
      sleep,
      random: () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state / 2 ** 32;
      },
      log: (level, message) => logged.push(`${level} ${message}`),
    },
    nowMs: () => nowMs,
    set(ms) {
      nowMs = ms;
    },
    asleep,
    async runUntil(ms, onStep) {
      for (;;) {
        const untilMs = await asleep();
        // One that was to wake before the clock was set on wakes now.
        nowMs = Math.max(nowMs, Math.min(ms, untilMs));
        await onStep?.();
        if (untilMs > nowMs) return;
        sleeper?.wake();
      }
    },
    logged,
  };
}
