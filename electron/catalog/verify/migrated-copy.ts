// Migrates a temporary copy of an older catalog, so that it can be verified without changing the original.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backup, type DatabaseSync } from "node:sqlite";
import { openDatabase } from "../catalog-database.ts";

export interface MigratedCopy {
  readonly database: DatabaseSync;
  /** Removes the copy. */
  close(): Promise<void>;
}

/** Copies and migrates `original`, which stays open. @throws errors of SQLite and of the temporary folder */
export async function openMigratedCopy(original: DatabaseSync): Promise<MigratedCopy> {
  const folder = await mkdtemp(join(tmpdir(), "echotop-catalog-"));
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const file = join(folder, "catalog.sqlite");
    await backup(original, file);
    const database = await openDatabase(file, "read");
    return {
      database,
      close: async () => {
        if (database.isOpen) database.close();
        await removeFolder();
      },
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
