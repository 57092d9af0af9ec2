// The replay's clock: source time that passes at an adjustable speed and can be paused. It sleeps in slices, so a
// jump of the system clock shifts a replay by a second at most.
import type { Effects } from "../../platform/effects.ts";

export type PaceEffects = Pick<Effects, "now" | "sleep">;

export interface Pace {
  /**
   * Resolves when `gapMs` of source time have passed since the last call was due; the first call is due at once.
   * Makes up for delays of less than a second. @throws the signal's reason
   */
  readonly wait: (gapMs: number) => Promise<void>;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly setSpeed: (speed: number) => void;
  readonly isPaused: () => boolean;
  readonly speed: () => number;
}

/** Timers hold 24 days at most; sleeping in slices costs nothing. */
const longestSleepMs = 3_600_000;
/** A slow publication or a late timer is made up for within this limit; a jump of the clock is not. */
const toleranceMs = 1000;

/** `speed`: source time per real time, above 0. */
export function createPace(speed: number, { now, sleep }: PaceEffects, signal: AbortSignal): Pace {
  /** Source time still to pass; below 0 if the last call was due a moment ago. */
  let owedMs = 0;
  let countedAtMs = now().getTime();
  /** Length of the current sleep. */
  let restingMs = toleranceMs;
  let paused = false;
  let changed = new AbortController();

  /** Counts the time since the last count, clamped to the given range. */
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
  /** Sleeps until the time has passed, something changes, or the replay ends. */
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
    // A change has already counted the time until then.
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
