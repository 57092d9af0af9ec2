// Conditions of a repair: a catalog that can be opened, and no backup or retention at the same time.
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { AppError, isAppError } from "../../../shared/app-error.ts";
import { readVersion } from "../../platform/sqlite/file-version.ts";
import { checkVersion, openUntouched } from "../../platform/sqlite/open-sqlite-file.ts";
import type { DataDirectory } from "../files/data-directory.ts";
import { withRetentionLock } from "../directory-locks.ts";
import { catalogKind, migrations } from "../catalog-schema.ts";
import { toStorageError } from "../../platform/disk/storage-error.ts";

/** Longest wait for a backup or another repair. */
const patienceMs = 30_000;

/** Returns false if the catalog is missing, newer than this Echotop, or not a database: nothing here can repair it. */
export function canBeOpened({ catalogFile }: DataDirectory): boolean {
  if (!existsSync(catalogFile)) return false;
  try {
    checkVersion(catalogFile, catalogKind);
    return true;
  } catch (error) {
    const known = toStorageError(error, "It cannot be read");
    if (isAppError(known, "conflict") || isAppError(known, "stored-data-invalid")) return false;
    throw error;
  }
}

/** Runs `work` without retention and backups, which must not see a half-finished repair. */
export async function aloneWithFiles<Result>(
  { retentionLock }: DataDirectory,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedMs = performance.now();
  for (;;) {
    const outcome = await withRetentionLock(retentionLock, async () => ({ value: await work() }));
    if (outcome) return outcome.value;
    if (performance.now() - startedMs > patienceMs) {
      throw new AppError(
        "conflict",
        "A backup or another repair of this directory is in progress; try again later.",
      );
    }
    await delay(50, undefined, { signal });
  }
}

/** Returns the version of an older catalog; undefined for a current or empty one. */
export function findOldVersion({ catalogFile }: DataDirectory): number | undefined {
  const database = openUntouched(catalogFile);
  try {
    const version = readVersion(database, catalogKind);
    return version === 0 || version === migrations.at(-1)?.version ? undefined : version;
  } finally {
    database.close();
  }
}
