// The frames that the cache holds and the order in which it evicts them, under two byte budgets: memory and GPU.
import type { FrameBudget } from "../platform/viewer-limits.ts";
import { firstFrameGuessBytes } from "../platform/viewer-limits.ts";
import { frameByteLength, releaseFrame } from "../frames/decoded-frame.ts";
import type { DecodedFrame } from "../frames/decoded-frame.ts";
import type { FrameRef } from "../frames/frame-ref.ts";
import type { CacheUse, FrameState } from "./scene.ts";

export type Place = "memory" | "gpu";

export interface ShelfEntry<Texture> {
  readonly ref: FrameRef;
  frame?: DecodedFrame;
  /** Bytes held in each place. */
  readonly bytes: Record<Place, number>;
  texture?: Texture;
  /** Present during a load. */
  load?: AbortController;
  failure?: { readonly message: string; readonly retryAtMs: number };
  /** Failed loads since the frame could last be drawn. */
  attempts: number;
  /** Counts up with each use; the smallest is the least recently used. */
  usedAt: number;
}

/** Rank of frames on screen or waited for. Prefetched frames have 0, 1, 2 …; all others `unwantedRank`. */
export const requiredRank = -1;
export const unwantedRank = Number.POSITIVE_INFINITY;
/** Frames up to this rank ignore the budget; otherwise playback of very large frames would wait forever. */
const lastAssuredRank = 1;

export interface ShelfEffects<Texture> {
  releaseTexture(texture: Texture): void;
  onFrameState(imageUrl: string, state: FrameState): void;
}

export class FrameShelf<Texture> {
  readonly #effects: ShelfEffects<Texture>;
  #limits: Readonly<Record<Place, number>>;
  readonly #used: Record<Place, number> = { memory: 0, gpu: 0 };
  readonly #entries = new Map<string, ShelfEntry<Texture>>();
  #ranks: ReadonlyMap<string, number> = new Map();
  #uses = 0;

  constructor(budget: FrameBudget, effects: ShelfEffects<Texture>) {
    this.#limits = toLimits(budget);
    this.#effects = effects;
  }

  /** Replaces the budget, and evicts frames that exceed it and are not required. */
  setBudget(budget: FrameBudget): void {
    this.#limits = toLimits(budget);
    this.#evict("memory", 0, requiredRank);
    this.#evict("gpu", 0, requiredRank);
  }

  get use(): CacheUse {
    return {
      usedBytes: this.#used.memory + this.#used.gpu,
      budgetBytes: this.#limits.memory + this.#limits.gpu,
      frames: this.entries().filter(({ frame, texture }) => frame !== undefined || texture !== undefined)
        .length,
    };
  }

  find(imageUrl: string): ShelfEntry<Texture> | undefined {
    return this.#entries.get(imageUrl);
  }

  entries(): ShelfEntry<Texture>[] {
    return [...this.#entries.values()];
  }

  add(ref: FrameRef): ShelfEntry<Texture> {
    const entry = { ref, bytes: { memory: 0, gpu: 0 }, attempts: 0, usedAt: ++this.#uses };
    this.#entries.set(ref.imageUrl, entry);
    return entry;
  }

  /** Sets the ranks, and evicts frames that exceed the budget and are no longer required. */
  setRanks(ranks: ReadonlyMap<string, number>): void {
    this.#ranks = ranks;
    // The most urgent frame is touched last and so counts as used most recently.
    for (const imageUrl of [...ranks.keys()].toReversed()) {
      const entry = this.#entries.get(imageUrl);
      if (entry) entry.usedAt = ++this.#uses;
    }
    this.#evict("memory", 0, requiredRank);
    this.#evict("gpu", 0, requiredRank);
  }

  rankOf(ref: FrameRef): number {
    return this.#ranks.get(ref.imageUrl) ?? unwantedRank;
  }

  setFrame(entry: ShelfEntry<Texture>, frame: DecodedFrame): void {
    entry.frame = frame;
    this.setBytes(entry, "memory", frameByteLength(frame));
  }

  setTexture(entry: ShelfEntry<Texture>, texture: Texture): void {
    entry.texture = texture;
    if (entry.frame?.kind !== "color") return;
    // The probe does not read color pictures, so the GPU's copy is enough.
    releaseFrame(entry.frame);
    this.setBytes(entry, "memory", 0);
  }

  /** Records how many bytes a frame holds, or reserves them before an upload. */
  setBytes(entry: ShelfEntry<Texture>, place: Place, bytes: number): void {
    this.#used[place] += bytes - entry.bytes[place];
    entry.bytes[place] = bytes;
  }

  freeGpu(entry: ShelfEntry<Texture>): void {
    this.setBytes(entry, "gpu", 0);
    delete entry.texture;
  }

  /** Estimates the memory of the next frame: the mean of the frames held. */
  guessBytes(): number {
    const count = this.entries().filter(({ bytes }) => bytes.memory > 0).length;
    return count === 0 ? firstFrameGuessBytes : this.#used.memory / count;
  }

  /** Returns true if `bytes` more fit once everything less urgent than `rank` is evicted. */
  fits(place: Place, bytes: number, rank: number): boolean {
    if (rank <= lastAssuredRank) return true;
    const freeable = this.#evictable(place, rank).reduce((sum, entry) => sum + entry.bytes[place], 0);
    return this.#used[place] - freeable + bytes <= this.#limits[place];
  }

  /** Evicts until `bytes` more fit; evicts nothing and returns false when they cannot. */
  makeRoom(place: Place, bytes: number, rank: number): boolean {
    if (!this.fits(place, bytes, rank)) return false;
    this.#evict(place, bytes, rank);
    return true;
  }

  /** Releases all that a frame holds, and removes its entry unless a failure must be remembered. */
  drop(entry: ShelfEntry<Texture>): void {
    entry.load?.abort();
    if (entry.texture !== undefined) this.#effects.releaseTexture(entry.texture);
    // The bitmaps of a color frame on the GPU are closed already.
    else if (entry.frame) releaseFrame(entry.frame);
    this.freeGpu(entry);
    delete entry.frame;
    this.setBytes(entry, "memory", 0);
    if (entry.attempts > 0) return;
    this.#entries.delete(entry.ref.imageUrl);
    this.#effects.onFrameState(entry.ref.imageUrl, { status: "evicted" });
  }

  /** Releases the texture of a frame that stays in memory. */
  #dropTexture(entry: ShelfEntry<Texture>): void {
    if (entry.texture === undefined) return;
    this.#effects.releaseTexture(entry.texture);
    this.freeGpu(entry);
    this.#effects.onFrameState(entry.ref.imageUrl, { status: "evicted" });
  }

  /** Evicts the least wanted frames first, and among equals the least recently used. */
  #evict(place: Place, bytes: number, rank: number): void {
    if (this.#used[place] + bytes <= this.#limits[place]) return;
    const victims = this.#evictable(place, rank).toSorted(
      (a, b) => compareRanks(this.rankOf(b.ref), this.rankOf(a.ref)) || a.usedAt - b.usedAt,
    );
    for (const victim of victims) {
      if (this.#used[place] + bytes <= this.#limits[place]) return;
      if (place === "gpu" && victim.frame?.kind === "indexed") this.#dropTexture(victim);
      else this.drop(victim);
    }
  }

  /** Returns the frames less urgent than `rank` that hold bytes in `place`, without the one in upload. */
  #evictable(place: Place, rank: number): ShelfEntry<Texture>[] {
    return this.entries().filter((entry) => {
      const isUploading = entry.bytes.gpu > 0 && entry.texture === undefined;
      return entry.bytes[place] > 0 && !isUploading && this.rankOf(entry.ref) > rank;
    });
  }
}

function toLimits({ memoryBytes, gpuBytes }: FrameBudget): Record<Place, number> {
  return { memory: memoryBytes, gpu: gpuBytes };
}

/** Compares ranks; subtraction would give NaN for two infinite ones. */
function compareRanks(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
