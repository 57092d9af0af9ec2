// Draws the frames of a loop in order, for formats that write what differs from the frame before.
import type { ExportRequest, ExportSources } from "./export-request.ts";
import { drawFrames } from "./draw-frames.ts";
import { toFrames, type ExportPlan } from "./read-frames.ts";

export interface LoopFrame {
  /** Pixels as 0xAABBGGRR, row-major from the top left. */
  readonly pixels: Uint32Array<ArrayBuffer>;
  /** Undefined for the first frame. */
  readonly before: Uint32Array<ArrayBuffer> | undefined;
  readonly durationMs: number;
}

/** Longer than the others, so that the newest picture rests before the loop begins again. */
const lastFrameMs = 1500;

/** Yields one frame after the other. @throws as `drawFrames` does */
export async function* drawLoop(
  plan: ExportPlan,
  { picture }: ExportRequest,
  sources: ExportSources,
): AsyncGenerator<LoopFrame> {
  const frames = toFrames(plan);
  const stepMs = 1000 / picture.framesPerSecond;
  let before: Uint32Array<ArrayBuffer> | undefined;
  let count = 0;
  for await (const rgba of drawFrames({ plan, frames, picture }, sources)) {
    const pixels = new Uint32Array(rgba.buffer as ArrayBuffer);
    const isLast = ++count === frames.length;
    yield { pixels, before, durationMs: isLast ? Math.max(stepMs, lastFrameMs) : stepMs };
    before = pixels;
  }
}
