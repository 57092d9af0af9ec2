// Keeps repositories with many pushes quick to clone: when a repository has many packs, Git combines them. Only its
// next push waits for that. No object is dropped, not even unreachable ones.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../../../shared/app-error.ts";
import type { Log } from "../../../platform/effects.ts";
import { createSlots, type Slots } from "../../../platform/locks/slots.ts";
import { maxPacks as defaultMaxPacks, repackTimeoutMs } from "../hosting-limits.ts";
import { refuseBusy } from "./git-refusal.ts";
import { GitFailure, type GitRunner } from "./git-runner.ts";
import { sweepRepository } from "./process-leftovers.ts";

export interface RepackOptions {
  readonly runner: GitRunner;
  /** Slots of pushes: nothing writes to a repository that is being repacked. */
  readonly slots: Slots;
  readonly log: Log;
  /** Packs above which a repository is repacked. */
  readonly maxPacks?: number | undefined;
  /** Time for one repack, below the idle time of connections, so that no waiting push is lost. */
  readonly limitMs?: number | undefined;
}

export interface RepackTarget {
  readonly id: string;
  /** For the log. */
  readonly name: string;
  /** Absolute path of the bare repository. */
  readonly directory: string;
}

export interface Repacker {
  /** Returns at once; logs failures. */
  afterPush(target: RepackTarget): void;
  /** Ends work on this repository; resolves when it has ended. */
  end(id: string): Promise<void>;
  /** Ends all work and starts none. Idempotent. */
  close(): Promise<void>;
}

/**
 * Each remaining pack has at least twice the objects of all smaller ones together, so a repository of any size has a
 * handful of packs, and each object is rewritten only a few times. `-d` removes packs only when the new one is in
 * place; a fetch that has them open continues, any other finds the objects in the new pack. `-n` skips files that only
 * dumb HTTP needs.
 */
const repackArguments: readonly string[] = [
  ...["-c", "pack.threads=1", "-c", "pack.windowMemory=64m", "-c", "core.bigFileThreshold=32m"],
  ...["repack", "--geometric=2", "-d", "-n", "-q", "--no-write-bitmap-index"],
];

interface Work {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export function createRepacker(options: RepackOptions): Repacker {
  const { runner, slots, log, maxPacks = defaultMaxPacks, limitMs = repackTimeoutMs } = options;
  const oneAtATime = createSlots({ total: 1, perKey: 1, waiting: 1024 }, refuseBusy);
  const working = new Map<string, Work>();
  /** New thresholds by repository after a failure: it is retried when there are twice as many packs. */
  const bounds = new Map<string, number>();
  let closed = false;

  async function consolidate(target: RepackTarget, signal: AbortSignal): Promise<void> {
    const { id, directory } = target;
    if ((await countPacks(directory)) <= (bounds.get(id) ?? maxPacks)) return;
    const releaseRepack = await oneAtATime.take(id, signal);
    try {
      const release = await slots.take(id, signal);
      try {
        await repack(target, AbortSignal.any([signal, AbortSignal.timeout(limitMs)]));
      } finally {
        release();
      }
    } finally {
      releaseRepack();
    }
  }

  async function repack({ id, directory }: RepackTarget, signal: AbortSignal): Promise<void> {
    try {
      await runner.run({ args: repackArguments, directory, signal, priority: "low" });
      bounds.delete(id);
    } catch (error) {
      bounds.set(id, 2 * (await countPacks(directory)));
      await sweepRepository(directory);
      throw error;
    }
  }

  async function work(target: RepackTarget, signal: AbortSignal): Promise<void> {
    try {
      await consolidate(target, signal);
    } catch (error) {
      if (signal.aborted) return;
      log("warn", "The packs of a repository could not be combined", {
        repository: target.name,
        reason: error instanceof GitFailure ? error.stderr : messageOf(error),
      });
    } finally {
      working.delete(target.id);
    }
  }

  async function end(entries: readonly Work[]): Promise<void> {
    for (const { controller } of entries) controller.abort(new Error("The repack was canceled."));
    await Promise.all(entries.map(({ done }) => done));
  }

  return {
    afterPush(target) {
      if (closed || working.has(target.id)) return;
      const controller = new AbortController();
      // Starts in a later microtask, so that it is in `working` before it can leave it.
      const done = Promise.resolve().then(() => work(target, controller.signal));
      working.set(target.id, { controller, done });
    },
    async end(id) {
      bounds.delete(id);
      await end([...working].filter(([one]) => one === id).map(([, one]) => one));
    },
    async close() {
      closed = true;
      await end([...working.values()]);
    },
  };
}

async function countPacks(directory: string): Promise<number> {
  const names = await readdir(join(directory, "objects", "pack"));
  return names.filter((name) => name.endsWith(".pack")).length;
}
