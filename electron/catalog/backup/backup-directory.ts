// Copies a data directory soundly while others write to it: the catalog as of one committed state by SQLite's own backup, then
// the frames and kept sources that it refers to. The copied catalog gets its name last, so half a copy is never taken for one.
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { backup as backupDatabase, type DatabaseSync } from "node:sqlite";
import { AppError } from "../../../shared/app-error.ts";
import { copyFileChecked } from "../files/copy-file.ts";
import { makeFolder } from "../../platform/disk/make-folder.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { readVersion } from "../../platform/sqlite/file-version.ts";
import { openUntouched } from "../../platform/sqlite/open-sqlite-file.ts";
import { sqliteCode } from "../../platform/sqlite/result-codes.ts";
import {
  createDataDirectory,
  dataDirectory,
  frameLocation,
  sourceLocations,
  type DataDirectory,
} from "../files/data-directory.ts";
import type { FileLock } from "../../platform/locks/file-lock.ts";
import type { Finding } from "../verify/findings.ts";
import { prepare } from "../queries.ts";
import { holdRetentionOff } from "../retention-lock.ts";
import { catalogKind } from "../catalog-schema.ts";
import { systemCode, toStorageError } from "../../platform/disk/storage-error.ts";

export interface BackupOptions {
  readonly from: string;
  /** Made if it is missing; it must hold nothing. */
  readonly to: string;
  /** Files copied so far, of all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface BackupReport {
  readonly events: number;
  readonly revisions: number;
  /** Copied files, and their bytes together with the catalog's. */
  readonly frames: number;
  readonly sources: number;
  readonly byteLength: number;
  /** Frames that revisions show and that the copy lacks, because the original does or has them damaged. */
  readonly faults: readonly Finding[];
}

/** Pages of the catalog that are copied at one go, and files at the same time. */
const pagesAtOnce = 256;
const filesAtOnce = 4;

/**
 * @throws AppError `not-found` where there is no catalog; `conflict` for a directory of a newer version, and where the copy
 * would not be alone in its folder; `invalid-input` for a copy inside of the original; `storage-failed`; the signal's
 * reason. Nothing is left of a copy that was not finished.
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
  throw new AppError("invalid-input", "The copy cannot lie inside of the directory that is copied.");
}

async function requireEmpty(folder: string): Promise<void> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    throw error;
  }
  if (names.length > 0) throw new AppError("conflict", "The folder for the copy is not empty.");
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
      const wanted = listFiles(database, from, to, version);
      const copied = await copyFiles(wanted, { onProgress, signal });
      signal?.throwIfAborted();
      await settle(to);
      await rename(catalog.part, to.catalogFile);
      await syncFolder(to.root);
      await syncFolder(dirname(to.root));
      return {
        ...countRows(database, version),
        frames: copied.counts.frames,
        sources: copied.counts.sources,
        byteLength: catalog.byteLength + copied.byteLength,
        faults: copied.faults,
      };
    } finally {
      database.close();
    }
  } finally {
    lock?.close();
  }
}

/** Result codes of SQLite (sqlite3.h). */
const sqliteReadOnly = 8;
const sqliteCannotOpen = 14;

/** Where not even the lock's file can be made, whoever could remove frames would have to be another user. */
async function holdOffIfPossible(file: string): Promise<FileLock | undefined> {
  try {
    return await holdRetentionOff(file);
  } catch (error) {
    const code = sqliteCode(error);
    if (code === sqliteReadOnly || code === sqliteCannotOpen) return undefined;
    throw error;
  }
}

/** The open transaction keeps the state that is copied, whatever is committed meanwhile. */
async function copyCatalog(
  database: DatabaseSync,
  to: DataDirectory,
  signal: AbortSignal | undefined,
): Promise<{ part: string; byteLength: number }> {
  const part = `${to.catalogFile}.part`;
  // The first read is what takes hold of the state.
  prepare(database, "SELECT count(*) FROM sqlite_schema").first();
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

/** Every frame that a revision shows, and of the sources that revisions were made of those that are kept. */
function listFiles(
  database: DatabaseSync,
  from: DataDirectory,
  to: DataDirectory,
  version: number,
): WantedFile[] {
  if (version === 0) return [];
  const frameIds = prepare<{ id: string }>(
    database,
    "SELECT DISTINCT frame_id AS id FROM revision_layers ORDER BY frame_id",
  );
  const frames = frameIds.all().map(({ id }) => ({
    kind: "frames" as const,
    sha256: id,
    from: frameLocation(from.framesFolder, id).file,
    to: frameLocation(to.framesFolder, id).file,
  }));
  // The first version kept no sources.
  if (version === 1) return frames;
  const sourceIds = prepare<{ id: string }>(
    database,
    `SELECT DISTINCT source_sha256 AS id FROM revision_layers
       WHERE source_sha256 IS NOT NULL ORDER BY source_sha256`,
  );
  const sources = sourceIds.all().flatMap(({ id }) => {
    const original = sourceLocations(from.sourcesFolder, id);
    const path = [original.gzip, original.plain].find((each) => existsSync(each));
    if (path === undefined) return [];
    const copy = join(sourceLocations(to.sourcesFolder, id).folder, basename(path));
    return { kind: "sources" as const, sha256: id, from: path, to: copy };
  });
  return [...frames, ...sources];
}

interface CopiedFiles {
  readonly counts: { frames: number; sources: number };
  readonly byteLength: number;
  readonly faults: readonly Finding[];
}

async function copyFiles(
  wanted: readonly WantedFile[],
  { onProgress, signal }: Required<Pick<BackupOptions, "onProgress">> & Pick<BackupOptions, "signal">,
): Promise<CopiedFiles> {
  const counts = { frames: 0, sources: 0 };
  const faults: Finding[] = [];
  let byteLength = 0;
  let done = 0;
  const rest = wanted.values();
  const work = async (): Promise<void> => {
    for (const file of rest) {
      signal?.throwIfAborted();
      await mkdir(dirname(file.to), { recursive: true });
      const outcome = await copyFileChecked(file.from, file.to, file.sha256);
      if ("byteLength" in outcome) {
        counts[file.kind] += 1;
        byteLength += outcome.byteLength;
      } else if (file.kind === "frames") faults.push(toFault(file, outcome.problem));
      done += 1;
      onProgress?.(done, wanted.length);
    }
  };
  // Every lane has ended before anything is said, or removed.
  const ends = await Promise.allSettled(Array.from({ length: filesAtOnce }, work));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return { counts, byteLength, faults };
}

function toFault({ sha256 }: WantedFile, problem: "missing" | "damaged"): Finding {
  return {
    severity: "fault",
    where: `frames/${sha256.slice(0, 2)}/${sha256}.png`,
    what:
      problem === "missing" ? "It is missing, and a revision shows it." : "Its bytes do not match its name.",
  };
}

/** Waits until every name below the copy is on disk. */
async function settle(to: DataDirectory): Promise<void> {
  await createDataDirectory(to);
  for (const folder of [to.framesFolder, to.sourcesFolder]) {
    if (!existsSync(folder)) continue;
    for (const name of await readdir(folder)) await syncFolder(join(folder, name));
    await syncFolder(folder);
  }
}

function countRows(database: DatabaseSync, version: number): { events: number; revisions: number } {
  if (version === 0) return { events: 0, revisions: 0 };
  return prepare<{ events: number; revisions: number }>(
    database,
    "SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM revisions) AS revisions",
  ).first()!;
}
