// When a feed looks at its source again: the cadence with jitter while all is well, ever longer waits while it is not. Pure
// but for the chance that is handed in.
import { backoffMs, jitteredMs } from "../fetching/backoff.ts";

export interface PollTiming {
  readonly pollMs: number;
  readonly backoffMaxMs: number;
}

/** Of the cadence: what the first wait after a failure is at most. */
const firstBackoffShare = 1 / 8;
const leastBackoffMs = 1000;

/** How long to wait before the next look while all is well, in milliseconds. */
export function pollDelay({ pollMs }: PollTiming, random: () => number): number {
  return jitteredMs(pollMs, random);
}

/** How long to wait after the `failures`th failure in a row, and after what the source asks for with it. */
export function retryDelay(
  failures: number,
  { pollMs, backoffMaxMs }: PollTiming,
  random: () => number,
  askedMs?: number,
): number {
  const firstMs = Math.max(leastBackoffMs, pollMs * firstBackoffShare);
  return backoffMs(failures, { firstMs, longestMs: backoffMaxMs, askedMs }, random);
}
