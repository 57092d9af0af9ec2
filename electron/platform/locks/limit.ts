// Limits on concurrency within one process: at most N jobs at once, first come first served.

/** Runs a job as soon as fewer than the limit are running, in the order of the calls. */
export type Limit = <Result>(job: () => Promise<Result>) => Promise<Result>;

export function createLimit(most: number): Limit {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (job) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await job();
    } finally {
      // The next job inherits this place, so the count stays the same.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/**
 * Works on all items, at most `limit` at once. Returns the results in the order of the items. After a failure it starts
 * no more items, waits for those in progress, then throws the error.
 */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const pending = items.entries();
  let failed = false;
  const run = async (): Promise<void> => {
    for (const [index, item] of pending) {
      if (failed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const settled = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, run));
  for (const outcome of settled) if (outcome.status === "rejected") throw outcome.reason;
  return results;
}
