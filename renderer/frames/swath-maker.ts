// Makes swaths of growing lists of frames: one that begins with the list made last costs only the frames added.
import type { FrameRef } from "./frame-ref.ts";
import { GrowingSwath } from "./growing-swath.ts";
import type { SourceFrames } from "./source-frames.ts";

/** Outcome of each frame of the list. */
export type SwathPart = "used" | "another-grid" | "failed";

export interface MadeSwath {
  /** Undefined if no frame could be read. */
  readonly swath: GrowingSwath | undefined;
  readonly parts: readonly SwathPart[];
}

/** Frames read ahead of the one that is added. */
const readAhead = 3;

export class SwathMaker {
  readonly #sources: Pick<SourceFrames, "load">;
  #urls: string[] = [];
  #swath = new GrowingSwath();
  /** For each URL, false if the frame failed. */
  #isRead: boolean[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(sources: Pick<SourceFrames, "load">) {
    this.#sources = sources;
  }

  /**
   * Makes one swath at a time and passes it to `take`, which must not keep its memory. `onRead` gets the number of
   * frames read. A frame that fails is left out, and read again when the list is asked for again.
   */
  make<Result>(
    frames: readonly FrameRef[],
    take: (made: MadeSwath) => Result,
    { onRead, signal }: { readonly onRead?: (count: number) => void; readonly signal: AbortSignal },
  ): Promise<Result> {
    const made = this.#last.then(async () => {
      await this.#extend(frames, onRead, signal);
      return take({ swath: this.#isRead.includes(true) ? this.#swath : undefined, parts: this.#toParts() });
    });
    this.#last = made.catch(() => undefined);
    return made;
  }

  async #extend(
    frames: readonly FrameRef[],
    onRead: ((count: number) => void) | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    const isGrowing = frames.length > this.#urls.length || this.#isRead.every(Boolean);
    const isContinued = isGrowing && this.#urls.every((url, index) => url === frames[index]?.imageUrl);
    if (!isContinued) {
      this.#urls = [];
      this.#isRead = [];
      this.#swath = new GrowingSwath();
    }
    for (let index = this.#urls.length; index < frames.length; index++) {
      signal.throwIfAborted();
      this.#readAhead(frames.slice(index + 1, index + 1 + readAhead));
      await this.#add(frames[index]!);
      onRead?.(index + 1);
    }
  }

  /** Failures are met again when the frame is added. */
  #readAhead(frames: readonly FrameRef[]): void {
    void Promise.allSettled(frames.map((frame) => this.#sources.load(frame)));
  }

  async #add(frame: FrameRef): Promise<void> {
    let isRead = true;
    try {
      this.#swath.add(await this.#sources.load(frame));
    } catch {
      isRead = false;
    }
    this.#urls.push(frame.imageUrl);
    this.#isRead.push(isRead);
  }

  #toParts(): SwathPart[] {
    let added = 0;
    return this.#isRead.map((isRead) => {
      if (!isRead) return "failed";
      return this.#swath.isUsed[added++]! ? "used" : "another-grid";
    });
  }
}
