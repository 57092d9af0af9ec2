// Answers that are kept as long as the version of their event stays the same. The version is asked for with every call,
// so that no reader answers older than a notice of another one.
import { createBoundedCache } from "../../../platform/caches/bounded-cache.ts";
import type { Database } from "../../../platform/postgres/database.ts";

export interface Loaded<Value> {
  readonly value: Value;
  /** Approximate memory of the value. */
  readonly byteLength: number;
}

export interface EventCache {
  /** Returns the answer of `key`; undefined for an unknown event. Calls at the same time share one load. */
  answer<Value>(eventId: string, key: string, load: () => Promise<Loaded<Value>>): Promise<Value | undefined>;
}

const cacheBytes = 8 << 20;

interface Entry {
  readonly version: number;
  readonly value: Promise<unknown>;
}

export function createEventCache(database: Database): EventCache {
  const cache = createBoundedCache<Entry>(cacheBytes);
  const loading = new Map<string, Entry>();

  const load = async <Value>(
    entryKey: string,
    version: number,
    start: () => Promise<Loaded<Value>>,
  ): Promise<Value> => {
    const loaded = start();
    const value = loaded.then((result) => result.value);
    // The caller gets the error from `loaded`; others may not be waiting.
    value.catch(() => undefined);
    const entry = { version, value };
    loading.set(entryKey, entry);
    try {
      const { byteLength } = await loaded;
      cache.set(entryKey, entry, byteLength);
      return await value;
    } finally {
      if (loading.get(entryKey) === entry) loading.delete(entryKey);
    }
  };

  return {
    answer: async <Value>(eventId: string, key: string, start: () => Promise<Loaded<Value>>) => {
      const [row] = await database.read<{ version: number }>("SELECT version FROM events WHERE id = $1", [
        eventId,
      ]);
      if (!row) return undefined;
      const entryKey = `${key} ${eventId}`;
      const known = [cache.get(entryKey), loading.get(entryKey)].find(
        (entry) => entry?.version === row.version,
      );
      return known ? (known.value as Promise<Value>) : load(entryKey, row.version, start);
    },
  };
}
