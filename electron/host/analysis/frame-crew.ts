// A crew of worker threads for one list of frames, one worker for each core. It ends with the list.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { StoresLocation } from "../../catalog/stores/located-stores.ts";
import { workerEnvironment } from "../../platform/worker-environment.ts";
import type { CrewMessage, FrameJob, FrameJobs, JobKind } from "./frame-jobs.ts";
import type { CrewData } from "./frame-worker.ts";

export interface CrewOptions<Kind extends JobKind> {
  readonly workerUrl: URL;
  /** Place of the frames. */
  readonly location: StoresLocation;
  /** Takes the results in the order of the items. */
  readonly onResult: (result: FrameJobs[Kind]["result"], index: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Resolves with what each worker has left at the end. The workers start at once, whenever the job is ready.
 * @param mostItems most items that the job may have
 * @throws errors of a worker and of the job; the signal's reason
 */
export async function runCrew<Kind extends JobKind>(
  mostItems: number,
  job: FrameJob<Kind> | Promise<FrameJob<Kind>>,
  { workerUrl, location, onResult, signal }: CrewOptions<Kind>,
): Promise<FrameJobs[Kind]["rest"][]> {
  signal.throwIfAborted();
  const cursor = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerCount = Math.min(availableParallelism(), mostItems);
  const workerData: CrewData = { location, cursor };
  const workers = Array.from(
    { length: workerCount },
    () => new Worker(workerUrl, { workerData, env: workerEnvironment() }),
  );
  const inOrder = createOrder(onResult);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => {
    reject(signal.reason as Error);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const rests = Promise.all(workers.map((worker) => follow(worker, inOrder)));
    const posted = Promise.resolve(job).then((ready) => {
      for (const worker of workers) worker.postMessage(ready);
    });
    const [result] = await Promise.race([aborted, Promise.all([rests, posted])]);
    return result;
  } finally {
    signal.removeEventListener("abort", onAbort);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function follow<Kind extends JobKind>(
  worker: Worker,
  onResult: (index: number, result: FrameJobs[Kind]["result"]) => void,
): Promise<FrameJobs[Kind]["rest"]> {
  return new Promise((resolve, reject) => {
    worker.on("message", (message: CrewMessage<Kind>) => {
      if ("rest" in message) resolve(message.rest);
      else onResult(message.index, message.result);
    });
    worker.on("error", reject);
    worker.on("exit", () => {
      reject(new Error("A frame worker ended early."));
    });
  });
}

/** Returns a function that takes results in any order and passes them on in the order of their indices. */
function createOrder<Result>(
  onResult: (result: Result, index: number) => void,
): (index: number, result: Result) => void {
  const waiting = new Map<number, Result>();
  let next = 0;
  return (index, result) => {
    waiting.set(index, result);
    for (; waiting.has(next); next++) {
      const ready = waiting.get(next)!;
      waiting.delete(next);
      onResult(ready, next);
    }
  };
}
