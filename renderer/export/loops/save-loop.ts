// Saves a loop: draws its frames one after another, encodes them, and gives the file to the browser's downloads.
import { AppError } from "../../../shared/app-error.ts";
import type { LoopFormat } from "../../state/slices/loops-slice.ts";
import type { SheetContent, SheetDrawer } from "../sheet-drawer.ts";
import { createLoopFile, type LoopFile } from "./loop-file.ts";
import type { EncoderOptions, LoopEncoder } from "./loop-encoder.ts";
import { isVideo } from "./loop-formats.ts";
import { toDurationsMs, type LoopPlan } from "./loop-plan.ts";

/** Frames that are loaded while one is drawn. */
const framesAhead = 3;

export interface LoopJob {
  readonly plan: LoopPlan;
  readonly format: LoopFormat;
  readonly openDrawer: () => SheetDrawer;
  readonly signal: AbortSignal;
  /** Frames that are encoded or wait for the encoder, and bytes written so far. */
  readonly onProgress: (done: number, byteLength: number) => void;
}

/**
 * Returns the whole file.
 * @throws AppError with a sentence for a person, or the signal's reason; then nothing is left of the file
 */
export async function writeLoop(job: LoopJob): Promise<File> {
  const file = await createLoopFile(job.plan.madeMs);
  try {
    await encodeFrames(job, file);
    job.signal.throwIfAborted();
    return await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function encodeFrames(job: LoopJob, file: LoopFile): Promise<void> {
  const { plan, signal, onProgress } = job;
  const drawer = job.openDrawer();
  let encoder: LoopEncoder | undefined;
  try {
    encoder = await openEncoder(job.format, { plan, size: drawer, file });
    const durationsMs = toDurationsMs(plan);
    let startMs = 0;
    for (const index of plan.frames.keys()) {
      const [content, ...next] = plan.frames.slice(index, index + 1 + framesAhead).map(toContent);
      const ahead = next.flatMap((later) => ("sequence" in later ? [later.sequence] : []));
      const canvas = await orAborted(drawer.draw(content!, signal, ahead), signal);
      const durationMs = durationsMs[index]!;
      await orAborted(encoder.add(canvas, { startMs, durationMs }), signal);
      startMs += durationMs;
      onProgress(index + 1, file.byteLength());
    }
    await orAborted(encoder.finish(), signal);
  } catch (error) {
    throw signal.aborted || error instanceof AppError ? error : toEncoderError(error);
  } finally {
    await encoder?.close();
    drawer.close();
  }
}

function toContent(frame: LoopPlan["frames"][number]): SheetContent {
  return "gap" in frame ? { gap: frame.gap } : { sequence: frame.revision.sequence };
}

async function openEncoder(format: LoopFormat, options: EncoderOptions): Promise<LoopEncoder> {
  if (isVideo(format)) {
    const { openVideoEncoder } = await import("./video-encoder.ts");
    return await openVideoEncoder(format, options);
  }
  const { openAnimationEncoder } = await import("./animation-encoder.ts");
  return await openAnimationEncoder(format, options);
}

function toEncoderError(cause: unknown): AppError {
  return new AppError("conflict", "The encoder has stopped. Try again, or choose another format.", { cause });
}

/** Rejects with the signal's reason as soon as it is aborted. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const stopped = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const stop = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", stop, { signal: stopped.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stopped.abort();
  }
}
