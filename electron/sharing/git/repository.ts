// A bare repository on disk: creates one, finds the one at a path, and locks it for writing.
import { existsSync, statSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../../shared/app-error.ts";
import { makeFolder } from "../../platform/disk/make-folder.ts";
import { openLockFile, toFileLock, tryExclusive, type FileLock } from "../../platform/locks/file-lock.ts";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { mainRef, repositoryMode } from "./refs.ts";

/** The least that Git requires of a bare repository (gitrepository-layout), without file system properties. */
const config = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";

const lockName = "echotop.lock";
const patienceMs = 30_000;
const pauseMs = 40;

/**
 * Creates a bare repository if it is missing and takes the lock of its writers; waits up to 30 s. The system releases
 * the lock when the process ends.
 * @throws AppError `conflict` if another writer holds the lock, or the folder holds something other than a repository
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

/** Returns the bare repository at a path, or the `.git` folder in it. @throws AppError `not-found` */
export function findRepository(path: string): string {
  const found = [join(path, ".git"), path].find(isRepository);
  if (found !== undefined) return found;
  throw new AppError("not-found", "There is no Git repository at this path.", { context: { path } });
}

function isRepository(gitdir: string): boolean {
  const isFolder = (path: string): boolean =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return (
    existsSync(join(gitdir, "HEAD")) && isFolder(join(gitdir, "objects")) && isFolder(join(gitdir, "refs"))
  );
}

async function requireRoom(gitdir: string): Promise<void> {
  if (!existsSync(gitdir) || isRepository(gitdir)) return;
  const names = statSync(gitdir).isDirectory() ? await readdir(gitdir) : [basename(gitdir)];
  // Files that a crash leaves of a repository being created.
  const ours = new Set([lockName, "HEAD", "config", "objects", "refs", "echotop.lock-journal"]);
  if (names.every((name) => ours.has(name) || name.endsWith(".new"))) return;
  const sentence = "The pack's folder is not empty and not a Git repository; choose another folder.";
  throw new AppError("conflict", sentence, { context: { gitdir } });
}

/** Writes HEAD last: without it, the folder is not a repository yet. */
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
