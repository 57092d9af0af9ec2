// Copies a data directory while other processes write to it: the catalog as of one committed state through SQLite's
// backup, then its frames and stored sources. The copied catalog gets its name last, so a partial copy never looks
// complete.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { backup as backupDatabase, type DatabaseSync } from "node:sqlite";
import { AppError } from "../../../shared/app-error.ts";
import { mapLimited } from "../../platform/locks/limit.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { writeNewFile } from "../../platform/disk/replace-file.ts";
import { makeFolder } from "../../platform/disk/make-folder.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { readVersion } from "../../platform/sqlite/file-version.ts";
import { openUntouched } from "../../platform/sqlite/open-sqlite-file.ts";
import { sqliteCannotOpen, sqliteCode, sqliteReadOnly } from "../../platform/sqlite/result-codes.ts";
import {
  createDataDirectory,
  dataDirectory,
  frameLocation,
  sourceLocations,
  type DataDirectory,
} from "../files/data-directory.ts";
import type { FileLock } from "../../platform/locks/file-lock.ts";
import { framePlace } from "../verify/finding-places.ts";
import type { Finding } from "../verify/findings.ts";
import { countRows, createPrepare, type Prepare } from "../sqlite/queries.ts";
import { holdRetentionOff } from "../files/directory-locks.ts";
import { catalogKind } from "../sqlite/schema/catalog-schema.ts";
import { systemCode, toStorageError } from "../../platform/disk/storage-error.ts";

export interface BackupOptions {
  readonly from: string;
  /** Created if missing; must be empty. */
  readonly to: string;
  /** Called with the files copied so far, and with all of them. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface BackupReport {
  readonly events: number;
  readonly revisions: number;
  /** Copied files; `byteLength` also counts the catalog. */
  readonly frames: number;
  readonly sources: number;
  readonly byteLength: number;
  /** Frames that revisions show but the copy lacks, because they are missing or damaged in the original. */
  readonly faults: readonly Finding[];
}

/** Pages of the catalog per step, and files at once. */
const pagesAtOnce = 256;
const filesAtOnce = 4;

/**
 * Removes an unfinished copy.
 * @throws AppError `not-found` if there is no catalog; `conflict` for a directory of a newer version, and if the target
 * is not empty; `invalid-input` for a copy inside the original; `storage-failed`; the signal's reason
 */
export async function backupDirectory(options: BackupOptions): Promise<BackupReport> {
  const from = dataDirectory(resolve(options.from));
  const to = dataDirectory(resolve(options.to));
  try {
    if (!existsSync(from.catalogFile)) {
      throw new AppError("not-found", "There is no catalog in this data directory.");
    }
    requireOutside(from.root, to.root);
    await requireEmpty(to.root);
    const firstMade = await makeFolder(to.root);
    try {
      return await copyDirectory(from, to, options);
    } catch (error) {
      await removeCopy(to.root, firstMade);
      throw error;
    }
  } catch (error) {
    throw toStorageError(error, "The copy could not be made");
  }
}

function requireOutside(from: string, to: string): void {
  const way = relative(from, to);
  if (way.split(/[/\\]/)[0] === ".." || isAbsolute(way)) return;
  throw new AppError(
    "invalid-input",
    "The copy cannot be inside the copied directory; choose another folder.",
  );
}

async function requireEmpty(folder: string): Promise<void> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    throw error;
  }
  if (names.length > 0)
    throw new AppError("conflict", "The folder for the copy is not empty; choose an empty or a new one.");
}

async function removeCopy(root: string, firstMade: string | undefined): Promise<void> {
  for (const name of await readdir(root)) await rm(join(root, name), { recursive: true, force: true });
  if (firstMade !== undefined) await rm(firstMade, { recursive: true, force: true });
}

async function copyDirectory(
  from: DataDirectory,
  to: DataDirectory,
  { onProgress = () => undefined, signal }: BackupOptions,
): Promise<BackupReport> {
  const lock = await holdOffIfPossible(from.retentionLock);
  try {
    const database = openUntouched(from.catalogFile);
    try {
      const version = readVersion(database, catalogKind);
      database.exec("BEGIN");
      const catalog = await copyCatalog(database, to, signal);
      const wanted = listFiles(createPrepare(database), from, to, version);
      const copied = await copyFiles(wanted, { onProgress, signal });
      signal?.throwIfAborted();
      await settle(to);
      await rename(catalog.part, to.catalogFile);
      await syncFolder(to.root);
      await syncFolder(dirname(to.root));
      return {
        ...(version === 0 ? { events: 0, revisions: 0 } : countRows(createPrepare(database))),
        ...copied,
        byteLength: catalog.byteLength + copied.byteLength,
      };
    } finally {
      database.close();
    }
  } finally {
    lock?.close();
  }
}

/** Takes the lock if possible. If its file cannot be created, only another user could remove frames. */
async function holdOffIfPossible(file: string): Promise<FileLock | undefined> {
  try {
    return await holdRetentionOff(file);
  } catch (error) {
    const code = sqliteCode(error);
    if (code === sqliteReadOnly || code === sqliteCannotOpen) return undefined;
    throw error;
  }
}

/** Copies the catalog as of the open transaction, whatever is committed meanwhile. */
async function copyCatalog(
  database: DatabaseSync,
  to: DataDirectory,
  signal: AbortSignal | undefined,
): Promise<{ part: string; byteLength: number }> {
  const part = `${to.catalogFile}.part`;
  // The first read fixes the state.
  database.prepare("SELECT count(*) FROM sqlite_schema").get();
  await backupDatabase(database, part, {
    rate: pagesAtOnce,
    progress: () => {
      signal?.throwIfAborted();
    },
  });
  signal?.throwIfAborted();
  return { part, byteLength: (await stat(part)).size };
}

interface WantedFile {
  readonly kind: "frames" | "sources";
  readonly sha256: string;
  readonly from: string;
  readonly to: string;
}

/** Lists each frame that a revision shows, and each stored source that a revision was made from. */
function listFiles(prepare: Prepare, from: DataDirectory, to: DataDirectory, version: number): WantedFile[] {
  if (version === 0) return [];
  const frameIds = prepare<{ id: string }>(
    "SELECT DISTINCT frame_id AS id FROM revision_layers ORDER BY frame_id",
  );
  const frames = frameIds.all().map(({ id }) => ({
    kind: "frames" as const,
    sha256: id,
    from: frameLocation(from.framesFolder, id).file,
    to: frameLocation(to.framesFolder, id).file,
  }));
  // Version 1 stored no sources.
  if (version === 1) return frames;
  const sourceIds = prepare<{ id: string }>(`
    SELECT DISTINCT source_sha256 AS id FROM revision_layers
      WHERE source_sha256 IS NOT NULL ORDER BY source_sha256`);
  const sources = sourceIds.all().flatMap(({ id }) => {
    const original = sourceLocations(from.sourcesFolder, id);
    const path = [original.gzip, original.plain].find((each) => existsSync(each));
    if (path === undefined) return [];
    const copy = join(sourceLocations(to.sourcesFolder, id).folder, basename(path));
    return { kind: "sources" as const, sha256: id, from: path, to: copy };
  });
  return [...frames, ...sources];
}

async function copyFiles(
  wanted: readonly WantedFile[],
  { onProgress, signal }: Required<Pick<BackupOptions, "onProgress">> & Pick<BackupOptions, "signal">,
): Promise<Omit<BackupReport, "events" | "revisions">> {
  const counts = { frames: 0, sources: 0 };
  const faults: Finding[] = [];
  let byteLength = 0;
  let done = 0;
  await mapLimited(wanted, filesAtOnce, async (file) => {
    signal?.throwIfAborted();
    await mkdir(dirname(file.to), { recursive: true });
    const outcome = await copyFile(file);
    if ("byteLength" in outcome) {
      counts[file.kind] += 1;
      byteLength += outcome.byteLength;
    } else if (file.kind === "frames") {
      faults.push({ severity: "fault", where: framePlace(file.sha256), what: outcome.problem });
    }
    done += 1;
    onProgress?.(done, wanted.length);
  });
  return { ...counts, byteLength, faults };
}

/**
 * Copies a file durably, except for its name, if its bytes match its hash. Returns its length, or what is wrong with
 * it.
 */
async function copyFile({
  from,
  to,
  sha256,
}: WantedFile): Promise<{ readonly byteLength: number } | { readonly problem: string }> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(from);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { problem: "It is missing, and a revision shows it." };
    throw error;
  }
  if (sha256Of(bytes) !== sha256) return { problem: "Its bytes do not match its name." };
  await writeNewFile(to, bytes);
  return { byteLength: bytes.byteLength };
}

/** Waits until all names in the copy are on disk. */
async function settle(to: DataDirectory): Promise<void> {
  await createDataDirectory(to);
  for (const folder of [to.framesFolder, to.sourcesFolder]) {
    if (!existsSync(folder)) continue;
    for (const name of await readdir(folder)) await syncFolder(join(folder, name));
    await syncFolder(folder);
  }
}
