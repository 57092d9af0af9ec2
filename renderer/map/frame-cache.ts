// Brings frames from their address to the GPU: loaded in order of urgency, two at a time, kept decoded in memory, uploaded
// a little in each animation frame. Knows no network, no PNG and no WebGL: they come in as effects.
import { messageOf } from "../../shared/app-error.ts";
import { frameGpuByteLength, releaseFrame } from "./decoded-frame.ts";
import type { DecodedFrame } from "./decoded-frame.ts";
import { FrameShelf, requiredRank, unwantedRank } from "./frame-shelf.ts";
import type { FrameBudget, ShelfEntry } from "./frame-shelf.ts";
import type { FrameReadiness, FrameWishes } from "./step-rule.ts";
import type { CacheUse, FrameRef, FrameState } from "./scene.ts";

/** A frame's upload under way. */
export interface FrameUpload<Texture> {
  /** Uploads until done or `deadlineMs` is past (a little at least), and returns the texture when done. Throws when the GPU refuses. */
  step(deadlineMs: number): Texture | undefined;
  /** Gives back what has been taken. */
  cancel(): void;
}

export interface FrameCacheEffects<Texture> {
  load(frame: FrameRef, signal: AbortSignal): Promise<DecodedFrame>;
  beginUpload(frame: DecodedFrame): FrameUpload<Texture>;
  releaseTexture(texture: Texture): void;
  nowMs(): number;
  /** Runs `run` once after `delayMs`, unless the function returned is called before. */
  schedule(delayMs: number, run: () => void): () => void;
  /** Something can be drawn, has failed, or wants uploading. */
  onChange(): void;
  onFrameState(imageUrl: string, state: FrameState): void;
  /** `use` has changed. */
  onUse(): void;
}

/** How many frames are fetched and decoded at once. */
const maxLoads = 2;
const firstRetryMs = 2_000;
const longestRetryMs = 60_000;

export class FrameCache<Texture> {
  readonly #effects: FrameCacheEffects<Texture>;
  readonly #shelf: FrameShelf<Texture>;
  /** Most urgent first. */
  #wanted: readonly FrameRef[] = [];
  #upload: { readonly entry: ShelfEntry<Texture>; readonly work: FrameUpload<Texture> } | undefined;
  #cancelRetry: (() => void) | undefined;
  /** From this rank on loading is pointless: a frame of that rank found no room. Lifted by new wishes. */
  #fullFromRank = unwantedRank;
  #closed = false;

  constructor(budget: FrameBudget, effects: FrameCacheEffects<Texture>) {
    this.#effects = effects;
    this.#shelf = new FrameShelf(budget, {
      releaseTexture: (texture) => {
        effects.releaseTexture(texture);
      },
      onEvicted: (imageUrl) => {
        effects.onFrameState(imageUrl, { status: "evicted" });
      },
    });
  }

  /** Says what is needed from now on. Frames on screen and required ones are never evicted. */
  want(wishes: FrameWishes, onScreen: readonly FrameRef[]): void {
    if (this.#closed) return;
    const ranks = new Map<string, number>();
    for (const { imageUrl } of [...wishes.required, ...onScreen]) ranks.set(imageUrl, requiredRank);
    wishes.soon.forEach(({ imageUrl }, index) => {
      if (!ranks.has(imageUrl)) ranks.set(imageUrl, index);
    });
    this.#wanted = uniqueFrames([...wishes.required, ...onScreen, ...wishes.soon]);
    this.#fullFromRank = unwantedRank;
    this.#shelf.setRanks(ranks);
    this.#pump();
    this.#reportUse();
  }

  get use(): CacheUse {
    return this.#shelf.use;
  }

  readinessOf(imageUrl: string): FrameReadiness {
    const entry = this.#shelf.find(imageUrl);
    if (entry?.texture !== undefined) return "ready";
    // Another attempt under way must not hold up a step that went on without the frame.
    return entry && entry.attempts > 0 && !entry.frame ? "failed" : "pending";
  }

  findTexture(imageUrl: string): Texture | undefined {
    return this.#shelf.find(imageUrl)?.texture;
  }

  findFrame(imageUrl: string): DecodedFrame | undefined {
    return this.#shelf.find(imageUrl)?.frame;
  }

  findFailure(imageUrl: string): string | undefined {
    return this.#shelf.find(imageUrl)?.failure?.message;
  }

  /** What `tick` would do: "urgent" when a frame that the next step waits for is among it. */
  get uploads(): "none" | "some" | "urgent" {
    if (this.#closed) return "none";
    const next = this.#findUpload() ?? this.#upload?.entry;
    if (!next) return "none";
    return this.#shelf.rankOf(next.ref) === requiredRank ? "urgent" : "some";
  }

  /** Uploads until `deadlineMs`, the most urgent frame first. Call it once an animation frame while there are uploads. */
  tick(deadlineMs: number): void {
    if (this.#closed) return;
    const next = this.#findUpload();
    if (next && this.#upload && next !== this.#upload.entry) this.#stopUpload();
    do {
      if (!this.#stepUpload(deadlineMs)) return;
    } while (this.#effects.nowMs() < deadlineMs);
  }

  /** The GPU has lost everything: textures are gone and must not be released. Frames kept in memory are uploaded again. */
  dropTextures(): void {
    this.#upload = undefined;
    for (const entry of this.#shelf.entries()) {
      const isLost = entry.texture !== undefined;
      this.#shelf.freeGpu(entry);
      // Colours were given to the GPU and not kept.
      if (isLost && entry.frame?.kind === "colour") this.#shelf.drop(entry);
      else if (isLost) this.#effects.onFrameState(entry.ref.imageUrl, { status: "evicted" });
    }
    this.#pump();
    this.#reportUse();
  }

  close(): void {
    if (this.#closed) return;
    this.#stopUpload();
    this.#closed = true;
    this.#cancelRetry?.();
    for (const entry of this.#shelf.entries()) this.#shelf.drop(entry);
  }

  /** Starts loads while there are free places, most urgent first, and gives up the ones nobody waits for any more. */
  #pump(): void {
    if (this.#closed) return;
    const next = (): FrameRef | undefined => this.#wanted.find((ref) => this.#mayLoad(ref));
    const loading = this.#shelf.entries().filter(({ load }) => load);
    const waiting = this.#wanted.filter((ref) => this.#mayLoad(ref)).length;
    let free = maxLoads - loading.length;
    for (const { ref, load } of loading) {
      if (free >= Math.min(maxLoads, waiting)) break;
      if (this.#shelf.rankOf(ref) !== unwantedRank) continue;
      load?.abort();
      free += 1;
    }
    for (let ref = next(); ref && free > 0; ref = next(), free -= 1) this.#startLoad(ref);
    this.#scheduleRetry();
  }

  #mayLoad(ref: FrameRef): boolean {
    const entry = this.#shelf.find(ref.imageUrl);
    if (entry?.frame || (entry?.load && !entry.load.signal.aborted)) return false;
    if (entry?.failure && entry.failure.retryAtMs > this.#effects.nowMs()) return false;
    const rank = this.#shelf.rankOf(ref);
    return rank < this.#fullFromRank && this.#shelf.fits("memory", this.#shelf.guessBytes(), rank);
  }

  #startLoad(ref: FrameRef): void {
    const entry = this.#shelf.find(ref.imageUrl) ?? this.#shelf.add(ref);
    const load = new AbortController();
    entry.load = load;
    this.#effects.onFrameState(ref.imageUrl, { status: "loading" });
    this.#effects.load(ref, load.signal).then(
      (frame) => {
        if (this.#closed || entry.load !== load) releaseFrame(frame);
        else this.#finishLoad(entry, frame);
      },
      (error: unknown) => {
        if (!this.#closed && entry.load === load) this.#failLoad(entry, error);
      },
    );
  }

  #finishLoad(entry: ShelfEntry<Texture>, frame: DecodedFrame): void {
    delete entry.load;
    const rank = this.#shelf.rankOf(entry.ref);
    this.#shelf.setFrame(entry, frame);
    if (!this.#shelf.makeRoom("memory", 0, rank)) {
      this.#fullFromRank = Math.min(this.#fullFromRank, rank);
      this.#shelf.drop(entry);
    }
    this.#afterLoad();
  }

  #failLoad(entry: ShelfEntry<Texture>, error: unknown): void {
    const aborted = entry.load?.signal.aborted === true;
    delete entry.load;
    if (aborted) this.#shelf.drop(entry);
    else this.#fail(entry, error);
    this.#afterLoad();
  }

  #afterLoad(): void {
    this.#pump();
    this.#reportUse();
    this.#effects.onChange();
  }

  #fail(entry: ShelfEntry<Texture>, error: unknown): void {
    entry.attempts += 1;
    const delayMs = Math.min(longestRetryMs, firstRetryMs * 2 ** (entry.attempts - 1));
    entry.failure = { message: messageOf(error), retryAtMs: this.#effects.nowMs() + delayMs };
    this.#effects.onFrameState(entry.ref.imageUrl, { status: "failed", ...entry.failure });
  }

  /** Wakes up for the first wanted frame whose next attempt is due. */
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

  /** The most urgent decoded frame without a texture, if there is room for it. */
  #findUpload(): ShelfEntry<Texture> | undefined {
    for (const ref of this.#wanted) {
      const entry = this.#shelf.find(ref.imageUrl);
      if (!entry?.frame || entry.texture !== undefined) continue;
      // What is being uploaded has its room already.
      const bytes = entry === this.#upload?.entry ? 0 : frameGpuByteLength(entry.frame);
      return this.#shelf.fits("gpu", bytes, this.#shelf.rankOf(ref)) ? entry : undefined;
    }
    return undefined;
  }

  /** Takes the current upload further, or begins the next one. False when there is none. */
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
    this.#reportUse();
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
    this.#shelf.reserveGpu(entry, bytes);
    return { entry, work };
  }

  #stopUpload(): void {
    if (!this.#upload) return;
    this.#upload.work.cancel();
    this.#shelf.freeGpu(this.#upload.entry);
    this.#upload = undefined;
  }

  #reportUse(): void {
    this.#effects.onUse();
  }
}

function uniqueFrames(frames: readonly FrameRef[]): FrameRef[] {
  return [...new Map(frames.map((frame) => [frame.imageUrl, frame])).values()];
}
