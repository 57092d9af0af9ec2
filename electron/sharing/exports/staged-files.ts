// Files that appear together or not at all: written under other names beside their places, and renamed at the end.
import { randomBytes } from "node:crypto";
import { rename, rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, isFolder } from "../../platform/disk/make-folder.ts";
import { writeNewFile } from "../../platform/disk/replace-file.ts";
import { toStorageError } from "../../platform/disk/storage-error.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { AppError } from "../../../shared/app-error.ts";
import { sha256Of } from "../../platform/sha256.ts";
import type { ExportedFile } from "./export-request.ts";

export interface StagedFiles {
  /** Writes a file under another name. `path` is absolute; missing folders are created. */
  readonly add: (path: string, bytes: Uint8Array, about: AboutFile) => Promise<void>;
}

export interface AboutFile {
  readonly revisionIds: readonly string[];
  /** Place among the files that are returned. */
  readonly order: number;
}

interface StagedFile extends ExportedFile {
  readonly staged: string;
  readonly order: number;
}

/** A folder, and the first of its parents that did not exist: itself or one above. */
interface MadeFolders {
  readonly folder: string;
  readonly first: string;
}

/**
 * Runs `fill`, then gives the files their names, and returns them.
 * @throws AppError `storage-failed`; the errors of `fill`; the signal's reason
 */
export async function stageFiles(
  signal: AbortSignal,
  fill: (files: StagedFiles) => Promise<void>,
): Promise<readonly ExportedFile[]> {
  const staged: StagedFile[] = [];
  const madeFolders: MadeFolders[] = [];
  try {
    await fill({
      async add(path, bytes, { revisionIds, order }) {
        signal.throwIfAborted();
        if (await isFolder(path)) throw new AppError("storage-failed", `${path} is a folder.`);
        const folder = dirname(path);
        const made = await makeFolder(folder);
        if (made !== undefined) madeFolders.push({ folder, first: made });
        const file = { file: path, revisionIds, sha256: sha256Of(bytes) };
        const entry = { ...file, order, staged: `${path}.${randomBytes(6).toString("hex")}.new` };
        staged.push(entry);
        await writeNewFile(entry.staged, bytes);
      },
    });
    signal.throwIfAborted();
    for (const { staged: from, file } of staged) await rename(from, file);
    for (const folder of new Set(staged.map(({ file }) => dirname(file)))) await syncFolder(folder);
  } catch (error) {
    await Promise.all(staged.map(({ staged: path }) => rm(path, { force: true })));
    for (const made of madeFolders.toReversed()) await removeEmpty(made);
    throw toStorageError(error, "The files could not be written");
  }
  return staged
    .toSorted((first, second) => first.order - second.order)
    .map(({ file, revisionIds, sha256 }) => ({ file, revisionIds, sha256 }));
}

/** Keeps folders into which something else was written meanwhile. */
async function removeEmpty({ folder, first }: MadeFolders): Promise<void> {
  try {
    await rmdir(folder);
  } catch {
    return;
  }
  if (folder !== first) await removeEmpty({ folder: dirname(folder), first });
}
