// Frame store of a service: frames in an object store, and those read lately in memory and in a folder of this machine.
// Frames never change, so a cached one is right for as long as it is there.
import { createBoundedCache, type BoundedCache } from "../../platform/caches/bounded-cache.ts";
import type { FrameCacheUse, FrameStore } from "../files/frame-store.ts";
import { createBlobStore, type BlobStore, type BlobStoreOptions } from "./blob-store.ts";
import { createScratchCache, type ScratchCache } from "./scratch-cache.ts";

export interface ObjectFrameStoreOptions extends Omit<BlobStoreOptions, "kind"> {
  /** Cached bytes in memory; default 64 MiB. */
  readonly cacheByteLimit?: number;
  /** Cache on this machine's disk; undefined: none. */
  readonly scratch?: { readonly folder: string; readonly byteLimit: number } | undefined;
}

/** Closing it leaves the object store open. */
export async function openObjectFrameStore(options: ObjectFrameStoreOptions): Promise<FrameStore> {
  const { scratch } = options;
  const disk = scratch && (await createScratchCache(scratch));
  return new ObjectFrameStore(createBlobStore({ ...options, kind: "frames" }), disk, options.cacheByteLimit);
}

class ObjectFrameStore implements FrameStore {
  readonly #blobs: BlobStore;
  readonly #disk: ScratchCache | undefined;
  readonly #memory: BoundedCache<Uint8Array>;
  readonly #loading = new Map<string, Promise<Uint8Array | undefined>>();
  #hits = 0;
  #misses = 0;

  constructor(blobs: BlobStore, disk: ScratchCache | undefined, cacheByteLimit = 64 << 20) {
    this.#blobs = blobs;
    this.#disk = disk;
    this.#memory = createBoundedCache(cacheByteLimit);
  }

  put(png: Uint8Array): Promise<string> {
    return this.#blobs.put(png);
  }

  async read(frameId: string): Promise<Uint8Array | undefined> {
    const cached = this.#memory.get(frameId);
    if (cached) {
      this.#hits += 1;
      return cached;
    }
    this.#misses += 1;
    return this.#loadOnce(frameId);
  }

  cacheUse(): FrameCacheUse {
    return { hits: this.#hits, misses: this.#misses, byteLength: this.#memory.weight };
  }

  close(): Promise<void> {
    this.#memory.clear();
    return Promise.resolve();
  }

  /** Concurrent reads of a frame share one fetch. */
  async #loadOnce(frameId: string): Promise<Uint8Array | undefined> {
    const running = this.#loading.get(frameId);
    if (running) return running;
    const started = this.#load(frameId);
    this.#loading.set(frameId, started);
    try {
      return await started;
    } finally {
      this.#loading.delete(frameId);
    }
  }

  async #load(frameId: string): Promise<Uint8Array | undefined> {
    let bytes = await this.#disk?.read(frameId);
    if (bytes === undefined) {
      bytes = await this.#blobs.read(frameId);
      if (bytes !== undefined) await this.#disk?.write(frameId, bytes);
    }
    if (bytes !== undefined) this.#memory.set(frameId, bytes, bytes.byteLength);
    return bytes;
  }
}
