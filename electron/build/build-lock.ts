// The build lock: one process builds at a time, because `npm start` and `npm test` would write the same bundles.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../shared/app-error.ts";
import { openLockFile, tryExclusive } from "../platform/locks/file-lock.ts";

const pauseMs = 100;

/** Protects held locks from the garbage collector, which would close and so release them. */
const held = new Set<DatabaseSync>();

export interface LockOptions {
  /** Gives up with `conflict` after this time. */
  readonly limitMs: number;
  /** Called once if another process has the lock. */
  readonly onWait: () => void;
}

/**
 * Runs `work` while this process holds the lock file at `path`.
 * @throws AppError `conflict` if another process keeps it longer than `limitMs`
 */
export async function withLock<Result>(
  path: string,
  { limitMs, onWait }: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  mkdirSync(dirname(path), { recursive: true });
  const lock = openLockFile(path);
  held.add(lock);
  try {
    if (!tryExclusive(lock)) {
      onWait();
      const deadlineMs = performance.now() + limitMs;
      while (!tryExclusive(lock)) {
        if (performance.now() > deadlineMs) {
          throw new AppError(
            "conflict",
            "Another process has been building Echotop for too long; end it and try again.",
          );
        }
        await delay(pauseMs);
      }
    }
    return await work();
  } finally {
    held.delete(lock);
    lock.close();
  }
}
