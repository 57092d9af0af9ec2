// Removes what nothing needs: frames that no revision shows, kept sources that none was made of, and what crashed writers
// left in staging. The write lock covers the look and the deed, so nothing that is published meanwhile is taken away.
import { readdir, rm, stat } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { frameLocation, type DataDirectory } from "../files/data-directory.ts";
import { framePlace } from "../verify/finding-places.ts";
import { prepare } from "../queries.ts";
import { createRetention } from "../retention.ts";
import { removeFolder } from "./repair-frames.ts";
import type { RepairContext, RepairFinding } from "./repair-context.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";

/** What another process may still be about to use is left alone for so long. */
const inUseMs = 3_600_000;

/** Removes frames among these that no revision shows, whatever retention had still to remove, and stale kept sources. */
export async function removeOrphans(frameIds: readonly string[], context: RepairContext): Promise<void> {
  const { database, folders, files, commit, signal, tell } = context;
  const condemn = prepare(database, "INSERT OR IGNORE INTO condemned_files (kind, name) VALUES (?, ?)");
  const isShown = prepare(database, "SELECT 1 FROM revision_layers WHERE frame_id = ? LIMIT 1");
  const retention = createRetention(database, files);
  for (const frameId of frameIds) {
    if (!isShown.first(frameId)) await removeFolder(frameLocation(folders.framesFolder, frameId).file);
  }
  const stale = await findStaleSources(context);
  await commit(() => {
    for (const frameId of frameIds) condemn.run("frame", frameId);
    for (const { sha256 } of stale) condemn.run("source", sha256);
  });
  for (let hasMore = true; hasMore;) {
    signal?.throwIfAborted();
    hasMore = (await commit(() => retention.clearFiles())).hasMore;
  }
  const tellRemoved = (where: string, what: string): void => {
    tell({ severity: "note", where, what, repaired: "It was removed." });
  };
  for (const frameId of frameIds) {
    if (!existsSync(frameLocation(folders.framesFolder, frameId).file)) {
      tellRemoved(framePlace(frameId), "No revision shows it.");
    }
  }
  for (const { where, path } of stale) {
    if (!existsSync(path)) tellRemoved(where, "No revision was made of it.");
  }
}

interface KeptSource {
  readonly sha256: string;
  readonly path: string;
  readonly where: string;
}

async function findStaleSources({ database, folders, nowMs, signal }: RepairContext): Promise<KeptSource[]> {
  const isUsed = prepare(database, "SELECT 1 FROM revision_layers WHERE source_sha256 = ? LIMIT 1");
  const stale: KeptSource[] = [];
  for (const prefix of await listNames(folders.sourcesFolder)) {
    signal?.throwIfAborted();
    const folder = join(folders.sourcesFolder, prefix);
    for (const name of await listNames(folder)) {
      const sha256 = /^([0-9a-f]{64})\.grib2(?:\.gz)?$/.exec(name)?.[1];
      if (sha256?.startsWith(prefix) !== true || isUsed.first(sha256)) continue;
      const path = join(folder, name);
      if (await isOlder(path, nowMs - inUseMs))
        stale.push({ sha256, path, where: `sources/${prefix}/${name}` });
    }
  }
  return stale;
}

/**
 * Removes staged files: all of them where no other process writes, else those of processes that are gone. Returns what it
 * did.
 */
export async function clearStaging(
  { stagingFolder }: DataDirectory,
  isAlone: boolean,
  nowMs: number,
): Promise<RepairFinding[]> {
  const done: RepairFinding[] = [];
  for (const name of await listNames(stagingFolder)) {
    const path = join(stagingFolder, name);
    if (!isAlone && isUnderWay(name) && !(await isOlder(path, nowMs - inUseMs))) continue;
    await rm(path, { force: true, recursive: true });
    done.push({
      severity: "note",
      where: `staging/${name}`,
      what: "It is left over from a crash.",
      repaired: "It was removed.",
    });
  }
  return done;
}

/** Whether the process that staged a file, which is in its name, may still be there. */
function isUnderWay(name: string): boolean {
  const pid = Number(/^(\d+)-/.exec(name)?.[1]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}

async function isOlder(path: string, thanMs: number): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < thanMs;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** None where there is no such folder. */
async function listNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return [];
    throw error;
  }
}
