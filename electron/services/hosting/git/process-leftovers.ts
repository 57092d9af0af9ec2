// Cleans up after a crash: Git processes without a host, quarantine folders, unfinished packs, stale locks. Called once
// when a host starts, before anything else touches the repositories.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../../platform/effects.ts";
import { endMember, membersOf } from "./process-groups.ts";
import { listRunning, openRunningRegistry, processBirth, type RunningGroup } from "./running-registry.ts";

export interface LeftoverOptions {
  /** `repositories/running` of the data directory. */
  readonly runningDirectory: string;
  /** The folder of bare repositories, `repositories/git`; it may be missing. */
  readonly repositoriesDirectory: string;
  readonly platform: NodeJS.Platform;
  readonly log: Log;
}

const endAttempts = 100;
const endPauseMs = 50;

/**
 * Ends processes of an earlier host, then sweeps every repository, unless another living host works in the same folder.
 * Returns the number of groups ended and files removed.
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
    log("warn", "Git processes and files left by a crash were removed.", { ended, removed });
  return { ended, removed };
}

function hostLives({ host, hostBirth }: RunningGroup): boolean {
  return host !== process.pid && hostBirth !== "" && processBirth(host) === hostBirth;
}

/** Repeats until no member is left: a process may start another before it ends. Returns true if there were any. */
async function endGroup(group: RunningGroup, platform: NodeJS.Platform): Promise<boolean> {
  let found = false;
  for (let attempt = 0; attempt < endAttempts; attempt += 1) {
    const members = await membersOf(group, platform);
    if (members.length === 0) return found;
    found = true;
    for (const pid of members) endMember(pid);
    await delay(endPauseMs);
  }
  throw new Error("A Git process of an earlier run could not be killed.");
}

async function sweepAll(repositoriesDirectory: string): Promise<number> {
  let removed = 0;
  for (const name of await entriesOf(repositoriesDirectory)) {
    if (name.endsWith(".git")) removed += await sweepRepository(join(repositoriesDirectory, name));
  }
  return removed;
}

/**
 * Removes what a killed Git left in a bare repository: quarantine, unfinished packs and objects, locks. Nothing may
 * write to it meanwhile. Returns the number of files and folders removed.
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

/** Ref names cannot end in `.lock`, so only locks do. */
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
