// A clock for tests: time passes when the test lets it, and whoever sleeps wakes in order.
import type { PaceEffects } from "../replay-pace.ts";

interface Sleeper {
  /** On a clock of its own, which no jump moves, as timers are. */
  readonly wakesAtMs: number;
  readonly wake: () => void;
}

export interface VirtualClock {
  readonly effects: PaceEffects;
  nowMs(): number;
  /** Lets so much time pass; sleepers wake at their moments, and what they do then is done. */
  advance(ms: number): Promise<void>;
  /** Advances from one sleeper's end to the next until `work` has ended. */
  whileAdvancing<Result>(work: Promise<Result>): Promise<Result>;
  /** Sets the clock without waking anybody, as an administrator or a slow disk does. */
  jump(ms: number): void;
  /** How long each sleep was to last, in the order in which they began. */
  sleeps(): readonly number[];
  /** How many sleep now. */
  waiting(): number;
}

export function createVirtualClock(startMs = Date.UTC(2026, 10, 1)): VirtualClock {
  let nowMs = startMs;
  let timerMs = 0;
  const sleepers = new Set<Sleeper>();
  const sleeps: number[] = [];

  const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      sleeps.push(ms);
      const abandon = (): void => {
        sleepers.delete(sleeper);
        reject(signal.reason as Error);
      };
      const sleeper: Sleeper = {
        wakesAtMs: timerMs + ms,
        wake: () => {
          sleepers.delete(sleeper);
          signal.removeEventListener("abort", abandon);
          resolve();
        },
      };
      sleepers.add(sleeper);
      signal.addEventListener("abort", abandon, { once: true });
    });
  const earliest = (): Sleeper | undefined =>
    [...sleepers].toSorted((a, b) => a.wakesAtMs - b.wakesAtMs).at(0);
  const passTo = async (timer: number): Promise<void> => {
    nowMs += timer - timerMs;
    timerMs = timer;
    await settle();
  };
  const advance = async (ms: number): Promise<void> => {
    await settle();
    const untilMs = timerMs + ms;
    for (let next = earliest(); next && next.wakesAtMs <= untilMs; next = earliest()) {
      nowMs += next.wakesAtMs - timerMs;
      timerMs = next.wakesAtMs;
      next.wake();
      await settle();
    }
    await passTo(untilMs);
  };

  return {
    effects: { now: () => new Date(nowMs), sleep },
    nowMs: () => nowMs,
    advance,
    async whileAdvancing(work) {
      const progress = { ended: false };
      const end = (): void => {
        progress.ended = true;
      };
      void work.then(end, end);
      await settle();
      while (!progress.ended) {
        const next = earliest();
        await (next ? advance(next.wakesAtMs - timerMs) : settle());
      }
      return work;
    },
    jump(ms) {
      nowMs += ms;
    },
    sleeps: () => sleeps,
    waiting: () => sleepers.size,
  };
}

/** Lets everything that waits for no sleeper, disk included, go as far as it goes in a turn of the event loop. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
