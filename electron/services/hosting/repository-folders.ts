// Hosting's files below the data directory, and bare repositories as folders: created without Git, synced, moved and
// removed so that a power cut never leaves half of one in place.
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../platform/disk/make-folder.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";

export function repositoryLayout(dataDirectory: string) {
  const root = join(dataDirectory, "repositories");
  return {
    root,
    databaseFile: join(root, "repositories.sqlite"),
    /** An SQLite file that is locked but never written: one host owns the directory. */
    lockFile: join(root, "host.lock"),
    /** Bare repositories as `<id>.git`, never by name. */
    gitFolder: join(root, "git"),
    /** Files that name running Git processes, for the start after a crash. */
    runningFolder: join(root, "running"),
    /** Repositories that are being created or removed; worthless after a crash. */
    stagingFolder: join(root, "staging"),
  };
}

export type RepositoryLayout = ReturnType<typeof repositoryLayout>;

export function folderOf({ gitFolder }: RepositoryLayout, id: string): string {
  return join(gitFolder, `${id}.git`);
}

/** Returns the folder in which a repository is built before it moves to `folderOf`. */
export function stagedFolderOf({ stagingFolder }: RepositoryLayout, id: string): string {
  return join(stagingFolder, `${id}.git`);
}

/** Creates missing folders durably, readable by this user only. */
export async function makeFolders({ root, gitFolder, stagingFolder }: RepositoryLayout): Promise<void> {
  const firstMade = await makeFolder(root, 0o700);
  for (const folder of [gitFolder, stagingFolder]) await mkdir(folder, { recursive: true });
  await syncFolder(root);
  if (firstMade !== undefined) await syncFolder(dirname(firstMade));
}

/** gitrepository-layout(5): what Git needs to recognize a repository; no hooks, no description. */
const bareFolders = ["objects/info", "objects/pack", "refs/heads", "refs/tags"];

/** `filemode` describes the file system; trees are never checked out here. */
const config = `[core]\n\trepositoryformatversion = 0\n\tfilemode = ${process.platform !== "win32"}\n\tbare = true\n`;

/** Creates an empty bare repository. `directory` must not exist, and is not synced yet: see `syncTree`. */
export async function writeBareRepository(directory: string, defaultBranch: string): Promise<void> {
  await mkdir(directory);
  for (const folder of bareFolders) await mkdir(join(directory, folder), { recursive: true });
  await writeFile(join(directory, "config"), config);
  await writeHead(directory, defaultBranch);
}

/** The caller has checked the branch name. */
export async function writeHead(directory: string, defaultBranch: string): Promise<void> {
  await writeFile(join(directory, "HEAD"), `ref: refs/heads/${defaultBranch}\n`);
}

/** Resolves when a folder and everything in it is on disk. */
export async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await syncFile(path);
  }
  await syncFolder(directory);
}

async function syncFile(path: string): Promise<void> {
  // Windows syncs only files that are open for writing; Git's packs are read-only, and Git has synced them.
  if (process.platform === "win32" && dirname(path).endsWith(join("objects", "pack"))) return;
  const file = await open(path, process.platform === "win32" ? "r+" : "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Moves a folder durably. Returns false if `from` does not exist. */
export async function moveFolder(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
  await syncFolder(dirname(to));
  await syncFolder(dirname(from));
  return true;
}

/** Removes a folder with its content; a missing one is not an error. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
