// Keeps repositories that are pushed to often quick to clone: when packs have piled up, Git rolls them up into a few. Nobody waits
// for it but the next push to that repository, and nothing is dropped: also what no ref leads to goes into the new pack.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../../../shared/app-error.ts";
import type { Log } from "../../../platform/effects.ts";
import { refuseBusy } from "./git-refusal.ts";
import { GitFailure, type GitRunner } from "./git-runner.ts";
import { sweepRepository } from "./process-leftovers.ts";
import { createSlots, type Slots } from "../../../platform/locks/slots.ts";

export interface RepackOptions {
  readonly runner: GitRunner;
  /** Those of pushes: nothing writes to a repository that is repacked. */
  readonly slots: Slots;
  readonly log: Log;
  /** More are rolled up; 40 unless given. */
  readonly maxPacks?: number | undefined;
  /** One that takes longer is ended, so that a push is not left waiting past what connections are given; 90 s unless given. */
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
  /** Returns at once; whatever fails is a line in the log. */
  afterPush(target: RepackTarget): void;
  /** Ends what runs or waits for this repository, and resolves when it has. */
  end(id: string): Promise<void>;
  /** Ends everything and starts nothing any more. Idempotent. */
  close(): Promise<void>;
}

const defaultMaxPacks = 40;
const defaultLimitMs = 90_000;

/**
 * Each pack that stays has at least twice the objects of all smaller ones together, so a repository of any size has a handful
 * and an object is written anew a few times in all. `-d` removes packs only once the new one is on disk under its name; a fetch
 * that has them open goes on reading, any other finds the objects in the new pack. `-n`: nobody reads what dumb HTTP needs.
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
  const { runner, slots, log, maxPacks = defaultMaxPacks, limitMs = defaultLimitMs } = options;
  const oneAtATime = createSlots({ total: 1, perKey: 1, waiting: 1024 }, refuseBusy);
  const working = new Map<string, Work>();
  /** Of repositories where it failed: it is tried again when they have twice as many packs. */
  const bounds = new Map<string, number>();
  let closed = false;

  async function consolidate(target: RepackTarget, signal: AbortSignal): Promise<void> {
    const { id, directory } = target;
    if ((await countPacks(directory)) <= (bounds.get(id) ?? maxPacks)) return;
    const releaseTurn = await oneAtATime.take(id, signal);
    try {
      const release = await slots.take(id, signal);
      try {
        await repack(target, AbortSignal.any([signal, AbortSignal.timeout(limitMs)]));
      } finally {
        release();
      }
    } finally {
      releaseTurn();
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
      log("warn", "The packs of a repository could not be put together", {
        repository: target.name,
        reason: error instanceof GitFailure ? error.stderr : messageOf(error),
      });
    } finally {
      working.delete(target.id);
    }
  }

  async function end(entries: readonly Work[]): Promise<void> {
    for (const { controller } of entries) controller.abort(new Error("The repository is not repacked now."));
    await Promise.all(entries.map(({ done }) => done));
  }

  return {
    afterPush(target) {
      if (closed || working.has(target.id)) return;
      const controller = new AbortController();
      // Begun in a later turn, so that it stands in `working` before it can leave it.
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
