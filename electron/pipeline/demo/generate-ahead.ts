// Generates the steps of the demonstration ahead of their use, in a worker thread if one can start, else in this
// thread.
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createMutex } from "../../platform/locks/mutex.ts";
import { createDemonstrationGenerator } from "./demonstration.ts";
import type { DemonstrationFile, DemonstrationStep } from "./demonstration.ts";
import type { GeneratedFiles } from "./generator-worker.ts";

export interface GeneratedStep {
  readonly step: DemonstrationStep;
  readonly files: readonly DemonstrationFile[];
}

export interface GenerateOptions {
  /** The worker's code: `generator-worker.ts` or its bundle. Without it, or if it does not start, this thread works. */
  readonly workerUrl?: URL | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface StepMaker {
  make(step: DemonstrationStep): Promise<GeneratedFiles>;
  close(): Promise<void>;
}

/** The most steps generated ahead. Their files are the memory that this takes. */
const STEPS_AHEAD = 4;

/** Yields the files of each step, in order. @throws the signal's reason */
export async function* generateAhead(
  steps: readonly DemonstrationStep[],
  { workerUrl, signal }: GenerateOptions = {},
): AsyncGenerator<GeneratedStep, void, undefined> {
  const maker = workerUrl ? createWorkerMaker(workerUrl) : createInlineMaker();
  const ahead: Promise<GeneratedFiles>[] = [];
  let next = 0;
  const fill = (): void => {
    while (ahead.length < STEPS_AHEAD && next < steps.length) {
      const made = maker.make(steps[next++]!);
      // A failure is thrown below; until then it must not count as unhandled.
      made.catch(() => undefined);
      ahead.push(made);
    }
  };
  try {
    for (const step of steps) {
      signal?.throwIfAborted();
      fill();
      const files = await ahead.shift()!;
      fill();
      yield { step, files };
    }
  } finally {
    await maker.close();
  }
}

/** Creates a maker that runs other work of this thread between two steps. */
function createInlineMaker(): StepMaker {
  let generator: ReturnType<typeof createDemonstrationGenerator> | undefined;
  const mutex = createMutex();
  let closed = false;
  return {
    make: (step) =>
      mutex(async () => {
        await setImmediate();
        if (closed) return [];
        generator ??= createDemonstrationGenerator();
        return generator.generate(step);
      }),
    close() {
      closed = true;
      return mutex(() => Promise.resolve());
    },
  };
}

interface WaitingStep {
  readonly step: DemonstrationStep;
  readonly resolve: (files: GeneratedFiles | Promise<GeneratedFiles>) => void;
}

/** Creates a maker with a worker. If the worker does not start or dies, this thread generates the remaining steps. */
function createWorkerMaker(workerUrl: URL): StepMaker {
  const waiting: WaitingStep[] = [];
  const inline = createInlineMaker();
  let worker = startWorker(workerUrl);
  const takeOver = (): void => {
    worker = undefined;
    for (const { step, resolve } of waiting.splice(0)) resolve(inline.make(step));
  };
  // The worker answers steps in order.
  worker?.on("message", (files: GeneratedFiles) => waiting.shift()?.resolve(files));
  // The exit always follows and handles it.
  worker?.on("error", () => undefined);
  worker?.on("exit", takeOver);
  return {
    make(step) {
      if (!worker) return inline.make(step);
      const { promise, resolve } = Promise.withResolvers<GeneratedFiles>();
      waiting.push({ step, resolve });
      worker.postMessage(step);
      return promise;
    },
    async close() {
      for (const { resolve } of waiting.splice(0)) resolve([]);
      await worker?.terminate();
      await inline.close();
    },
  };
}

function startWorker(workerUrl: URL): Worker | undefined {
  try {
    return new Worker(workerUrl);
  } catch {
    // This thread then does the work.
    return undefined;
  }
}
