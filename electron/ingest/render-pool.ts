// Worker threads that decode and draw, as many as there are cores, each one file at a time. Where no worker can be started
// the same work is done in this thread; a worker that dies fails its file alone and is replaced.
import { getCompileCacheDir } from "node:module";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { AppError } from "../../shared/app-error.ts";
import type { IdentifiedSource, RenderedSource, RenderTask, WorkerMessage } from "./render-task.ts";
import { fromPortable, toSourceError } from "./source-error.ts";

export interface TaskOptions {
  /** Called when a worker takes the file. */
  readonly onStart?: () => void;
  readonly signal?: AbortSignal | undefined;
}

export interface RenderPool {
  /** How many files are worked on at the same time, at most. */
  readonly size: number;
  /** @throws AppError `source-invalid`, with a sentence that names no path; the signal's reason */
  readonly render: (path: string, options?: TaskOptions) => Promise<RenderedSource>;
  /** The hash of the message alone, without drawing it. Throws as `render` does. */
  readonly identify: (path: string, options?: TaskOptions) => Promise<IdentifiedSource>;
  /** Ends all workers; what is still to be done fails with an AbortError. Idempotent. */
  readonly close: () => Promise<void>;
}

export interface RenderPoolOptions {
  /** The worker's code: `render-worker.ts`, or what it was bundled into. */
  readonly workerUrl: URL;
  /** As many as there are cores unless given. */
  readonly size?: number;
}

interface Job {
  readonly task: RenderTask;
  readonly options: TaskOptions;
  readonly resolve: (result: RenderedSource | IdentifiedSource) => void;
  readonly reject: (reason: unknown) => void;
}

interface Slot {
  readonly worker: Worker;
  /** Whether its code was loaded: one that dies before that will not do better next time. */
  ready: boolean;
  job: Job | undefined;
  failure: unknown;
}

/** Of a worker's heap. Decoded fields live outside of it and are bounded by the decoder. */
const heapLimitMib = 256;

export function createRenderPool({
  workerUrl,
  size = availableParallelism(),
}: RenderPoolOptions): RenderPool {
  const queue: Job[] = [];
  const slots = new Set<Slot>();
  let inline = false;
  let inlineBusy = false;
  let closed = false;

  const pump = (): void => {
    while (queue.length > 0 && !closed) {
      if (inline) {
        workInline();
        return;
      }
      const slot = findFreeSlot();
      if (!slot) return;
      const job = queue.shift()!;
      slot.job = job;
      slot.worker.ref();
      job.options.onStart?.();
      slot.worker.postMessage(job.task);
    }
  };
  const findFreeSlot = (): Slot | undefined => {
    for (const slot of slots) if (!slot.job) return slot;
    if (slots.size >= size) return undefined;
    const worker = startWorker(workerUrl);
    if (worker) return addSlot(worker);
    workInline();
    return undefined;
  };
  const addSlot = (worker: Worker): Slot => {
    const slot: Slot = { worker, ready: false, job: undefined, failure: undefined };
    slots.add(slot);
    worker.unref();
    worker.on("message", (message: WorkerMessage) => {
      onMessage(slot, message);
    });
    worker.on("error", (error) => {
      slot.failure = error;
    });
    worker.on("exit", () => {
      onExit(slot);
    });
    return slot;
  };
  const onMessage = (slot: Slot, message: WorkerMessage): void => {
    if (message.kind === "ready") {
      slot.ready = true;
      return;
    }
    const { job } = slot;
    slot.job = undefined;
    slot.worker.unref();
    if (message.kind === "done") job?.resolve(message.result);
    else job?.reject(fromPortable(message.error));
    pump();
  };
  const onExit = (slot: Slot): void => {
    slots.delete(slot);
    const { job } = slot;
    slot.job = undefined;
    if (!slot.ready && !closed) {
      if (job) queue.unshift(job);
      workInline();
    } else {
      job?.reject(crashOf(slot.failure));
    }
    pump();
  };
  /** From now on, everything is done in this thread. */
  const workInline = (): void => {
    inline = true;
    if (!inlineBusy) void emptyQueue();
  };
  const emptyQueue = async (): Promise<void> => {
    inlineBusy = true;
    for (let job = queue.shift(); job; job = queue.shift()) {
      job.options.onStart?.();
      try {
        // Loaded only here, so that a pool can start its workers before this process has loaded anything else.
        const { runTask } = await import("./render-task.ts");
        job.resolve(await runTask(job.task));
      } catch (error) {
        job.reject(toSourceError(error));
      }
    }
    inlineBusy = false;
  };

  /** A waiting job leaves the queue; one under way takes its worker with it. */
  const cancel = (job: Job, reason: unknown): void => {
    const at = queue.indexOf(job);
    if (at >= 0) queue.splice(at, 1);
    job.reject(reason);
    for (const slot of slots) {
      if (slot.job !== job) continue;
      slot.job = undefined;
      slots.delete(slot);
      void slot.worker.terminate();
    }
    pump();
  };
  const run = async (task: RenderTask, options: TaskOptions): Promise<RenderedSource | IdentifiedSource> => {
    const { signal } = options;
    signal?.throwIfAborted();
    if (closed) throw closedError();
    const { promise, resolve, reject } = Promise.withResolvers<RenderedSource | IdentifiedSource>();
    const job: Job = { task, options, resolve, reject };
    const onAbort = (): void => {
      cancel(job, signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    queue.push(job);
    try {
      pump();
      return await promise;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  };

  // Loading its code takes a worker longer than a small file; the first one begins before there is a file.
  findFreeSlot();

  return {
    size,
    render: async (path, options = {}) => (await run({ kind: "render", path }, options)) as RenderedSource,
    identify: (path, options = {}) => run({ kind: "identify", path }, options),
    close: async () => {
      closed = true;
      for (const job of queue.splice(0)) job.reject(closedError());
      for (const { job } of slots) job?.reject(closedError());
      await Promise.all([...slots].map(({ worker }) => worker.terminate()));
    },
  };
}

function startWorker(workerUrl: URL): Worker | undefined {
  try {
    return new Worker(workerUrl, {
      env: workerEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMib },
    });
  } catch {
    // No threads here: the pool works in this one.
    return undefined;
  }
}

/** A worker uses the compile cache that this process uses, if any: it starts in a third of the time. */
function workerEnvironment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) };
}

function closedError(): DOMException {
  return new DOMException("The render pool is closed.", "AbortError");
}

function crashOf(failure: unknown): AppError {
  const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
  const why =
    code === "ERR_WORKER_OUT_OF_MEMORY"
      ? "it needs more memory than a decoder may have"
      : "its decoder stopped";
  return new AppError("source-invalid", `It could not be decoded: ${why}.`, { cause: failure });
}
