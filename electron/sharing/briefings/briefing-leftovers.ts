// Removes what a killed publication left: its staging folder, and files that were not yet renamed. Removes only names
// that we give, next to or with contents that are ours.
import { randomBytes } from "node:crypto";
import type { Dirent } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { abandonedAfterMs } from "./briefing-limits.ts";
import { isOwnPath, manifestName } from "./briefing-manifest.ts";

/** The ending of files that `replaceFile` is writing and of staging folders. */
const unfinished = "\\.[0-9a-f]{12}\\.new$";

export function toStagingName(eventId: string): string {
  return `.${eventId}.${randomBytes(6).toString("hex")}.new`;
}

export interface Swept {
  /** The folder of all briefings. */
  readonly directory: string;
  readonly eventId: string;
  /** Files of the earlier publication, as paths below the event's folder. */
  readonly files: readonly string[];
  /** A new staging folder: its time is the disk's clock, which may be another machine's. */
  readonly staging: string;
}

/** Removes leftovers of the event's earlier publications. Throws the system's errors. */
export async function sweepLeftovers({ directory, eventId, files, staging }: Swept): Promise<void> {
  const { mtimeMs } = await stat(staging);
  const found = [
    ...(await findStagings(directory, eventId)),
    ...(await findUnfinished(directory, ["index.html"])),
    ...(await findUnfinished(join(directory, eventId), [manifestName, ...files])),
  ];
  for (const { path, contents } of found) {
    const times = await Promise.all([path, ...contents].map(findTime));
    if (mtimeMs - Math.max(...times) > abandonedAfterMs) await remove(path);
  }
}

interface Leftover {
  readonly path: string;
  /** Everything in a folder; empty for a file. */
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
    const entries = await listIfReadable(path, { recursive: true });
    if (!entries?.every((entry) => isOfStaging(path, entry))) continue;
    stagings.push({ path, contents: entries.map((entry) => join(entry.parentPath, entry.name)) });
  }
  return stagings;
}

function isOfStaging(staging: string, entry: Dirent): boolean {
  const inner = relative(staging, join(entry.parentPath, entry.name)).replaceAll(sep, "/");
  return entry.isDirectory() ? /^r(?:\/\d+)?$/.test(inner) : entry.isFile() && isOwnPath(inner);
}

/** Finds the unfinished replacements of these files of a folder. */
async function findUnfinished(folder: string, files: readonly string[]): Promise<Leftover[]> {
  const ours = new Set(files.map((file) => join(folder, file)));
  const ending = new RegExp(unfinished);
  const found: Leftover[] = [];
  for (const inner of new Set(files.map((file) => dirname(join(folder, file))))) {
    for (const entry of (await listIfReadable(inner)) ?? []) {
      const path = join(inner, entry.name);
      if (!entry.isFile() || !ending.test(entry.name)) continue;
      if (ours.has(path.replace(ending, ""))) found.push({ path, contents: [] });
    }
  }
  return found;
}

/** Returns undefined for a folder that is missing or unreadable. */
async function listIfReadable(folder: string, { recursive = false } = {}): Promise<Dirent[] | undefined> {
  try {
    return await readdir(folder, { recursive, withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === "ENOENT" || isDenied(error)) return undefined;
    throw error;
  }
}

/** Returns the time of the last change, in ms. Treats missing entries as old and unreadable ones as new. */
async function findTime(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return 0;
    if (isDenied(error)) return Infinity;
    throw error;
  }
}

/** Ignores entries that the system refuses to remove: they are harmless, and another program may use them. */
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
