// A bare repository on disk: making one, finding the one that somebody names, and the lock of whoever writes to it.
import { existsSync, statSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../../shared/app-error.ts";
import { makeFolder } from "../../platform/disk/make-folder.ts";
import { openLockFile, toFileLock, tryExclusive, type FileLock } from "../../platform/locks/file-lock.ts";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { mainRef } from "../packs/pack-layout.ts";
import { repositoryMode } from "./refs.ts";

/** What Git asks of a bare repository (gitrepository-layout), with the file system's own properties left out. */
const config = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";

const lockName = "echotop.lock";
const patienceMs = 30_000;
const pauseMs = 40;

/**
 * Makes a bare repository where there is none, and takes the lock that everybody of ours takes who writes to it; waits
 * half a minute for another. The system gives the lock back however the process ends.
 * @throws AppError `conflict` where somebody keeps it, or where the folder holds other things than a repository
 */
export async function openForWriting(gitdir: string, signal?: AbortSignal): Promise<FileLock> {
  await requireRoom(gitdir);
  const firstMade = await makeFolder(gitdir);
  if (firstMade !== undefined) await syncFolder(dirname(firstMade));
  const lock = await takeLock(join(gitdir, lockName), signal);
  try {
    if (!isRepository(gitdir)) await initialize(gitdir);
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** The repository that a path names: a bare one, or the `.git` folder in it. @throws AppError `not-found` */
export function findRepository(path: string): string {
  const found = [join(path, ".git"), path].find(isRepository);
  if (found !== undefined) return found;
  throw new AppError("not-found", "There is no Git repository at this path.", { context: { path } });
}

export function isRepository(gitdir: string): boolean {
  const isFolder = (path: string): boolean =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return (
    existsSync(join(gitdir, "HEAD")) && isFolder(join(gitdir, "objects")) && isFolder(join(gitdir, "refs"))
  );
}

async function requireRoom(gitdir: string): Promise<void> {
  if (!existsSync(gitdir) || isRepository(gitdir)) return;
  const names = statSync(gitdir).isDirectory() ? await readdir(gitdir) : [basename(gitdir)];
  // What a crash leaves of a repository in the making.
  const ours = new Set([lockName, "HEAD", "config", "objects", "refs", "echotop.lock-journal"]);
  if (names.every((name) => ours.has(name) || name.endsWith(".new"))) return;
  throw new AppError("conflict", "There are other things than a Git repository where the pack is to be.", {
    context: { gitdir },
  });
}

/** HEAD comes last: without it, it is no repository yet. */
async function initialize(gitdir: string): Promise<void> {
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/tags"]) {
    await mkdir(join(gitdir, ...folder.split("/")), { recursive: true });
  }
  for (const folder of ["objects", "refs"]) await syncFolder(join(gitdir, folder));
  await replaceFile(join(gitdir, "config"), config, repositoryMode);
  await replaceFile(join(gitdir, "HEAD"), `ref: ${mainRef}\n`, repositoryMode);
}

async function takeLock(file: string, signal: AbortSignal | undefined): Promise<FileLock> {
  const startedMs = performance.now();
  const lock = openLockFile(file);
  try {
    while (!tryExclusive(lock)) {
      if (performance.now() - startedMs > patienceMs) {
        throw new AppError("conflict", "Another export or transfer is writing to this pack's repository.");
      }
      await delay(pauseMs, undefined, signal && { signal });
    }
    return toFileLock(lock);
  } catch (error) {
    lock.close();
    throw error;
  }
}
