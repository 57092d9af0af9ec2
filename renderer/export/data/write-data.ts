// Has a worker write a file of data, which ends with it.
import { AppError } from "../../../shared/app-error.ts";
import type { DataReply, DataRequest } from "./data-messages.ts";

interface WriteOptions {
  readonly signal: AbortSignal;
  /** Gets the number of pictures written so far. */
  readonly onProgress: (done: number) => void;
}

/** @throws AppError with a sentence for a person; the signal's reason */
export async function writeData(request: DataRequest, { signal, onProgress }: WriteOptions): Promise<Blob> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("data-worker.ts", import.meta.url), { type: "module", name: "data" });
  const ended = new AbortController();
  try {
    return await new Promise<Blob>((resolve, reject) => {
      signal.addEventListener(
        "abort",
        () => {
          reject(signal.reason as Error);
        },
        { signal: ended.signal },
      );
      worker.onmessage = ({ data }: MessageEvent<DataReply>) => {
        if ("done" in data) onProgress(data.done);
        else if ("file" in data) resolve(data.file);
        else reject(new AppError(data.problem.code, data.problem.detail));
      };
      worker.onerror = () => {
        reject(
          new AppError("upstream-unavailable", "The program that writes the file could not be started."),
        );
      };
      // A worker would resolve paths against its own script, not against the page.
      const layers = request.layers.map(({ facts, frame }) => ({
        facts,
        frame: { ...frame, imageUrl: new URL(frame.imageUrl, document.baseURI).href },
      }));
      worker.postMessage({ ...request, layers } satisfies DataRequest);
    });
  } finally {
    ended.abort();
    worker.terminate();
  }
}
