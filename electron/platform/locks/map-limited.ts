// Asynchronous work on many items, a few at a time.

/** Results in the order of the items. Stops at the first failure, which it throws once what was begun has ended. */
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
