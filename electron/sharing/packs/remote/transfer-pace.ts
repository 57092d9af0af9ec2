// The pace of a transfer: how many revisions go into one batch, and when a lost connection is retried.
import type { Effects } from "../../../platform/effects.ts";
import { backoffMs } from "../../../sources/fetching/backoff.ts";
import { isLostLink } from "./remote-error.ts";
import { batchAimBytes, mostBatchRevisions, mostRetries, retryPause } from "./transfer-limits.ts";

/** Estimates the batch size from the bytes of earlier batches. */
export function createBatchSize() {
  let size = 1;
  return {
    /** Returns the number of revisions for the next batch, at least 1. */
    next: () => size,
    received(revisions: number, byteLength: number): void {
      const fitting = Math.floor(batchAimBytes / Math.max(1, byteLength / revisions));
      // Revisions differ in size, so the estimate grows in steps.
      size = Math.max(1, Math.min(fitting, size * 4, mostBatchRevisions));
    },
    /** Halves the next batch after a lost connection, so that less is lost. */
    lost(): void {
      size = Math.max(1, Math.floor(size / 2));
    },
  };
}

/**
 * Retries after a lost connection.
 * @param progress grows whenever something was received or sent for good
 * @throws the error of the last attempt
 */
export async function keepTrying<Result>(
  attempt: () => Promise<Result>,
  progress: () => number,
  { effects, signal }: { readonly effects: Pick<Effects, "sleep" | "random">; readonly signal: AbortSignal },
): Promise<Result> {
  let failures = 0;
  for (;;) {
    const before = progress();
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!isLostLink(error)) throw error;
      failures = progress() > before ? 1 : failures + 1;
      if (failures > mostRetries) throw error;
      await effects.sleep(backoffMs(failures, retryPause, effects.random), signal);
    }
  }
}
