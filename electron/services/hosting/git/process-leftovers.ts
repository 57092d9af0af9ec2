// What a crash leaves behind: Git processes without a host, quarantine folders, packs that were never finished, locks that
// nobody holds. Called once at the start of a host, before anything else touches the repositories.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../../platform/effects.ts";
import { endMember, membersOf } from "./process-groups.ts";
import { listRunning, openRunningRegistry, processBirth, type RunningGroup } from "./running-registry.ts";

export interface LeftoverOptions {
  /** `repositories/running` of the data directory. */
  readonly runningDirectory: string;
  /** The folder of bare repositories, `repositories/git`; it need not be there yet. */
  readonly repositoriesDirectory: string;
  readonly platform: NodeJS.Platform;
  readonly log: Log;
}

const endAttempts = 100;
const endPauseMs = 50;

/**
 * Ends what still runs of an earlier host, then sweeps every repository. While another living host works in the same
 * folder nothing is swept. Resolves with how many groups were ended and files were removed.
 */
export async function endLeftovers(
  options: LeftoverOptions,
): Promise<{ readonly ended: number; readonly removed: number }> {
  const { runningDirectory, repositoriesDirectory, platform, log } = options;
  const registry = openRunningRegistry(runningDirectory);
  let ended = 0;
  let shared = false;
  for (const group of await listRunning(runningDirectory)) {
    if (hostLives(group)) {
      shared = true;
      continue;
    }
    if (await endGroup(group, platform)) ended += 1;
    registry.forget(group.run);
  }
  const removed = shared ? 0 : await sweepAll(repositoriesDirectory);
  if (ended + removed > 0)
    log("warn", "Git work that a crash had cut short was cleared away.", { ended, removed });
  return { ended, removed };
}

function hostLives({ host, hostBirth }: RunningGroup): boolean {
  return host !== process.pid && hostBirth !== "" && processBirth(host) === hostBirth;
}

/** Asks again until nothing of it is left: a process that is being ended may have started another. */
async function endGroup(group: RunningGroup, platform: NodeJS.Platform): Promise<boolean> {
  let found = false;
  for (let attempt = 0; attempt < endAttempts; attempt += 1) {
    const members = await membersOf(group, platform);
    if (members.length === 0) return found;
    found = true;
    for (const pid of members) endMember(pid);
    await delay(endPauseMs);
  }
  throw new Error("A Git process of an earlier run does not end.");
}

async function sweepAll(repositoriesDirectory: string): Promise<number> {
  let removed = 0;
  for (const name of await entriesOf(repositoriesDirectory)) {
    if (name.endsWith(".git")) removed += await sweepRepository(join(repositoriesDirectory, name));
  }
  return removed;
}

/**
 * Removes what an ended Git left in a bare repository: quarantine, unfinished packs and objects, locks. Only while nothing
 * writes to it. Resolves with the number of files and folders removed.
 */
export async function sweepRepository(directory: string): Promise<number> {
  const stale = [
    ...(await matching(join(directory, "objects"), /^(?:tmp_objdir-|incoming-|tmp_obj_)/)),
    ...(await matching(join(directory, "objects", "pack"), /^(?:\.?tmp[-_]|\.tmp)|\.lock$|\.keep$/)),
    ...(await matching(join(directory, "objects", "info"), /\.lock$/)),
    ...(await matching(directory, /\.lock$|^shallow_/)),
    ...(await locksBelow(join(directory, "refs"))),
  ];
  const loose = (await entriesOf(join(directory, "objects"))).filter((name) => /^[0-9a-f]{2}$/.test(name));
  for (const name of loose) stale.push(...(await matching(join(directory, "objects", name), /^tmp_obj_/)));
  for (const path of stale) await rm(path, { recursive: true, force: true });
  return stale.length;
}

async function matching(directory: string, pattern: RegExp): Promise<readonly string[]> {
  return (await entriesOf(directory))
    .filter((name) => pattern.test(name))
    .map((name) => join(directory, name));
}

/** No ref can end in `.lock`, so nothing but a lock does. */
async function locksBelow(directory: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true }).catch(
    absentAsEmpty,
  )) {
    if (entry.isFile() && entry.name.endsWith(".lock")) found.push(join(entry.parentPath, entry.name));
  }
  return found;
}

function entriesOf(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(absentAsEmpty);
}

function absentAsEmpty(error: unknown): [] {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
  throw error;
}
