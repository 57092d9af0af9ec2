// Worker threads that decode and draw, as many as there are cores, each one file at a time. Where no worker can be started
// the same work is done in this thread; a worker that dies fails its file alone and is replaced.
import { getCompileCacheDir } from "node:module";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { AppError } from "../../../shared/app-error.ts";
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

/**
 * Limits of a worker's heap; decoded fields live outside it. A small young generation collects the buffers of zlib early:
 * two workers then need a quarter less memory in all, and no more time.
 */
const heapLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 3 };

export function createRenderPool({
  workerUrl,
  size = availableParallelism(),
}: RenderPoolOptions): RenderPool {
  const pool = new WorkerPool(workerUrl, size);
  return {
    size,
    render: async (path, options = {}) =>
      (await pool.run({ kind: "render", path }, options)) as RenderedSource,
    identify: (path, options = {}) => pool.run({ kind: "identify", path }, options),
    close: () => pool.close(),
  };
}

class WorkerPool {
  readonly #workerUrl: URL;
  readonly #size: number;
  readonly #queue: Job[] = [];
  readonly #slots = new Set<Slot>();
  /** Set for good when a worker cannot be started. */
  #inline = false;
  #inlineBusy = false;
  #closed = false;

  constructor(workerUrl: URL, size: number) {
    this.#workerUrl = workerUrl;
    this.#size = size;
    // Loading its code takes a worker longer than a small file; the first one begins before there is a file.
    this.#findFreeSlot();
  }

  async run(task: RenderTask, options: TaskOptions): Promise<RenderedSource | IdentifiedSource> {
    const { signal } = options;
    signal?.throwIfAborted();
    if (this.#closed) throw closedError();
    const { promise, resolve, reject } = Promise.withResolvers<RenderedSource | IdentifiedSource>();
    const job: Job = { task, options, resolve, reject };
    const onAbort = (): void => {
      this.#cancel(job, signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#queue.push(job);
    try {
      this.#pump();
      return await promise;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.reject(closedError());
    for (const { job } of this.#slots) job?.reject(closedError());
    await Promise.all([...this.#slots].map(({ worker }) => worker.terminate()));
  }

  /** Hands waiting files to free workers. */
  #pump(): void {
    while (this.#queue.length > 0 && !this.#closed) {
      if (this.#inline) {
        this.#workInline();
        return;
      }
      const slot = this.#findFreeSlot();
      if (!slot) return;
      const job = this.#queue.shift()!;
      slot.job = job;
      slot.worker.ref();
      job.options.onStart?.();
      slot.worker.postMessage(job.task);
    }
  }

  #findFreeSlot(): Slot | undefined {
    for (const slot of this.#slots) if (!slot.job) return slot;
    if (this.#slots.size >= this.#size) return undefined;
    const worker = startWorker(this.#workerUrl);
    if (worker) return this.#addSlot(worker);
    this.#workInline();
    return undefined;
  }

  #addSlot(worker: Worker): Slot {
    const slot: Slot = { worker, ready: false, job: undefined, failure: undefined };
    this.#slots.add(slot);
    worker.unref();
    worker.on("message", (message: WorkerMessage) => {
      this.#onMessage(slot, message);
    });
    worker.on("error", (error) => {
      slot.failure = error;
    });
    worker.on("exit", () => {
      this.#onExit(slot);
    });
    return slot;
  }

  #onMessage(slot: Slot, message: WorkerMessage): void {
    if (message.kind === "ready") {
      slot.ready = true;
      return;
    }
    const { job } = slot;
    slot.job = undefined;
    slot.worker.unref();
    if (message.kind === "done") job?.resolve(message.result);
    else job?.reject(fromPortable(message.error));
    this.#pump();
  }

  #onExit(slot: Slot): void {
    // One that was ended with its file is gone already.
    if (!this.#slots.delete(slot)) return;
    const { job } = slot;
    slot.job = undefined;
    if (!slot.ready && !this.#closed) {
      if (job) this.#queue.unshift(job);
      this.#workInline();
    } else {
      job?.reject(crashOf(slot.failure));
    }
    this.#pump();
  }

  /** From now on, everything is done in this thread. */
  #workInline(): void {
    this.#inline = true;
    if (!this.#inlineBusy) void this.#emptyQueue();
  }

  async #emptyQueue(): Promise<void> {
    this.#inlineBusy = true;
    for (let job = this.#queue.shift(); job; job = this.#queue.shift()) {
      job.options.onStart?.();
      try {
        // Loaded only here, so that a pool can start its workers before this process has loaded anything else.
        const { runTask } = await import("./render-task.ts");
        job.resolve(await runTask(job.task));
      } catch (error) {
        job.reject(toSourceError(error));
      }
    }
    this.#inlineBusy = false;
  }

  /** A waiting file leaves the queue; one under way takes its worker with it. */
  #cancel(job: Job, reason: unknown): void {
    const at = this.#queue.indexOf(job);
    if (at >= 0) this.#queue.splice(at, 1);
    job.reject(reason);
    for (const slot of this.#slots) {
      if (slot.job !== job) continue;
      slot.job = undefined;
      this.#slots.delete(slot);
      void slot.worker.terminate();
    }
    this.#pump();
  }
}

function startWorker(workerUrl: URL): Worker | undefined {
  try {
    return new Worker(workerUrl, {
      env: workerEnvironment(),
      resourceLimits: heapLimits,
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
