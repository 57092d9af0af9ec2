// Reads overlay files, each in a worker of its own that starts with the file and ends with it, one at a time.
import { AppError } from "../../shared/app-error.ts";
import type { OverlayContent } from "../../shared/overlays/overlay.ts";
import { refuse } from "../../shared/overlays/reading/shape-gatherer.ts";
import { overlayReadMs } from "../platform/viewer-limits.ts";
import type { OverlayReply, OverlayRequest } from "./overlay-messages.ts";

export class OverlayClient {
  #last: Promise<unknown> = Promise.resolve();

  /** Throws AppError with a sentence that names the file, or the signal's reason. */
  read(bytes: Uint8Array, name: string, signal: AbortSignal): Promise<OverlayContent> {
    const read = this.#last.then(() => readInWorker({ bytes, name }, signal));
    this.#last = read.catch(() => undefined);
    return read;
  }
}

async function readInWorker(request: OverlayRequest, signal: AbortSignal): Promise<OverlayContent> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("./overlay-worker.ts", import.meta.url), {
    type: "module",
    name: "overlay file",
  });
  const timeLimit = AbortSignal.timeout(overlayReadMs);
  const ended = AbortSignal.any([signal, timeLimit]);
  try {
    return await new Promise<OverlayContent>((resolve, reject) => {
      ended.addEventListener("abort", () => {
        reject(
          signal.aborted
            ? (signal.reason as Error)
            : refuse(request.name, `takes longer than ${overlayReadMs / 1000} seconds to read`),
        );
      });
      worker.onmessage = ({ data: reply }: MessageEvent<OverlayReply>) => {
        if ("content" in reply) resolve(reply.content);
        else reject(new AppError(reply.problem.code, reply.problem.detail));
      };
      // A worker that runs out of memory ends with an error.
      worker.onerror = () => {
        reject(refuse(request.name, "cannot be read"));
      };
      worker.postMessage(request);
    });
  } finally {
    worker.terminate();
  }
}
