// Reads of the catalog that are held for the time when it cannot be reached: then a reader goes on with what it last
// read, and the service says so.
import { AppError, isAppError } from "../../../shared/app-error.ts";
import { createBoundedCache } from "../../platform/caches/bounded-cache.ts";
import { heldReadLimits } from "./storm-limits.ts";

export interface HeldReads {
  /**
   * Returns what `ask` does; if the catalog cannot be reached, what the same read returned last.
   * @throws `storage-unavailable` if nothing is held
   */
  readonly read: <Result>(key: string, ask: () => Promise<Result>) => Promise<Result>;
  /** True while the catalog cannot be reached: answers may be old. */
  readonly isDegraded: () => boolean;
}

interface Held {
  readonly result: unknown;
}

export function createHeldReads(): HeldReads {
  const held = createBoundedCache<Held>(heldReadLimits.items);
  let isDegraded = false;
  let failedAtMs = -Infinity;

  async function askNow<Result>(key: string, ask: () => Promise<Result>): Promise<Result> {
    const askedAtMs = performance.now();
    try {
      const result = await ask();
      // An answer to an earlier question does not show that the catalog is back.
      if (askedAtMs > failedAtMs) isDegraded = false;
      held.set(key, { result }, Array.isArray(result) ? result.length + 1 : 1);
      return result;
    } catch (error) {
      if (isAppError(error, "storage-unavailable")) {
        isDegraded = true;
        failedAtMs = performance.now();
      }
      throw error;
    }
  }

  return {
    read: async <Result>(key: string, ask: () => Promise<Result>) => {
      // A healthy catalog gets its time; one that was away a moment ago must show soon that it is back.
      const asked = isDegraded && held.get(key) ? within(askNow(key, ask)) : askNow(key, ask);
      try {
        return await asked;
      } catch (error) {
        const last = isAppError(error, "storage-unavailable") ? held.get(key) : undefined;
        if (last === undefined) throw error;
        return last.result as Result;
      }
    },
    isDegraded: () => isDegraded,
  };
}

/** Gives up on an answer that takes too long; it is held all the same when it comes. */
function within<Result>(asked: Promise<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => {
    reject(new AppError("storage-unavailable", "The catalog did not answer in time."));
  }, heldReadLimits.waitMs);
  asked.then(resolve, reject).finally(() => {
    clearTimeout(timer);
  });
  return promise;
}
