// Mutexes within one process: jobs that must not run at the same time.
import { AppError } from "../../../shared/app-error.ts";

/** Runs jobs one at a time, in the order of the calls. A job that fails does not stop the next. */
export type Mutex = <Result>(job: () => Promise<Result>) => Promise<Result>;

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const done = last.then(job);
    last = done.catch(() => undefined);
    return done;
  };
}

export interface ClosableMutex {
  /** Runs a job as a `Mutex` does. Throws `conflict` once closed. */
  readonly run: Mutex;
  /** Runs the last job, after those requested before it. Idempotent. */
  readonly close: (last: () => Promise<void>) => Promise<void>;
}

export function createClosableMutex(): ClosableMutex {
  const mutex = createMutex();
  let closed: Promise<void> | undefined;
  return {
    run: (job) =>
      mutex(async () => {
        if (closed !== undefined) throw new AppError("conflict", "Echotop is closing.");
        return job();
      }),
    close: (last) => (closed ??= mutex(last)),
  };
}

/** Runs jobs with the same key one at a time, in the order of the calls; starts at once if the key is free. */
export type KeyedMutex = <Result>(key: string, job: () => Promise<Result>) => Promise<Result>;

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return async (key, job) => {
    const before = last.get(key);
    const done = before === undefined ? job() : before.then(job);
    const settled = done.catch(() => undefined);
    last.set(key, settled);
    try {
      return await done;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
}
