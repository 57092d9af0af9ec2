// Knows whether anything was committed, by this process or another, keeps what was read until then, and tells listeners.
import type { DatabaseSync } from "node:sqlite";
import { isAppError } from "../../shared/app-error.ts";
import { createBoundedCache } from "./bounded-cache.ts";
import { prepare } from "./queries.ts";

/** What a kept value depends on: published rows, which never change; events and revisions; or source assets as well. */
export type Scope = "published" | "content" | "everything";

export interface Loaded<Value> {
  readonly value: Value;
  /** About how much memory the value holds. */
  readonly byteLength: number;
}

export interface Snapshots {
  /** Rises with every commit of any process; costs microseconds. */
  readVersion(): number;
  /** What `load` gave when it was last called for `key`, unless something in the scope was committed since. */
  cached<Value>(scope: Scope, key: string, load: () => Loaded<Value> | undefined): Value | undefined;
  /** The same for a part of an answer, inside the `load` of the whole: without looking for commits again. */
  cachedPart<Value>(scope: Scope, key: string, load: () => Loaded<Value> | undefined): Value | undefined;
  /** To be called after each commit on this connection, which SQLite's own counter does not see. */
  noteCommit(): void;
  onChange(listener: () => void): () => void;
  close(): void;
}

const pollMs = 100;
const cacheBytes: Readonly<Record<Scope, number>> = {
  published: 32 << 20,
  content: 8 << 20,
  everything: 1 << 20,
};

interface StateRow {
  readonly content_version: number;
  readonly asset_version: number;
}

export function createSnapshots(database: DatabaseSync): Snapshots {
  const dataVersionOf = prepare<{ data_version: number }>(database, "PRAGMA data_version");
  const stateOf = prepare<StateRow>(
    database,
    "SELECT content_version, asset_version FROM catalog_state WHERE id = 1",
  );
  const readDataVersion = (): number | undefined => dataVersionOf.first()?.data_version;

  const caches = {
    published: createBoundedCache<unknown>(cacheBytes.published),
    content: createBoundedCache<unknown>(cacheBytes.content),
    everything: createBoundedCache<unknown>(cacheBytes.everything),
  };
  const listeners = new Set<() => void>();
  let dataVersion = readDataVersion();
  let state = stateOf.first();
  let version = 1;
  let notifiedVersion = version;
  let timer: NodeJS.Timeout | undefined;

  const advance = (by: "us" | "another process"): void => {
    version += 1;
    const before = state;
    state = stateOf.first();
    const contentChanged = state?.content_version !== before?.content_version;
    const assetsChanged = state?.asset_version !== before?.asset_version;
    caches.everything.clear();
    if (contentChanged) caches.content.clear();
    if (by === "another process" && !contentChanged && !assetsChanged) {
      // Not one of our writers: somebody changed the database by hand, so nothing that was read before holds.
      caches.content.clear();
      caches.published.clear();
    }
  };
  const readVersion = (): number => {
    const current = readDataVersion();
    if (current !== dataVersion) {
      dataVersion = current;
      advance("another process");
    }
    return version;
  };
  const cachedPart = <Value>(
    scope: Scope,
    key: string,
    load: () => Loaded<Value> | undefined,
  ): Value | undefined => {
    const known = caches[scope].get(key);
    if (known !== undefined) return known as Value;
    const loaded = load();
    if (loaded) caches[scope].set(key, loaded.value, loaded.byteLength);
    return loaded?.value;
  };
  const notify = (): void => {
    if (readVersion() === notifiedVersion) return;
    notifiedVersion = version;
    for (const listener of listeners) listener();
  };
  const poll = (): void => {
    try {
      notify();
    } catch (error) {
      // A catalog that cannot be read says so to whoever reads it next; the timer has nobody to tell.
      if (!isAppError(error)) throw error;
    }
  };
  const stopPolling = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    readVersion,
    cached(scope, key, load) {
      readVersion();
      return cachedPart(scope, key, load);
    },
    cachedPart,
    noteCommit() {
      advance("us");
      queueMicrotask(() => {
        if (timer) poll();
      });
    },
    onChange(listener) {
      // Its own object, so that a function given twice is called twice and stopped once.
      const entry = (): void => {
        listener();
      };
      if (listeners.size === 0) {
        notifiedVersion = readVersion();
        timer = setInterval(poll, pollMs).unref();
      }
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
        if (listeners.size === 0) stopPolling();
      };
    },
    close() {
      listeners.clear();
      stopPolling();
    },
  };
}
