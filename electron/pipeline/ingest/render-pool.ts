// Worker threads that decode and draw, one for each core, one file at a time each, as many as fit into memory. Without
// workers this thread does the work. A worker that dies fails only its file and is replaced.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { AppError } from "../../../shared/app-error.ts";
import { workerEnvironment } from "../../platform/worker-environment.ts";
import { heapLimits, mostTimesPassed, workBudgetBytes } from "./ingest-limits.ts";
import type { IdentifiedSource, RenderedSource, RenderTask, WorkerMessage } from "./render-task.ts";
import { fromPortable, toSourceError } from "./source-error.ts";

export interface TaskOptions {
  /** Most bytes of memory that the file takes, estimated from its header; 0 by default. */
  readonly workBytes?: number;
  /** Called when a worker starts the file. */
  readonly onStart?: () => void;
  readonly signal?: AbortSignal | undefined;
}

export interface RenderPool {
  /** The most files that are drawn at once. */
  readonly size: number;
  /** @throws AppError `source-invalid`, with a sentence that names no path; the signal's reason */
  readonly render: (path: string, options?: TaskOptions) => Promise<RenderedSource>;
  /** Hashes the file and its message without drawing. Throws as `render` does. */
  readonly identify: (path: string, options?: TaskOptions) => Promise<IdentifiedSource>;
  /** Ends all workers; pending files fail with an AbortError. Idempotent. */
  readonly close: () => Promise<void>;
}

export interface RenderPoolOptions {
  /** The worker's code: `render-worker.ts` or its bundle. */
  readonly workerUrl: URL;
  /** The number of workers; one for each core by default. */
  readonly size?: number;
}

interface Job {
  /** Number of later files that went ahead because they fit into memory. */
  timesPassed: number;
  readonly task: RenderTask;
  readonly options: TaskOptions;
  readonly resolve: (result: RenderedSource | IdentifiedSource) => void;
  readonly reject: (reason: unknown) => void;
}

interface Slot {
  readonly worker: Worker;
  /** True once its code is loaded. A worker that dies before that is not replaced. */
  ready: boolean;
  job: Job | undefined;
  failure: unknown;
}

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
  /** True for good once a worker could not start. */
  #inline = false;
  #inlineBusy = false;
  #closed = false;

  constructor(workerUrl: URL, size: number) {
    this.#workerUrl = workerUrl;
    this.#size = size;
    // Loading the code takes longer than a small file, so the first worker starts before there is a file.
    this.#findFreeSlot();
  }

  async run(task: RenderTask, options: TaskOptions): Promise<RenderedSource | IdentifiedSource> {
    const { signal } = options;
    signal?.throwIfAborted();
    if (this.#closed) throw closedError();
    const { promise, resolve, reject } = Promise.withResolvers<RenderedSource | IdentifiedSource>();
    const job: Job = { timesPassed: 0, task, options, resolve, reject };
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

  /** Passes queued files that fit into memory to free workers. */
  #pump(): void {
    while (this.#queue.length > 0 && !this.#closed) {
      if (this.#inline) {
        this.#workInline();
        return;
      }
      const at = this.#findFitting();
      const slot = at < 0 ? undefined : this.#findFreeSlot();
      if (!slot) return;
      if (at > 0) this.#queue[0]!.timesPassed += 1;
      const [job] = this.#queue.splice(at, 1) as [Job];
      slot.job = job;
      slot.worker.ref();
      job.options.onStart?.();
      slot.worker.postMessage(job.task);
    }
  }

  /**
   * Returns the place in the queue of the first file that fits beside those in progress; -1 if there is none, or if the
   * first in the queue has been passed often enough.
   */
  #findFitting(): number {
    let held = 0;
    for (const { job } of this.#slots) held += job?.options.workBytes ?? 0;
    const at = this.#queue.findIndex(
      ({ options }) => held === 0 || held + (options.workBytes ?? 0) <= workBudgetBytes,
    );
    return at > 0 && this.#queue[0]!.timesPassed >= mostTimesPassed ? -1 : at;
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
    // A canceled worker was removed before.
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

  /** Draws in this thread from now on. */
  #workInline(): void {
    this.#inline = true;
    if (!this.#inlineBusy) void this.#emptyQueue();
  }

  async #emptyQueue(): Promise<void> {
    this.#inlineBusy = true;
    for (let job = this.#queue.shift(); job; job = this.#queue.shift()) {
      job.options.onStart?.();
      try {
        // Imported here so that a pool starts its workers before this process loads anything else.
        const { runTask } = await import("./render-task.ts");
        job.resolve(await runTask(job.task));
      } catch (error) {
        job.reject(toSourceError(error));
      }
    }
    this.#inlineBusy = false;
  }

  /** Removes a queued file from the queue; ends the worker of a file in progress. */
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
    // The pool then works in this thread.
    return undefined;
  }
}

function closedError(): DOMException {
  return new DOMException("The render pool is closed.", "AbortError");
}

function crashOf(failure: unknown): AppError {
  const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
  const why = code === "ERR_WORKER_OUT_OF_MEMORY" ? "it needs too much memory" : "the decoder stopped";
  return new AppError("source-invalid", `It could not be decoded: ${why}.`, { cause: failure });
}
