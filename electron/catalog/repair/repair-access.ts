// Who may repair: what can be opened at all, and nobody who copies or removes files meanwhile.
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { AppError, isAppError } from "../../../shared/app-error.ts";
import { readVersion } from "../../platform/sqlite/file-version.ts";
import { checkVersion, openUntouched } from "../../platform/sqlite/open-sqlite-file.ts";
import type { DataDirectory } from "../files/data-directory.ts";
import { withRetentionLock } from "../retention-lock.ts";
import { catalogKind, migrations } from "../catalog-schema.ts";
import { toStorageError } from "../../platform/disk/storage-error.ts";

/** How long a backup or another repair is waited for. */
const patienceMs = 30_000;

/** A catalog that is missing, of a newer version or no database cannot be made good by anything that lies here. */
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

/** Keeps retention and backups away: both would take what a repair leaves half done for what is true. */
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
      throw new AppError("conflict", "A backup or another repair of this directory is under way.");
    }
    await delay(50, undefined, { signal });
  }
}

/** Undefined for the present version, and for an empty file. */
export function findOldVersion({ catalogFile }: DataDirectory): number | undefined {
  const database = openUntouched(catalogFile);
  try {
    const version = readVersion(database, catalogKind);
    return version === 0 || version === migrations.at(-1)?.version ? undefined : version;
  } finally {
    database.close();
  }
}
