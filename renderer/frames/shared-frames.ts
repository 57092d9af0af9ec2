// The frames of several maps, loaded by one set of decode workers: a frame that is loading, or that any map still
// holds, is neither fetched nor decoded again.
import type { DecodedFrame, IndexedFrame } from "./decoded-frame.ts";
import { FrameLoader } from "./frame-loader.ts";

export interface FrameSource {
  /** @throws AppError with a sentence for a person, or the signal's reason */
  load(imageUrl: string, signal: AbortSignal): Promise<DecodedFrame>;
  close(): void;
}

interface Running {
  readonly frame: Promise<DecodedFrame>;
  readonly abort: AbortController;
  /** Callers that still want it; without any, the load is aborted. */
  callers: number;
}

export class SharedFrames {
  readonly #createLoader: () => FrameSource;
  #loader: FrameSource | undefined;
  #users = 0;
  readonly #running = new Map<string, Running>();
  /** The garbage collector takes a frame that no map holds: this table keeps none in memory. */
  readonly #held = new Map<string, WeakRef<IndexedFrame>>();
  readonly #collected = new FinalizationRegistry<string>((imageUrl) => {
    if (!this.#held.get(imageUrl)?.deref()) this.#held.delete(imageUrl);
  });

  constructor(createLoader: () => FrameSource) {
    this.#createLoader = createLoader;
  }

  /** Returns a source for one user. The workers start with the first user and end with the last. */
  open(): FrameSource {
    this.#users += 1;
    const loader = (this.#loader ??= this.#createLoader());
    let isOpen = true;
    return {
      load: (imageUrl, signal) => this.#load(loader, imageUrl, signal),
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

  async #load(loader: FrameSource, imageUrl: string, signal: AbortSignal): Promise<DecodedFrame> {
    signal.throwIfAborted();
    const held = this.#held.get(imageUrl)?.deref();
    if (held) return held;
    const joined = this.#running.get(imageUrl);
    const running = joined ?? this.#start(loader, imageUrl);
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
      return joined && frame.kind === "color" ? await loader.load(imageUrl, signal) : frame;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  #start(loader: FrameSource, imageUrl: string): Running {
    const abort = new AbortController();
    const forget = (): void => {
      if (this.#running.get(imageUrl) === running) this.#running.delete(imageUrl);
    };
    const frame = loader.load(imageUrl, abort.signal).then((loaded) => this.#keep(imageUrl, loaded));
    const running: Running = { frame, abort, callers: 0 };
    this.#running.set(imageUrl, running);
    // A load that is given up must not be joined.
    abort.signal.addEventListener("abort", forget);
    frame.then(forget, forget);
    return running;
  }

  #keep(imageUrl: string, frame: DecodedFrame): DecodedFrame {
    if (frame.kind === "indexed") {
      this.#held.set(imageUrl, new WeakRef(frame));
      this.#collected.register(frame, imageUrl);
    }
    return frame;
  }
}

/** The frames of all maps of this page. */
export const sharedFrames = new SharedFrames(() => new FrameLoader());
