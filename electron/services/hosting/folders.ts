// Bare repositories as folders: made without Git, brought to disk, moved and removed so that a power cut leaves no half one.
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../platform/disk/make-folder.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";

/** gitrepository-layout(5): what Git needs to see a repository; no hooks, no description. */
const bareFolders = ["objects/info", "objects/pack", "refs/heads", "refs/tags"];

/** `filemode` says what the file system can tell; trees are never checked out here. */
const config = `[core]\n\trepositoryformatversion = 0\n\tfilemode = ${process.platform !== "win32"}\n\tbare = true\n`;

/** Makes `directory` an empty bare repository. It must not exist. Not synced yet: see `syncTree`. */
export async function writeBareRepository(directory: string, defaultBranch: string): Promise<void> {
  await mkdir(directory);
  for (const folder of bareFolders) await mkdir(join(directory, folder), { recursive: true });
  await writeFile(join(directory, "config"), config);
  await writeHead(directory, defaultBranch);
}

/** The branch's name must have been checked. */
export async function writeHead(directory: string, defaultBranch: string): Promise<void> {
  await writeFile(join(directory, "HEAD"), `ref: refs/heads/${defaultBranch}\n`);
}

/** Waits until a folder with all that is in it is on disk. */
export async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await syncFile(path);
  }
  await syncFolder(directory);
}

async function syncFile(path: string): Promise<void> {
  // Windows syncs only what is open for writing; Git's packs are read-only, and it has synced them itself.
  if (process.platform === "win32" && dirname(path).endsWith(join("objects", "pack"))) return;
  const file = await open(path, process.platform === "win32" ? "r+" : "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Durable when it returns. False when there is nothing at `from`. */
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

/** Removes a folder with all that is in it; says nothing when it is not there. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Makes the folders where they are missing, durably, for this user alone. */
export async function makeFolders(root: string, folders: readonly string[]): Promise<void> {
  const firstMade = await makeFolder(root, 0o700);
  for (const folder of folders) await mkdir(folder, { recursive: true });
  await syncFolder(root);
  if (firstMade !== undefined) await syncFolder(dirname(firstMade));
}
