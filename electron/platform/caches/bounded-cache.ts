// An LRU cache with a limit on the total weight of its values.

export interface BoundedCache<Value> {
  /** Returns a value and marks it as most recently used. */
  get(key: string): Value | undefined;
  /** Stores a value with its weight, such as bytes. Ignores a value above the limit. */
  set(key: string, value: Value, weight: number): void;
  delete(key: string): void;
  clear(): void;
  readonly weight: number;
}

export function createBoundedCache<Value>(weightLimit: number): BoundedCache<Value> {
  // A Map keeps insertion order: the first entry is the least recently used.
  const entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  let total = 0;
  const remove = (key: string): void => {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    total -= entry.weight;
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, weight) {
      remove(key);
      if (weight > weightLimit) return;
      entries.set(key, { value, weight });
      total += weight;
      for (const oldest of entries.keys()) {
        if (total <= weightLimit) break;
        remove(oldest);
      }
    },
    delete: remove,
    clear() {
      entries.clear();
      total = 0;
    },
    get weight() {
      return total;
    },
  };
}
