// What a publication that was killed has left: the folder in which it made its stills, and files that had not got their names
// yet. Such names are taken for ours only where everything else about them is ours too.
import { randomBytes } from "node:crypto";
import type { Dirent } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { isOwnPath, manifestName } from "./briefing-manifest.ts";

/** Nothing that is being made rests for so long. */
const abandonedMs = 3_600_000;
/** As `replaceFile` names a file that is still being written, and `toStagingName` a folder. */
const unfinished = "\\.[0-9a-f]{12}\\.new$";

export function toStagingName(eventId: string): string {
  return `.${eventId}.${randomBytes(6).toString("hex")}.new`;
}

export interface Swept {
  /** Of all briefings. */
  readonly directory: string;
  readonly eventId: string;
  /** Paths of the earlier publication, from the event's folder. */
  readonly files: readonly string[];
  /** The staging folder that was just made: its time is the clock of the disk, which may be another machine's. */
  readonly staging: string;
}

/** Removes what earlier publications of the event have left. Throws what the system throws. */
export async function sweepLeftovers({ directory, eventId, files, staging }: Swept): Promise<void> {
  const { mtimeMs } = await stat(staging);
  const found = [
    ...(await findStagings(directory, eventId)),
    ...(await findUnfinished(directory, ["index.html"])),
    ...(await findUnfinished(join(directory, eventId), [manifestName, ...files])),
  ];
  for (const { path, contents } of found) {
    const times = await Promise.all([path, ...contents].map(findTime));
    if (mtimeMs - Math.max(...times) > abandonedMs) await remove(path);
  }
}

interface Leftover {
  readonly path: string;
  /** Of a folder: all that is in it. */
  readonly contents: readonly string[];
}

async function findStagings(directory: string, eventId: string): Promise<Leftover[]> {
  const pattern = new RegExp(`^\\.${eventId}${unfinished}`);
  const names = (await readdir(directory, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && pattern.test(entry.name))
    .map(({ name }) => name);
  const stagings: Leftover[] = [];
  for (const name of names) {
    const path = join(directory, name);
    const entries = await listIfSeen(path, { recursive: true });
    if (!entries?.every((entry) => isOfStaging(path, entry))) continue;
    stagings.push({ path, contents: entries.map((entry) => join(entry.parentPath, entry.name)) });
  }
  return stagings;
}

function isOfStaging(staging: string, entry: Dirent): boolean {
  const inner = relative(staging, join(entry.parentPath, entry.name)).replaceAll(sep, "/");
  return entry.isDirectory() ? /^r(?:\/\d+)?$/.test(inner) : entry.isFile() && isOwnPath(inner);
}

/** Beside each of these files of a folder: what was to take its place. */
async function findUnfinished(folder: string, files: readonly string[]): Promise<Leftover[]> {
  const ours = new Set(files.map((file) => join(folder, file)));
  const ending = new RegExp(unfinished);
  const found: Leftover[] = [];
  for (const inner of new Set(files.map((file) => dirname(join(folder, file))))) {
    for (const entry of (await listIfSeen(inner)) ?? []) {
      const path = join(inner, entry.name);
      if (!entry.isFile() || !ending.test(entry.name)) continue;
      if (ours.has(path.replace(ending, ""))) found.push({ path, contents: [] });
    }
  }
  return found;
}

/** Undefined for a folder that is gone, or whose content is not for us to see. */
async function listIfSeen(folder: string, { recursive = false } = {}): Promise<Dirent[] | undefined> {
  try {
    return await readdir(folder, { recursive, withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === "ENOENT" || isDenied(error)) return undefined;
    throw error;
  }
}

/** Of its last change, in ms; what is gone meanwhile is as old as can be, and what is not for us to see as young. */
async function findTime(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return 0;
    if (isDenied(error)) return Infinity;
    throw error;
  }
}

/** What may not be removed is somebody else's, in a folder of many, or held open by another program; it is in nobody's way. */
async function remove(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if (!isDenied(error) && systemCode(error) !== "EBUSY") throw error;
  }
}

function isDenied(error: unknown): boolean {
  return ["EACCES", "EPERM"].includes(systemCode(error) ?? "");
}
