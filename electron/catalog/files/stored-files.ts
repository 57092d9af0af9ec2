// The files beside the catalog as its transactions see them: at once, so that the write lock covers the look and the deed.
import { existsSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { frameLocation, sourceLocations, type DataDirectory } from "./data-directory.ts";
import { syncFolderSync } from "../../platform/disk/sync-folder.ts";
import { systemCode, toStorageError } from "../../platform/disk/storage-error.ts";

export interface StoredFile {
  readonly kind: "frame" | "source";
  /** A frame's id; a source's SHA-256. */
  readonly name: string;
}

export interface StoredFiles {
  /** Whether there is a file of this name. Takes microseconds; its bytes are not read. */
  hasFrame(frameId: string): boolean;
  /** Removes what is there of a file. Returns false where the disk refuses, which leaves it as it is. */
  remove(file: StoredFile): boolean;
  /** Waits until the removals are on disk. */
  sync(): void;
}

const hashPattern = /^[0-9a-f]{64}$/;

export function createStoredFiles({ framesFolder, sourcesFolder }: DataDirectory): StoredFiles {
  const changedFolders = new Set<string>();
  return {
    hasFrame(frameId) {
      if (!hashPattern.test(frameId)) return false;
      try {
        const stats = statSync(frameLocation(framesFolder, frameId).file, { throwIfNoEntry: false });
        return stats?.isFile() === true;
      } catch (error) {
        throw toStorageError(error, "A frame could not be looked for");
      }
    },
    remove({ kind, name }) {
      // A damaged row must not lead out of the folders.
      if (!hashPattern.test(name)) return true;
      const paths =
        kind === "frame"
          ? [frameLocation(framesFolder, name).file]
          : [sourceLocations(sourcesFolder, name).gzip, sourceLocations(sourcesFolder, name).plain];
      try {
        for (const path of paths) rmSync(path, { force: true });
        changedFolders.add(dirname(paths[0]!));
        return true;
      } catch (error) {
        if (systemCode(error) === undefined) throw error;
        return false;
      }
    },
    sync() {
      for (const folder of changedFolders) if (existsSync(folder)) syncFolderSync(folder);
      changedFolders.clear();
    },
  };
}
