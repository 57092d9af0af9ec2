// Knows whether anything was committed, by this process or another, keeps what was read until then, and tells listeners.
import type { DatabaseSync } from "node:sqlite";
import { isAppError } from "../../shared/app-error.ts";
import { createBoundedCache } from "./bounded-cache.ts";
import { prepare } from "./queries.ts";

/** `content` is events and revisions; `everything` includes source assets. */
export type Scope = "content" | "everything";

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
  /** To be called after each commit on this connection, which SQLite's own counter does not see. */
  noteCommit(): void;
  onChange(listener: () => void): () => void;
  close(): void;
}

const pollMs = 100;
const cacheBytes: Readonly<Record<Scope, number>> = { content: 32 << 20, everything: 1 << 20 };

export function createSnapshots(database: DatabaseSync): Snapshots {
  const dataVersionOf = prepare<{ data_version: number }>(database, "PRAGMA data_version");
  const contentVersionOf = prepare<{ content_version: number }>(
    database,
    "SELECT content_version FROM catalog_state WHERE id = 1",
  );
  const readDataVersion = (): number | undefined => dataVersionOf.first()?.data_version;
  const readContentVersion = (): number | undefined => contentVersionOf.first()?.content_version;

  const caches = {
    content: createBoundedCache<unknown>(cacheBytes.content),
    everything: createBoundedCache<unknown>(cacheBytes.everything),
  };
  const listeners = new Set<() => void>();
  let dataVersion = readDataVersion();
  let contentVersion = readContentVersion();
  let version = 1;
  let notifiedVersion = version;
  let timer: NodeJS.Timeout | undefined;

  const advance = (): void => {
    version += 1;
    caches.everything.clear();
    const content = readContentVersion();
    if (content === contentVersion) return;
    contentVersion = content;
    caches.content.clear();
  };
  const readVersion = (): number => {
    const current = readDataVersion();
    if (current !== dataVersion) {
      dataVersion = current;
      advance();
    }
    return version;
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
    cached<Value>(scope: Scope, key: string, load: () => Loaded<Value> | undefined) {
      readVersion();
      const known = caches[scope].get(key);
      if (known !== undefined) return known as Value;
      const loaded = load();
      if (loaded) caches[scope].set(key, loaded.value, loaded.byteLength);
      return loaded?.value;
    },
    noteCommit() {
      advance();
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
