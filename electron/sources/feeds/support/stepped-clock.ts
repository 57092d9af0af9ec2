// A clock for tests of a sequential loop: it stands still while the loop works, and the test advances it while the loop
// sleeps.
import type { Effects } from "../../../platform/effects.ts";

export interface SteppedClock {
  readonly effects: Pick<Effects, "now" | "sleep" | "random" | "log">;
  nowMs(): number;
  /** Sets the clock without waking the loop. */
  set(ms: number): void;
  /** Waits until the loop sleeps. Resolves with the time at which it would wake. */
  asleep(): Promise<number>;
  /** Advances to a time and lets the loop wake on the way. Calls `onStep` after each advance. */
  runUntil(ms: number, onStep?: () => void | Promise<void>): Promise<void>;
  /** Logged lines. */
  readonly logged: string[];
}

/** `random` is reproducible by its seed. */
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
        // A loop that should have woken before the clock was set wakes now.
        nowMs = Math.max(nowMs, Math.min(ms, untilMs));
        await onStep?.();
        if (untilMs > nowMs) return;
        sleeper?.wake();
      }
    },
    logged,
  };
}
