// The worker that writes GIF and animated WebP: gets the pixels of each frame, and answers with bytes of the file.
import type { AnimationReply, AnimationRequest, AnimationStart, FilePart } from "./animation-messages.ts";
import { clearUnchanged, countColors } from "../../../../shared/animations/changed-pixels.ts";
import {
  createGifFrames,
  createHundredths,
  toGifHead,
  toGifTail,
} from "../../../../shared/animations/gif-writer.ts";
import {
  toWebpFrame,
  toWebpHead,
  toWebpLength,
  toWebpTail,
  webpLengthPosition,
} from "../../../../shared/animations/webp-writer.ts";

interface Writer {
  readonly head: () => Uint8Array<ArrayBuffer>;
  readonly frame: (pixels: Uint32Array<ArrayBuffer>, durationMs: number) => Promise<Uint8Array<ArrayBuffer>>;
  readonly tail: () => Uint8Array<ArrayBuffer>;
  /** Writes what only the finished file knows. */
  readonly finish: (fileBytes: number) => FilePart[];
}

let writer: Writer | undefined;
let position = 0;

self.addEventListener("message", ({ data }: MessageEvent<AnimationRequest>) => {
  void write(data).then(reply, (error: unknown) => {
    reply({ problem: error instanceof Error ? error.message : String(error) });
  });
});

function reply(answer: AnimationReply | readonly FilePart[]): void {
  if ("problem" in answer) self.postMessage(answer);
  else {
    const parts = "parts" in answer ? answer.parts : answer;
    self.postMessage({ parts }, { transfer: parts.map(({ data }) => data.buffer) });
  }
}

async function write(request: AnimationRequest): Promise<readonly FilePart[]> {
  if ("start" in request) {
    const { start } = request;
    writer = start.format === "gif" ? createGifWriter(start) : createWebpWriter(start);
    return [append(writer.head())];
  }
  if (!writer) throw new Error("The file has not begun.");
  if ("end" in request) return [append(writer.tail()), ...writer.finish(position)];
  return [append(await writer.frame(new Uint32Array(request.pixels), request.durationMs))];
}

function append(data: Uint8Array<ArrayBuffer>): FilePart {
  const part = { position, data };
  position += data.length;
  return part;
}

function createGifWriter({ widthPx, heightPx, about, exactColors }: AnimationStart): Writer {
  const toFrame = createGifFrames(widthPx, heightPx, exactColors);
  const toHundredths = createHundredths();
  let before: Uint32Array | undefined;
  return {
    head: () => toGifHead({ widthPx, heightPx }, new TextEncoder().encode(about)),
    frame: (pixels, durationMs) => {
      const colors = countColors(pixels, before);
      before = pixels;
      return Promise.resolve(toFrame(colors, toHundredths(durationMs)));
    },
    tail: toGifTail,
    finish: () => [],
  };
}

function createWebpWriter({ widthPx, heightPx, about }: AnimationStart): Writer {
  const size = { widthPx, heightPx };
  const canvas = new OffscreenCanvas(widthPx, heightPx);
  const context = canvas.getContext("2d")!;
  let before: Uint32Array | undefined;
  return {
    head: () => toWebpHead(size),
    frame: async (pixels, durationMs) => {
      const isOver = before !== undefined;
      const whole = pixels.slice();
      if (before) clearUnchanged(pixels, before);
      before = whole;
      context.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), widthPx, heightPx), 0, 0);
      // Full quality is lossless: the colors of the classes stay exact.
      const still = await canvas.convertToBlob({ type: "image/webp", quality: 1 });
      if (still.type !== "image/webp") throw new Error("The browser does not compress WebP.");
      return toWebpFrame(new Uint8Array(await still.arrayBuffer()), size, {
        durationMs: Math.round(durationMs),
        isOver,
      });
    },
    tail: () => toWebpTail(new TextEncoder().encode(about)),
    finish: (fileBytes) => [{ position: webpLengthPosition, data: toWebpLength(fileBytes) }],
  };
}
