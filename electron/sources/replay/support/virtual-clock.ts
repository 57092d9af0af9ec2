// A clock for tests: the test advances time, and sleepers wake in order.
import type { PaceEffects } from "../replay-pace.ts";

interface Sleeper {
  /** In timer time, which a jump of the clock does not change. */
  readonly wakesAtMs: number;
  readonly wake: () => void;
}

export interface VirtualClock {
  readonly effects: PaceEffects;
  nowMs(): number;
  /** Advances time; sleepers wake when due and run until they wait again. */
  advance(ms: number): Promise<void>;
  /** Advances from sleeper to sleeper until `work` has ended. */
  whileAdvancing<Result>(work: Promise<Result>): Promise<Result>;
  /** Moves the clock without waking sleepers. */
  jump(ms: number): void;
  /** Returns the requested length of every sleep, in order. */
  sleeps(): readonly number[];
  /** Returns the number of sleepers. */
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

/** Runs everything that does not wait for a sleeper for one turn of the event loop, including the disk. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
