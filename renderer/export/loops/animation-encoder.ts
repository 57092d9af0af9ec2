// Encodes a loop as GIF or animated WebP, in a worker.
import { AppError } from "../../../shared/app-error.ts";
import type { AnimationReply, AnimationRequest, FilePart } from "./animation/animation-messages.ts";
import type { EncoderOptions, LoopEncoder } from "./loop-encoder.ts";
import type { AnimationFormat } from "./loop-formats.ts";
import { toComment, toXmp } from "./loop-tags.ts";

export async function openAnimationEncoder(
  format: AnimationFormat,
  { plan, size, file }: EncoderOptions,
): Promise<LoopEncoder> {
  const worker = new Worker(new URL("animation/animation-worker.ts", import.meta.url), { type: "module" });
  /** Writing of the message sent last. */
  let last = Promise.resolve();

  /** Waits for the message before, then sends this one: two frames at most are in memory. */
  async function send(request: AnimationRequest, transfer: Transferable[] = []): Promise<void> {
    await last;
    last = ask(worker, request, transfer).then(async (parts) => {
      for (const part of parts) await file.write(part);
    });
    // The next message, or the end, throws what went wrong.
    last.catch(() => undefined);
  }

  await send({
    start: {
      format,
      widthPx: size.widthPx,
      heightPx: size.heightPx,
      about: format === "gif" ? toComment(plan) : toXmp(plan),
      exactColors: plan.exactColors,
    },
  });
  return {
    add: async (canvas, { durationMs }) => {
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, size.widthPx, size.heightPx);
      await send({ pixels: data.buffer, durationMs }, [data.buffer]);
    },
    finish: async () => {
      await send({ end: true });
      await last;
      worker.terminate();
    },
    close: async () => {
      worker.terminate();
      return Promise.resolve();
    },
  };
}

function ask(
  worker: Worker,
  request: AnimationRequest,
  transfer: Transferable[],
): Promise<readonly FilePart[]> {
  const answered = new AbortController();
  const { signal } = answered;
  const answer = new Promise<readonly FilePart[]>((resolve, reject) => {
    const receive = ({ data }: MessageEvent<AnimationReply>): void => {
      if ("parts" in data) resolve(data.parts);
      else reject(new AppError("conflict", "A frame could not be compressed. Try again.", { context: data }));
    };
    const fail = (event: ErrorEvent): void => {
      event.preventDefault();
      reject(new AppError("conflict", "The program that writes the file has stopped. Try again."));
    };
    worker.addEventListener("message", receive, { signal });
    worker.addEventListener("error", fail, { signal });
  });
  worker.postMessage(request, transfer);
  return answer.finally(() => {
    answered.abort();
  });
}
