// Brings frames from their URL to the GPU: loads the most urgent first, keeps them decoded in memory, and uploads a
// little in each animation frame. Network, PNG and WebGL come in as effects.
import { messageOf } from "../../shared/app-error.ts";
import { frameRetryMs, maxFrameLoads, type FrameBudget } from "../platform/viewer-limits.ts";
import { frameGpuByteLength, releaseFrame } from "../frames/decoded-frame.ts";
import type { DecodedFrame } from "../frames/decoded-frame.ts";
import { FrameShelf, requiredRank, unwantedRank } from "./frame-shelf.ts";
import type { ShelfEffects, ShelfEntry } from "./frame-shelf.ts";
import type { FrameRef } from "../frames/frame-ref.ts";
import type { CacheUse } from "./scene.ts";
import type { FrameReadiness, FrameWishes } from "./step-rule.ts";

/** The running upload of one frame. */
export interface FrameUpload<Texture> {
  /**
   * Uploads at least one slice, until done or past `deadlineMs`; returns the texture when done. Throws when the GPU
   * refuses.
   */
  step(deadlineMs: number): Texture | undefined;
  /** Releases the textures created so far. */
  cancel(): void;
}

export interface FrameCacheEffects<Texture> extends ShelfEffects<Texture> {
  load(ref: FrameRef, signal: AbortSignal): Promise<DecodedFrame>;
  beginUpload(frame: DecodedFrame): FrameUpload<Texture>;
  nowMs(): number;
  /** Runs `run` once after `delayMs`, unless the returned function is called before. */
  schedule(delayMs: number, run: () => void): () => void;
  /** Called when a frame can be drawn, has failed, or waits for an upload. */
  onChange(): void;
  /** Called when `use` has changed. */
  onUse(): void;
}

export class FrameCache<Texture> {
  readonly #effects: FrameCacheEffects<Texture>;
  readonly #shelf: FrameShelf<Texture>;
  /** Most urgent first. */
  #wanted: readonly FrameRef[] = [];
  #upload: { readonly entry: ShelfEntry<Texture>; readonly work: FrameUpload<Texture> } | undefined;
  #cancelRetry: (() => void) | undefined;
  /** Loads from this rank on would find no room: one did not. Reset by `want`. */
  #fullFromRank = unwantedRank;
  #closed = false;

  constructor(budget: FrameBudget, effects: FrameCacheEffects<Texture>) {
    this.#effects = effects;
    this.#shelf = new FrameShelf(budget, effects);
  }

  /** Replaces the wishes. Frames on screen and required ones are never evicted. */
  want(wishes: FrameWishes, onScreen: readonly FrameRef[]): void {
    if (this.#closed) return;
    const required = [...wishes.required, ...onScreen];
    const ranks = new Map(required.map(({ imageUrl }) => [imageUrl, requiredRank]));
    wishes.soon.forEach(({ imageUrl }, index) => {
      if (!ranks.has(imageUrl)) ranks.set(imageUrl, index);
    });
    this.#wanted = uniqueFrames([...required, ...wishes.soon]);
    this.#fullFromRank = unwantedRank;
    this.#shelf.setRanks(ranks);
    this.#pump();
    this.#effects.onUse();
  }

  /** Replaces the budget at once: frames beyond a smaller one are evicted, a larger one is filled. */
  setBudget(budget: FrameBudget): void {
    if (this.#closed) return;
    this.#shelf.setBudget(budget);
    this.#fullFromRank = unwantedRank;
    this.#pump();
    this.#effects.onUse();
    this.#effects.onChange();
  }

  get use(): CacheUse {
    return this.#shelf.use;
  }

  readinessOf(imageUrl: string): FrameReadiness {
    const entry = this.#shelf.find(imageUrl);
    if (entry?.texture !== undefined) return "ready";
    // A running retry must not hold up a step that went on without the frame.
    return entry && entry.attempts > 0 && !entry.frame ? "failed" : "pending";
  }

  /** Returns what the cache holds of a frame; undefined if nothing. */
  find(imageUrl: string): Readonly<ShelfEntry<Texture>> | undefined {
    return this.#shelf.find(imageUrl);
  }

  /** The pending uploads; "urgent" if the next step waits for one of them. */
  get uploads(): "none" | "some" | "urgent" {
    if (this.#closed) return "none";
    const next = this.#findUpload() ?? this.#upload?.entry;
    if (!next) return "none";
    return this.#shelf.rankOf(next.ref) === requiredRank ? "urgent" : "some";
  }

  /**
   * Uploads until `deadlineMs`, the most urgent frame first. Call it once per animation frame while uploads are
   * pending.
   */
  tick(deadlineMs: number): void {
    if (this.#closed) return;
    const next = this.#findUpload();
    if (next && this.#upload && next !== this.#upload.entry) this.#stopUpload();
    do {
      if (!this.#stepUpload(deadlineMs)) return;
    } while (this.#effects.nowMs() < deadlineMs);
  }

  /** Forgets all textures, which the GPU has lost, without releasing them. Frames in memory are uploaded again. */
  dropTextures(): void {
    this.#upload = undefined;
    for (const entry of this.#shelf.entries()) {
      const isLost = entry.texture !== undefined;
      this.#shelf.freeGpu(entry);
      // The GPU held the only copy of a color picture.
      if (isLost && entry.frame?.kind === "color") this.#shelf.drop(entry);
      else if (isLost) this.#effects.onFrameState(entry.ref.imageUrl, { status: "evicted" });
    }
    this.#pump();
    this.#effects.onUse();
  }

  /** Drops what it holds of these frames. Those that are wanted are loaded again. */
  dropFrames(isDropped: (frame: DecodedFrame) => boolean): void {
    const dropped = this.#shelf.entries().filter(({ frame }) => frame && isDropped(frame));
    if (dropped.length === 0) return;
    if (this.#upload && dropped.includes(this.#upload.entry)) this.#stopUpload();
    for (const entry of dropped) this.#shelf.drop(entry);
    this.#pump();
    this.#effects.onUse();
  }

  close(): void {
    if (this.#closed) return;
    this.#stopUpload();
    this.#closed = true;
    this.#cancelRetry?.();
    for (const entry of this.#shelf.entries()) this.#shelf.drop(entry);
  }

  /** Starts loads while slots are free, most urgent first, and aborts unwanted loads that take a slot. */
  #pump(): void {
    if (this.#closed) return;
    const loading = this.#shelf.entries().filter(({ load }) => load);
    const waiting = this.#wanted.filter((ref) => this.#mayLoad(ref)).length;
    let free = maxFrameLoads - loading.length;
    for (const { ref, load } of loading) {
      if (free >= Math.min(maxFrameLoads, waiting)) break;
      if (this.#shelf.rankOf(ref) !== unwantedRank) continue;
      load?.abort();
      free += 1;
    }
    for (const ref of this.#wanted) {
      if (free <= 0) break;
      if (!this.#mayLoad(ref)) continue;
      void this.#load(ref);
      free -= 1;
    }
    this.#scheduleRetry();
  }

  #mayLoad(ref: FrameRef): boolean {
    const entry = this.#shelf.find(ref.imageUrl);
    if (entry?.frame || (entry?.load && !entry.load.signal.aborted)) return false;
    if (entry?.failure && entry.failure.retryAtMs > this.#effects.nowMs()) return false;
    const rank = this.#shelf.rankOf(ref);
    return rank < this.#fullFromRank && this.#shelf.fits("memory", this.#shelf.guessBytes(), rank);
  }

  /** Never rejects: a failure becomes the entry's. */
  async #load(ref: FrameRef): Promise<void> {
    const entry = this.#shelf.find(ref.imageUrl) ?? this.#shelf.add(ref);
    const load = new AbortController();
    entry.load = load;
    this.#effects.onFrameState(ref.imageUrl, { status: "loading" });
    let frame: DecodedFrame | undefined;
    let failure: unknown;
    try {
      frame = await this.#effects.load(ref, load.signal);
    } catch (error) {
      failure = error;
    }
    if (this.#closed || entry.load !== load) {
      if (frame) releaseFrame(frame);
      return;
    }
    delete entry.load;
    if (frame) this.#store(entry, frame);
    else if (load.signal.aborted) this.#shelf.drop(entry);
    else this.#fail(entry, failure);
    this.#pump();
    this.#effects.onUse();
    this.#effects.onChange();
  }

  #store(entry: ShelfEntry<Texture>, frame: DecodedFrame): void {
    const rank = this.#shelf.rankOf(entry.ref);
    this.#shelf.setFrame(entry, frame);
    if (this.#shelf.makeRoom("memory", 0, rank)) return;
    this.#fullFromRank = Math.min(this.#fullFromRank, rank);
    this.#shelf.drop(entry);
  }

  #fail(entry: ShelfEntry<Texture>, error: unknown): void {
    entry.attempts += 1;
    const delayMs = Math.min(frameRetryMs.longest, frameRetryMs.first * 2 ** (entry.attempts - 1));
    entry.failure = { message: messageOf(error), retryAtMs: this.#effects.nowMs() + delayMs };
    this.#effects.onFrameState(entry.ref.imageUrl, { status: "failed", ...entry.failure });
  }

  /** Schedules the earliest retry of a wanted frame. */
  #scheduleRetry(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    let firstMs = Number.POSITIVE_INFINITY;
    for (const { imageUrl } of this.#wanted) {
      const entry = this.#shelf.find(imageUrl);
      if (entry?.failure && !entry.load && !entry.frame) firstMs = Math.min(firstMs, entry.failure.retryAtMs);
    }
    const delayMs = firstMs - this.#effects.nowMs();
    if (delayMs <= 0 || !Number.isFinite(delayMs)) return;
    this.#cancelRetry = this.#effects.schedule(delayMs, () => {
      this.#pump();
    });
  }

  /** Returns the most urgent decoded frame without a texture, if there is room for it. */
  #findUpload(): ShelfEntry<Texture> | undefined {
    for (const ref of this.#wanted) {
      const entry = this.#shelf.find(ref.imageUrl);
      if (!entry?.frame || entry.texture !== undefined) continue;
      // Room for the running upload is reserved already.
      const bytes = entry === this.#upload?.entry ? 0 : frameGpuByteLength(entry.frame);
      return this.#shelf.fits("gpu", bytes, this.#shelf.rankOf(ref)) ? entry : undefined;
    }
    return undefined;
  }

  /** Continues the current upload, or begins the next one. Returns false if there is none. */
  #stepUpload(deadlineMs: number): boolean {
    const entry = this.#upload?.entry ?? this.#findUpload();
    if (!entry?.frame) return false;
    try {
      this.#upload ??= this.#beginUpload(entry, entry.frame);
      const texture = this.#upload.work.step(deadlineMs);
      if (texture === undefined) return true;
      this.#upload = undefined;
      this.#shelf.setTexture(entry, texture);
      entry.attempts = 0;
      delete entry.failure;
      this.#effects.onFrameState(entry.ref.imageUrl, { status: "ready" });
    } catch (error) {
      this.#stopUpload();
      this.#fail(entry, error);
      this.#shelf.drop(entry);
    }
    this.#effects.onUse();
    this.#effects.onChange();
    return true;
  }

  #beginUpload(
    entry: ShelfEntry<Texture>,
    frame: DecodedFrame,
  ): { entry: ShelfEntry<Texture>; work: FrameUpload<Texture> } {
    const bytes = frameGpuByteLength(frame);
    this.#shelf.makeRoom("gpu", bytes, this.#shelf.rankOf(entry.ref));
    const work = this.#effects.beginUpload(frame);
    this.#shelf.setBytes(entry, "gpu", bytes);
    return { entry, work };
  }

  #stopUpload(): void {
    if (!this.#upload) return;
    this.#upload.work.cancel();
    this.#shelf.freeGpu(this.#upload.entry);
    this.#upload = undefined;
  }
}

function uniqueFrames(frames: readonly FrameRef[]): FrameRef[] {
  return [...new Map(frames.map((frame) => [frame.imageUrl, frame])).values()];
}
