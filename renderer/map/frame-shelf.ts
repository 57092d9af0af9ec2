// What the frame cache holds, and who must go when there is no room: two budgets of bytes, memory and GPU, and an order of
// urgency. Loads nothing and uploads nothing.
import { frameByteLength, releaseFrame } from "./decoded-frame.ts";
import type { DecodedFrame } from "./decoded-frame.ts";
import type { CacheUse, FrameRef } from "./scene.ts";

export interface FrameBudget {
  readonly memoryBytes: number;
  readonly gpuBytes: number;
}

export type Place = "memory" | "gpu";

export interface ShelfEntry<Texture> {
  readonly ref: FrameRef;
  frame?: DecodedFrame;
  memoryBytes: number;
  gpuBytes: number;
  texture?: Texture;
  /** Present while the frame is being loaded. */
  load?: AbortController;
  failure?: { readonly message: string; readonly retryAtMs: number };
  /** Failed loads since the frame could last be drawn. */
  attempts: number;
  /** Counts up with each use; the smallest is the least recently used. */
  usedAt: number;
}

/** A frame's place in line: this one is on screen or waited for; the wishes follow as 0, 1, 2 …; then everything else. */
export const requiredRank = -1;
export const unwantedRank = Number.POSITIVE_INFINITY;
/** Up to here there is room whatever the budget says, or playback would wait for ever for a next step of very large frames. */
const lastAssuredRank = 1;

/** What a frame is taken to need before any has been decoded: a regional cut. */
const firstGuessBytes = 1 << 20;

export interface ShelfEvents<Texture> {
  releaseTexture(texture: Texture): void;
  /** The frame cannot be drawn at once any more, or is not being loaded any more. */
  onEvicted(imageUrl: string): void;
}

export class FrameShelf<Texture> {
  readonly #events: ShelfEvents<Texture>;
  readonly #limits: Readonly<Record<Place, number>>;
  readonly #used: Record<Place, number> = { memory: 0, gpu: 0 };
  readonly #entries = new Map<string, ShelfEntry<Texture>>();
  #ranks: ReadonlyMap<string, number> = new Map();
  #uses = 0;

  constructor(budget: FrameBudget, events: ShelfEvents<Texture>) {
    this.#limits = { memory: budget.memoryBytes, gpu: budget.gpuBytes };
    this.#events = events;
  }

  get use(): CacheUse {
    let frames = 0;
    for (const { frame, texture } of this.#entries.values()) if (frame || texture !== undefined) frames += 1;
    return {
      usedBytes: this.#used.memory + this.#used.gpu,
      budgetBytes: this.#limits.memory + this.#limits.gpu,
      frames,
    };
  }

  find(imageUrl: string): ShelfEntry<Texture> | undefined {
    return this.#entries.get(imageUrl);
  }

  entries(): ShelfEntry<Texture>[] {
    return [...this.#entries.values()];
  }

  add(ref: FrameRef): ShelfEntry<Texture> {
    const entry: ShelfEntry<Texture> = {
      ref,
      memoryBytes: 0,
      gpuBytes: 0,
      attempts: 0,
      usedAt: ++this.#uses,
    };
    this.#entries.set(ref.imageUrl, entry);
    return entry;
  }

  /** Sets the line, most urgent last touched, and tidies up what went over budget while it was required. */
  setRanks(ranks: ReadonlyMap<string, number>): void {
    this.#ranks = ranks;
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
    entry.memoryBytes = frameByteLength(frame);
    this.#used.memory += entry.memoryBytes;
  }

  /** Keeps room on the GPU for a frame whose upload begins. */
  reserveGpu(entry: ShelfEntry<Texture>, bytes: number): void {
    entry.gpuBytes = bytes;
    this.#used.gpu += bytes;
  }

  freeGpu(entry: ShelfEntry<Texture>): void {
    this.#used.gpu -= entry.gpuBytes;
    entry.gpuBytes = 0;
    delete entry.texture;
  }

  setTexture(entry: ShelfEntry<Texture>, texture: Texture): void {
    entry.texture = texture;
    if (entry.frame?.kind !== "colour") return;
    // Nothing is probed in colours, so the GPU's copy is the only one.
    releaseFrame(entry.frame);
    this.#used.memory -= entry.memoryBytes;
    entry.memoryBytes = 0;
  }

  /** What the next frame will need in memory: the mean of those that are there. */
  guessBytes(): number {
    let count = 0;
    for (const { memoryBytes } of this.#entries.values()) if (memoryBytes > 0) count += 1;
    return count === 0 ? firstGuessBytes : this.#used.memory / count;
  }

  /** Whether `bytes` would fit if everything less urgent than `rank` went. */
  fits(place: Place, bytes: number, rank: number): boolean {
    if (rank <= lastAssuredRank) return true;
    let freeable = 0;
    for (const entry of this.#evictable(place, rank)) freeable += bytesOf(entry, place);
    return this.#used[place] - freeable + bytes <= this.#limits[place];
  }

  /** Evicts until `bytes` more fit; evicts nothing and returns false when they cannot. */
  makeRoom(place: Place, bytes: number, rank: number): boolean {
    if (!this.fits(place, bytes, rank)) return false;
    this.#evict(place, bytes, rank);
    return true;
  }

  /** Takes all that a frame holds, and forgets it unless its failures must be remembered. */
  drop(entry: ShelfEntry<Texture>): void {
    entry.load?.abort();
    if (entry.texture !== undefined) this.#events.releaseTexture(entry.texture);
    // The bitmaps of a colour frame on the GPU are closed already.
    else if (entry.frame) releaseFrame(entry.frame);
    this.freeGpu(entry);
    delete entry.frame;
    this.#used.memory -= entry.memoryBytes;
    entry.memoryBytes = 0;
    if (entry.attempts > 0) return;
    this.#entries.delete(entry.ref.imageUrl);
    this.#events.onEvicted(entry.ref.imageUrl);
  }

  /** Gives up the texture of a frame that stays in memory. */
  #dropTexture(entry: ShelfEntry<Texture>): void {
    if (entry.texture === undefined) return;
    this.#events.releaseTexture(entry.texture);
    this.freeGpu(entry);
    this.#events.onEvicted(entry.ref.imageUrl);
  }

  /** First what is wanted least, then what was used longest ago. */
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

  /** Frames less urgent than `rank` that hold something there; an upload under way is left to end. */
  #evictable(place: Place, rank: number): ShelfEntry<Texture>[] {
    return this.entries().filter((entry) => {
      const uploading = entry.gpuBytes > 0 && entry.texture === undefined;
      return bytesOf(entry, place) > 0 && !uploading && this.rankOf(entry.ref) > rank;
    });
  }
}

function bytesOf(entry: ShelfEntry<unknown>, place: Place): number {
  return place === "memory" ? entry.memoryBytes : entry.gpuBytes;
}

/** Like a subtraction, for ranks that may be infinite. */
function compareRanks(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
