// Waiting for another process's turn on an SQLite file without blocking this process's event loop.
import { setTimeout as delay } from "node:timers/promises";
import { isBusy } from "../sqlite/result-codes.ts";

/** Longer than any transaction of ours holds the catalog, also on a slow disk. */
const patienceMs = 30_000;
const longestPauseMs = 40;

/** Runs `attempt` until it does not fail with SQLITE_BUSY. @throws what `attempt` throws, also BUSY after 30 s */
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
