// The replay's clock: how much of the source's time has passed, at a speed that may change and while nothing is paused.
// Sleeps are in slices, and a clock that jumps moves a replay by a second at the most.
import type { Effects } from "../../platform/effects.ts";

export type PaceEffects = Pick<Effects, "now" | "sleep">;

export interface Pace {
  /**
   * Resolves when `gapMs` of the source's time have passed since the last call fell due, which the first call does at
   * once. What came late by less than a second is made up for. @throws the signal's reason
   */
  readonly wait: (gapMs: number) => Promise<void>;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly setSpeed: (speed: number) => void;
  readonly isPaused: () => boolean;
  readonly speed: () => number;
}

/** Timers hold 24 days at the most, and nothing is lost by looking at the clock in between. */
const longestSleepMs = 3_600_000;
/** A publication that takes long, or a timer that fires late, is made up for within this bound; a jump of the clock is not. */
const toleranceMs = 1000;

/** `speed`: the source's time a unit of ours, above 0. */
export function createPace(speed: number, { now, sleep }: PaceEffects, signal: AbortSignal): Pace {
  /** The source's time that is still to pass; below 0 when the last call fell due a moment ago. */
  let owedMs = 0;
  let countedAtMs = now().getTime();
  /** How long the sleep under way lasts. */
  let restingMs = toleranceMs;
  let paused = false;
  let changed = new AbortController();

  /** Counts the time since the last count, taken as within the bounds given. */
  const count = (leastMs: number, mostMs: number): void => {
    const nowMs = now().getTime();
    const passedMs = Math.min(Math.max(nowMs - countedAtMs, leastMs), mostMs);
    countedAtMs = nowMs;
    if (!paused) owedMs -= passedMs * speed;
  };
  const change = (apply: () => void): void => {
    count(0, restingMs);
    apply();
    changed.abort();
    changed = new AbortController();
  };
  /** Sleeps until so much time has passed, something is changed, or the replay ends. */
  const rest = async (ms: number): Promise<void> => {
    const interruption = changed.signal;
    countedAtMs = now().getTime();
    restingMs = ms;
    try {
      await sleep(ms, AbortSignal.any([signal, interruption]));
    } catch (error) {
      signal.throwIfAborted();
      if (!interruption.aborted) throw error;
    } finally {
      restingMs = toleranceMs;
    }
    // A change has counted what had passed until then.
    if (!interruption.aborted) count(ms, ms + toleranceMs);
  };

  return {
    async wait(gapMs) {
      count(0, toleranceMs);
      owedMs = Math.max(owedMs, -toleranceMs * speed) + gapMs;
      for (;;) {
        signal.throwIfAborted();
        if (!paused && owedMs <= 0) return;
        await rest(paused ? longestSleepMs : Math.min(owedMs / speed, longestSleepMs));
      }
    },
    pause() {
      change(() => (paused = true));
    },
    resume() {
      change(() => (paused = false));
    },
    setSpeed(next) {
      change(() => (speed = next));
    },
    isPaused: () => paused,
    speed: () => speed,
  };
}
