// Steps of the demonstration made one ahead of where they are used, in a worker thread where there can be one, else here.
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
  /** The worker's code: `generator-worker.ts`, or what it was bundled into. Without it, or where it does not start, this thread works. */
  readonly workerUrl?: URL | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface StepMaker {
  make(step: DemonstrationStep): Promise<GeneratedFiles>;
  close(): Promise<void>;
}

/** How many steps may wait for being used: their files are the memory that this takes. */
const STEPS_AHEAD = 4;

/** The files of each step, in order. @throws the signal's reason */
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
      // Whoever waits for it hears of a failure; until then it must not count as unhandled.
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

/** Steps are made one after the other, so that other work of this thread gets its turn between them. */
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

/** A worker that cannot be started, or dies, is replaced by this thread: what it has not answered is made here. */
function createWorkerMaker(workerUrl: URL): StepMaker {
  const waiting: WaitingStep[] = [];
  const inline = createInlineMaker();
  let worker = startWorker(workerUrl);
  const takeOver = (): void => {
    worker = undefined;
    for (const { step, resolve } of waiting.splice(0)) resolve(inline.make(step));
  };
  // Messages answer steps in the order in which they were posted.
  worker?.on("message", (files: GeneratedFiles) => waiting.shift()?.resolve(files));
  // An error is always followed by the exit, which deals with it.
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
    // No threads here: this one does the work.
    return undefined;
  }
}
