// Removes unused files: frames that no revision shows, stored sources that no revision was made from, and leftovers of
// crashed writers.
import { readdir, rm, stat } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { frameLocation, type DataDirectory } from "../files/data-directory.ts";
import { framePlace } from "../verify/finding-places.ts";
import { prepareIsShown } from "../sqlite/queries.ts";
import { createRetention } from "../sqlite/writing/retention.ts";
import { removeFolder } from "./repair-frames.ts";
import type { RepairContext, RepairFinding } from "./repair-context.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";

/** Age below which another process may still use a file. */
const inUseMs = 3_600_000;

/** Removes unshown frames among these, files that retention left to remove, and stale stored sources. */
export async function removeOrphans(frameIds: readonly string[], context: RepairContext): Promise<void> {
  const { prepare, folders, files, commit, signal, report } = context;
  const condemn = prepare("INSERT OR IGNORE INTO condemned_files (kind, name) VALUES (?, ?)");
  const isShown = prepareIsShown(prepare, "frame");
  const retention = createRetention(prepare, files);
  for (const frameId of frameIds) {
    if (!isShown(frameId)) await removeFolder(frameLocation(folders.framesFolder, frameId).file);
  }
  const stale = await findStaleSources(context);
  await commit(() => {
    for (const frameId of frameIds) condemn.run("frame", frameId);
    for (const { sha256 } of stale) condemn.run("source", sha256);
  });
  for (let hasMore = true; hasMore;) {
    signal?.throwIfAborted();
    const cleared = await commit(() => retention.clearFiles());
    hasMore = cleared.hasMore;
  }
  const reportRemoved = (where: string, what: string): void => {
    report({ severity: "note", where, what, repaired: "It was removed." });
  };
  for (const frameId of frameIds) {
    if (!existsSync(frameLocation(folders.framesFolder, frameId).file)) {
      reportRemoved(framePlace(frameId), "No revision shows it.");
    }
  }
  for (const { where, path } of stale) {
    if (!existsSync(path)) reportRemoved(where, "No revision was made from it.");
  }
}

interface KeptSource {
  readonly sha256: string;
  readonly path: string;
  readonly where: string;
}

async function findStaleSources({ prepare, folders, nowMs, signal }: RepairContext): Promise<KeptSource[]> {
  const isUsed = prepareIsShown(prepare, "source");
  const stale: KeptSource[] = [];
  for (const prefix of await listNames(folders.sourcesFolder)) {
    signal?.throwIfAborted();
    const folder = join(folders.sourcesFolder, prefix);
    for (const name of await listNames(folder)) {
      const sha256 = /^([0-9a-f]{64})\.grib2(?:\.gz)?$/.exec(name)?.[1];
      if (sha256?.startsWith(prefix) !== true || isUsed(sha256)) continue;
      const path = join(folder, name);
      if (await isOlder(path, nowMs - inUseMs))
        stale.push({ sha256, path, where: `sources/${prefix}/${name}` });
    }
  }
  return stale;
}

/** Removes all staged files if no other process writes, else those of ended processes. Returns what it did. */
export async function clearStaging(
  { stagingFolder }: DataDirectory,
  isAlone: boolean,
  nowMs: number,
): Promise<RepairFinding[]> {
  const done: RepairFinding[] = [];
  for (const name of await listNames(stagingFolder)) {
    const path = join(stagingFolder, name);
    if (!isAlone && isInProgress(name) && !(await isOlder(path, nowMs - inUseMs))) continue;
    await rm(path, { force: true, recursive: true });
    done.push({
      severity: "note",
      where: `staging/${name}`,
      what: "It was left over from a crash.",
      repaired: "It was removed.",
    });
  }
  return done;
}

/** Returns true if the process that staged a file, named in the file name, may still be running. */
function isInProgress(name: string): boolean {
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

/** Returns the sorted names in a folder: none if it does not exist. */
async function listNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return [];
    throw error;
  }
}
