// Knows whether anything was committed, by this process or another, keeps what was read until then, and tells listeners.
import type { DatabaseSync } from "node:sqlite";
import { isAppError } from "../../shared/app-error.ts";
import { createBoundedCache, type BoundedCache } from "../platform/caches/bounded-cache.ts";
import { prepare, type Query } from "./queries.ts";

/** What a kept value depends on: published rows, which never change; events and revisions; or source assets as well. */
export type Scope = "published" | "content" | "everything";

export interface Loaded<Value> {
  readonly value: Value;
  /** About how much memory the value holds. */
  readonly byteLength: number;
}

/** How far a repair moves the content version: so far that everybody sees that what was published may have changed. */
export const repairStride = 2 ** 32;

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

export class Snapshots {
  readonly #dataVersionOf: Query<{ readonly data_version: number }>;
  readonly #stateOf: Query<StateRow>;
  readonly #caches: Readonly<Record<Scope, BoundedCache<unknown>>> = {
    published: createBoundedCache(cacheBytes.published),
    content: createBoundedCache(cacheBytes.content),
    everything: createBoundedCache(cacheBytes.everything),
  };
  readonly #listeners = new Set<() => void>();
  #dataVersion: number | undefined;
  #state: StateRow | undefined;
  #version = 1;
  #notifiedVersion = 1;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: DatabaseSync) {
    this.#dataVersionOf = prepare(database, "PRAGMA data_version");
    this.#stateOf = prepare(
      database,
      "SELECT content_version, asset_version FROM catalog_state WHERE id = 1",
    );
    this.#dataVersion = this.#dataVersionOf.first()?.data_version;
    this.#state = this.#stateOf.first();
  }

  /** Rises with every commit of any process; costs microseconds. */
  readVersion(): number {
    const current = this.#dataVersionOf.first()?.data_version;
    if (current !== this.#dataVersion) {
      this.#dataVersion = current;
      this.#advance("another process");
    }
    return this.#version;
  }

  /** What `load` gave when it was last called for `key`, unless something in the scope was committed since. */
  cached<Value>(scope: Scope, key: string, load: () => Loaded<Value> | undefined): Value | undefined {
    this.readVersion();
    return this.cachedPart(scope, key, load);
  }

  /** The same for a part of an answer, inside the `load` of the whole: without looking for commits again. */
  cachedPart<Value>(scope: Scope, key: string, load: () => Loaded<Value> | undefined): Value | undefined {
    const cache = this.#caches[scope];
    const known = cache.get(key);
    if (known !== undefined) return known as Value;
    const loaded = load();
    if (loaded) cache.set(key, loaded.value, loaded.byteLength);
    return loaded?.value;
  }

  /** To be called after each commit on this connection, which SQLite's own counter does not see. */
  noteCommit(): void {
    this.#advance("us");
    queueMicrotask(() => {
      if (this.#timer) this.#poll();
    });
  }

  /** Calls back soon after any commit. Returns the function that stops it. */
  onChange(listener: () => void): () => void {
    // Its own object, so that a function given twice is called twice and stopped once.
    const entry = (): void => {
      listener();
    };
    if (this.#listeners.size === 0) this.#startPolling();
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
      if (this.#listeners.size === 0) this.#stopPolling();
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#stopPolling();
  }

  #advance(by: "us" | "another process"): void {
    this.#version += 1;
    const before = this.#state;
    this.#state = this.#stateOf.first();
    const contentChanged = this.#state?.content_version !== before?.content_version;
    const assetsChanged = this.#state?.asset_version !== before?.asset_version;
    const stepped = (this.#state?.content_version ?? 0) - (before?.content_version ?? 0);
    this.#caches.everything.clear();
    if (contentChanged) this.#caches.content.clear();
    if (stepped >= repairStride) this.#caches.published.clear();
    if (by === "another process" && !contentChanged && !assetsChanged) {
      // Not one of our writers: somebody changed the database by hand, so nothing that was read before holds.
      this.#caches.content.clear();
      this.#caches.published.clear();
    }
  }

  #startPolling(): void {
    this.#notifiedVersion = this.readVersion();
    this.#timer = setInterval(() => {
      this.#poll();
    }, pollMs).unref();
  }

  #stopPolling(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    try {
      if (this.readVersion() === this.#notifiedVersion) return;
    } catch (error) {
      // A catalog that cannot be read says so to whoever reads it next; the timer has nobody to tell.
      if (isAppError(error)) return;
      throw error;
    }
    this.#notifiedVersion = this.#version;
    for (const listener of this.#listeners) listener();
  }
}
