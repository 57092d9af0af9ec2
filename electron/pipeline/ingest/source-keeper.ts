// Keeps copies of ingested files, from which frames can be drawn again and which an export gives back.
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import type { CatalogWriter } from "../../catalog/catalog.ts";
import type { SourceStore } from "../../catalog/files/source-store.ts";
import { systemCode, toStorageError } from "../../platform/disk/storage-error.ts";

export interface SourcePlace {
  readonly sources: SourceStore;
  /** Folder of copies on their way to `sources`; worthless after a crash. */
  readonly stagingFolder: string;
}

export interface SourceKeeper {
  /** Keeps a copy of a file. @throws AppError `source-invalid` if it has other bytes by now; `storage-failed` */
  readonly keep: (path: string, sha256: string) => Promise<void>;
  /** Removes the copies of files that changed nothing. */
  readonly discardUnused: () => Promise<void>;
}

export function createSourceKeeper(
  { sources, stagingFolder }: SourcePlace,
  catalog: Pick<CatalogWriter, "discardSources">,
): SourceKeeper {
  const kept = new Set<string>();
  return {
    async keep(path, sha256) {
      if (await sources.has(sha256)) return;
      const staged = join(stagingFolder, `${process.pid}-${randomUUID()}.grib2`);
      try {
        // A link would change with the person's file. Some file systems share the bytes until then.
        await copyFile(path, staged, constants.COPYFILE_FICLONE);
        // The person's file may be read-only.
        await chmod(staged, 0o644);
        const copied = await sources.put(staged);
        kept.add(copied.sha256);
        if (copied.sha256 === sha256) return;
      } catch (error) {
        await rm(staged, { force: true });
        if (systemCode(error) === "ENOENT") {
          throw new AppError("source-invalid", "The file was removed while it was read.", { cause: error });
        }
        throw toStorageError(error, "A source file could not be kept");
      }
      throw new AppError("source-invalid", "The file changed while it was read.");
    },
    async discardUnused() {
      if (kept.size > 0) await catalog.discardSources([...kept]);
    },
  };
}
