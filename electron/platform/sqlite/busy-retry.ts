// Waits for a busy SQLite file without blocking the event loop.
import { setTimeout as delay } from "node:timers/promises";
import { isBusy } from "./result-codes.ts";

/** Longer than any of our transactions, even on a slow disk. */
const patienceMs = 30_000;
const longestPauseMs = 40;

/** Runs `attempt` until it does not fail with SQLITE_BUSY. @throws the error of `attempt`; BUSY after 30 s */
export async function retryWhileBusy<Result>(attempt: () => Result): Promise<Result> {
  const startedMs = performance.now();
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedMs > patienceMs) throw error;
    }
    await delay(pauseMs);
  }
}
