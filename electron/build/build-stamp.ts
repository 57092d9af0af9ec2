// The build stamp: a hash of the sources that each part was last built from, so that unchanged parts are not built
// again.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join, sep } from "node:path";
import * as z from "zod";
import { replaceFileSync } from "../platform/disk/replace-file.ts";
import { changedSince, isTest } from "./source-age.ts";
import { type Part, partNames, stampPath } from "./parts.ts";

/** Maps part names to hashes of their sources. */
const Stamp = z.partialRecord(z.enum(partNames), z.string());
type Stamp = z.infer<typeof Stamp>;

/**
 * Returns true if the part is built from its sources of today. Hashes them only if one was written after the build; if
 * they are the same nevertheless, gives the output today's time.
 */
export function checkFreshness(root: string, { name, output, sources }: Part): boolean {
  const hash = loadStamp(root)[name];
  const file = join(root, output);
  const built = statSync(file, { throwIfNoEntry: false });
  if (hash === undefined || built === undefined) return false;
  if (!changedSince(root, sources, built.mtimeMs)) return true;
  const now = new Date();
  if (hashSources(root, sources) !== hash) return false;
  utimesSync(file, now, now);
  return true;
}

export interface Build {
  /** Hash of the sources at the beginning. */
  readonly sourceHash: string;
  readonly startedAt: Date;
}

/** Stores the hash, and makes the build's beginning the output's time. Call it only under the build lock. */
export function rememberBuild(root: string, { name, output }: Part, { sourceHash, startedAt }: Build): void {
  utimesSync(join(root, output), startedAt, startedAt);
  const stamp: Stamp = { ...loadStamp(root), [name]: sourceHash };
  replaceFileSync(join(root, stampPath), `${JSON.stringify(stamp, undefined, 2)}\n`);
}

/** Treats a missing or damaged stamp as empty. */
function loadStamp(root: string): Stamp {
  const path = join(root, stampPath);
  if (!existsSync(path)) return {};
  try {
    return Stamp.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return {};
    throw error;
  }
}

/**
 * Returns the SHA-256 of names and contents in lower-case hex. `sources` are files and folders below `root` in any
 * order; a missing one counts as empty, and tests are left out.
 */
export function hashSources(root: string, sources: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of [...new Set(sources.flatMap((source) => listFiles(root, source)))].sort()) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

function listFiles(root: string, source: string): readonly string[] {
  const stat = statSync(join(root, source), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (stat.isFile()) return [source];
  return readdirSync(join(root, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !isTest(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name).slice(root.length).split(sep).join("/").replace(/^\//, ""),
    );
}
