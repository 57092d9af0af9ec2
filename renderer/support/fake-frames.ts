// A fake loader, GPU and clock for tests of the frame cache and the stage; tests trigger every event.
import { AppError } from "../../shared/app-error.ts";
import type { DecodedFrame } from "../frames/decoded-frame.ts";
import type { FrameUpload } from "../map/frame-cache.ts";
import type { FrameRef } from "../frames/frame-ref.ts";

export function toRef(imageUrl: string): FrameRef {
  return { imageUrl, bounds: [-100, 30, -90, 40] };
}

/** A frame of `heightPx` times 1000 bytes of GPU memory, and about as many of memory. */
export function createFrame(heightPx: number): DecodedFrame {
  const size = { widthPx: 1000, heightPx };
  const grid = { kind: "raw", ...size, indices: new Uint8Array(1000 * heightPx) } as const;
  return {
    kind: "indexed",
    ...size,
    grid,
    coarser: [],
    echo: { rowStart: 0, rowEnd: heightPx, columnStart: 0, columnEnd: 500 },
    palette: new Uint8Array(1024),
    classes: undefined,
    coverage: undefined,
  };
}

interface PendingLoad {
  readonly resolve: (frame: DecodedFrame) => void;
  readonly reject: (error: unknown) => void;
  readonly signal: AbortSignal;
}

export class FakeFrames {
  /** Time that each slice of an upload takes. */
  readonly sliceMs = 4;
  nowMs = 0;
  readonly loads = new Map<string, PendingLoad>();
  /** URLs in the order of their requests. */
  readonly asked: string[] = [];
  readonly textures = new Set<string>();
  /** Number of slices in an upload. */
  slices = 1;
  #timers: { readonly atMs: number; readonly run: () => void }[] = [];
  readonly #names = new Map<DecodedFrame, string>();

  readonly load = ({ imageUrl }: FrameRef, signal: AbortSignal): Promise<DecodedFrame> => {
    this.asked.push(imageUrl);
    return new Promise((resolve, reject) => {
      this.loads.set(imageUrl, { resolve, reject, signal });
      signal.addEventListener("abort", () => {
        this.loads.delete(imageUrl);
        reject(signal.reason as Error);
      });
    });
  };

  readonly beginUpload = (frame: DecodedFrame): FrameUpload<string> => {
    const name = this.#names.get(frame)!;
    let left = this.slices;
    return {
      step: (deadlineMs) => {
        do {
          this.nowMs += this.sliceMs;
          left -= 1;
        } while (left > 0 && this.nowMs < deadlineMs);
        if (left > 0) return undefined;
        this.textures.add(name);
        return name;
      },
      cancel: () => undefined,
    };
  };

  readonly releaseTexture = (texture: string): void => {
    if (!this.textures.delete(texture)) throw new Error(`The texture ${texture} was released twice.`);
  };

  readonly schedule = (delayMs: number, run: () => void): (() => void) => {
    const timer = { atMs: this.nowMs + delayMs, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  /** Advances the clock, and runs due timers. */
  pass(ms: number): void {
    this.nowMs += ms;
    const due = this.#timers.filter(({ atMs }) => atMs <= this.nowMs);
    this.#timers = this.#timers.filter(({ atMs }) => atMs > this.nowMs);
    for (const { run } of due) run();
  }

  /** Answers a load, and waits until the cache has processed it. */
  async answer(imageUrl: string, heightPx = 1): Promise<void> {
    const frame = createFrame(heightPx);
    this.#names.set(frame, imageUrl);
    this.#take(imageUrl).resolve(frame);
    await settle();
  }

  async fail(imageUrl: string, message = "broken"): Promise<void> {
    this.#take(imageUrl).reject(new AppError("upstream-unavailable", message));
    await settle();
  }

  #take(imageUrl: string): PendingLoad {
    const load = this.loads.get(imageUrl);
    if (!load) throw new Error(`Nobody is loading ${imageUrl}.`);
    this.loads.delete(imageUrl);
    return load;
  }
}

/** Waits until all pending promise callbacks have run. */
export async function settle(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}
