// A catalog of an older version as it will be once it is opened: a copy that is brought to the present version and looked at,
// while the catalog itself stays as it is.
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

/** `original` is open for reading and stays so. @throws the errors of SQLite and of the temporary folder */
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
