// Runs requests to an S3 server: each attempt has a deadline without progress, and passing failures are tried again.
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../../shared/app-error.ts";
import { isPassing } from "./s3-error.ts";

export interface S3RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes to upload, which take time that cannot be watched. */
  readonly byteLength?: number;
}

/** Sends a request, and reads its answer. `onProgress` postpones the deadline. */
export type S3Attempt<Result> = (signal: AbortSignal, onProgress: () => void) => Promise<Result>;

export interface S3Requests {
  /** Returns the result of the first attempt that works. Throws the signal's reason, or the explained error. */
  run<Result>(attempt: S3Attempt<Result>, options?: S3RequestOptions): Promise<Result>;
  /** Aborts all requests. */
  close(): void;
}

const mostAttempts = 5;
const firstDelayMs = 100;
const defaultPatienceMs = 10_000;
/** Slowest upload that is waited for. */
const bytesPerMs = 128;

export function createS3Requests(
  explain: (error: unknown) => AppError,
  patienceMs = defaultPatienceMs,
): S3Requests {
  const closing = new AbortController();
  return {
    async run(attempt, { signal, byteLength = 0 } = {}) {
      const stop = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
      for (let number = 1; ; number += 1) {
        stop.throwIfAborted();
        try {
          return await attemptOnce(attempt, stop, patienceMs + byteLength / bytesPerMs);
        } catch (error) {
          stop.throwIfAborted();
          if (number === mostAttempts || !isPassing(error)) throw explain(error);
        }
        // Clients that failed together do not return together.
        await delay(firstDelayMs * 2 ** (number - 1) * (0.5 + Math.random()), undefined, {
          signal: stop,
        }).catch(() => undefined);
      }
    },
    close() {
      closing.abort(new AppError("storage-unavailable", "The object store is being closed."));
    },
  };
}

async function attemptOnce<Result>(
  attempt: S3Attempt<Result>,
  stop: AbortSignal,
  waitMs: number,
): Promise<Result> {
  const deadline = new AbortController();
  const timeout = Object.assign(new Error("The server does not answer."), { code: "ETIMEDOUT" });
  const timer = setTimeout(() => {
    deadline.abort(timeout);
  }, waitMs);
  try {
    return await attempt(AbortSignal.any([stop, deadline.signal]), () => timer.refresh());
  } catch (error) {
    throw deadline.signal.aborted ? timeout : error;
  } finally {
    clearTimeout(timer);
  }
}
