// Detects commits of any process, caches reads until the next commit, and notifies listeners.
import { isAppError } from "../../../../shared/app-error.ts";
import { createBoundedCache, type BoundedCache } from "../../../platform/caches/bounded-cache.ts";
import type { Prepare, Query } from "../queries.ts";

/**
 * Data that a cached value depends on: published rows, which never change; events and revisions; or also source assets.
 */
export type Scope = "published" | "content" | "everything";

export interface Loaded<Value> {
  readonly value: Value;
  /** Approximate memory of the value. */
  readonly byteLength: number;
}

/** Step of the content version that tells all processes that a repair changed published rows. */
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

  constructor(prepare: Prepare) {
    this.#dataVersionOf = prepare("PRAGMA data_version");
    this.#stateOf = prepare("SELECT content_version, asset_version FROM catalog_state WHERE id = 1");
    this.#dataVersion = this.#dataVersionOf.first()?.data_version;
    this.#state = this.#stateOf.first();
  }

  /** Returns a number that increases with each commit of any process. Costs microseconds. */
  readVersion(): number {
    const current = this.#dataVersionOf.first()?.data_version;
    if (current !== this.#dataVersion) {
      this.#dataVersion = current;
      this.#advance("another process");
    }
    return this.#version;
  }

  /** Returns the cached value of `key`, or loads it if there was a commit in its scope. */
  cached<Value>(scope: Scope, key: string, load: () => Loaded<Value> | undefined): Value | undefined {
    this.readVersion();
    return this.cachedPart(scope, key, load);
  }

  /** Does the same inside the `load` of another value, without checking for commits again. */
  cachedPart<Value>(scope: Scope, key: string, load: () => Loaded<Value> | undefined): Value | undefined {
    const cache = this.#caches[scope];
    const known = cache.get(key);
    if (known !== undefined) return known as Value;
    const loaded = load();
    if (loaded) cache.set(key, loaded.value, loaded.byteLength);
    return loaded?.value;
  }

  /** Records a commit on this connection, which SQLite's own counter does not include. */
  noteCommit(): void {
    this.#advance("us");
    queueMicrotask(() => {
      if (this.#timer) this.#poll();
    });
  }

  /** Calls back soon after a commit. Returns the function that stops it. */
  onChange(listener: () => void): () => void {
    // A new function, so that a listener added twice is called twice and each can be stopped.
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
      // The commit changed no counter, so it was made by hand: nothing cached is valid.
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
      // The next reader gets this error; the timer has no caller.
      if (isAppError(error)) return;
      throw error;
    }
    this.#notifiedVersion = this.#version;
    for (const listener of this.#listeners) listener();
  }
}
