// The frames of several maps, loaded by one set of decode workers: a frame that is loading, or that any map still
// holds, is neither fetched nor decoded again.
import type { DecodedFrame, FrameDepth, IndexedFrame } from "./decoded-frame.ts";
import { FrameLoader } from "./frame-loader.ts";
import type { ScreenView } from "./screen/screen-frame.ts";

export interface FrameSource {
  /**
   * With a `view`, a frame that nobody holds may come as that screen shows it, for this caller alone.
   * @throws AppError with a sentence for a person, or the signal's reason
   */
  load(imageUrl: string, signal: AbortSignal, view?: ScreenView): Promise<DecodedFrame>;
  close(): void;
}

/** A source of frames of any depth. */
export interface FrameLoading {
  load(imageUrl: string, signal: AbortSignal, depth: FrameDepth, view?: ScreenView): Promise<DecodedFrame>;
  close(): void;
}

interface LoadOptions {
  readonly depth: FrameDepth;
  readonly signal: AbortSignal;
  readonly view: ScreenView | undefined;
}

interface Running {
  readonly frame: Promise<DecodedFrame>;
  readonly abort: AbortController;
  /** Callers that still want it; without any, the load is aborted. */
  callers: number;
}

export class SharedFrames {
  readonly #createLoader: () => FrameLoading;
  #loader: FrameLoading | undefined;
  #users = 0;
  /** Loads and frames by `toKey`. */
  readonly #running = new Map<string, Running>();
  /** The garbage collector takes a frame that no map holds: this table keeps none in memory. */
  readonly #held = new Map<string, WeakRef<IndexedFrame>>();
  readonly #collected = new FinalizationRegistry<string>((key) => {
    if (!this.#held.get(key)?.deref()) this.#held.delete(key);
  });

  constructor(createLoader: () => FrameLoading) {
    this.#createLoader = createLoader;
  }

  /**
   * Returns a source for one user, of frames that have at least `depth`. The workers start with the first user and end
   * with the last.
   */
  open(depth: FrameDepth): FrameSource {
    this.#users += 1;
    const loader = (this.#loader ??= this.#createLoader());
    let isOpen = true;
    return {
      load: (imageUrl, signal, view) => this.#load(loader, imageUrl, { depth, signal, view }),
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#users -= 1;
        if (this.#users > 0) return;
        this.#loader = undefined;
        loader.close();
      },
    };
  }

  async #load(
    loader: FrameLoading,
    imageUrl: string,
    { depth, signal, view }: LoadOptions,
  ): Promise<DecodedFrame> {
    signal.throwIfAborted();
    const keys =
      depth === "cells" ? [toKey(imageUrl, "levels"), toKey(imageUrl, "cells")] : [toKey(imageUrl, depth)];
    for (const key of keys) {
      const held = this.#held.get(key)?.deref();
      if (held) return held;
    }
    const joined = keys.map((key) => this.#running.get(key)).find(Boolean);
    if (!joined && view) return await loader.load(imageUrl, signal, depth, view);
    const running = joined ?? this.#start(loader, imageUrl, depth);
    running.callers += 1;
    const leave = Promise.withResolvers<never>();
    const stop = (): void => {
      running.callers -= 1;
      if (running.callers === 0) running.abort.abort();
      leave.reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    try {
      const frame = await Promise.race([running.frame, leave.promise]);
      // The bitmaps of a color frame have one owner, which closes them.
      return joined && frame.kind === "color" ? await loader.load(imageUrl, signal, depth) : frame;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  #start(loader: FrameLoading, imageUrl: string, depth: FrameDepth): Running {
    const key = toKey(imageUrl, depth);
    const abort = new AbortController();
    const forget = (): void => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    };
    const frame = loader.load(imageUrl, abort.signal, depth).then((loaded) => this.#keep(key, loaded));
    const running: Running = { frame, abort, callers: 0 };
    this.#running.set(key, running);
    // A load that is given up must not be joined.
    abort.signal.addEventListener("abort", forget);
    frame.then(forget, forget);
    return running;
  }

  #keep(key: string, frame: DecodedFrame): DecodedFrame {
    if (frame.kind === "indexed") {
      this.#held.set(key, new WeakRef(frame));
      this.#collected.register(frame, key);
    }
    return frame;
  }
}

function toKey(imageUrl: string, depth: FrameDepth): string {
  return `${depth} ${imageUrl}`;
}

/** The frames of all maps of this page. */
export const sharedFrames = new SharedFrames(() => new FrameLoader());
