// The build stamp: a hash of the sources that each part was last built from, so that unchanged parts are not built
// again.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import * as z from "zod";
import { replaceFileSync } from "../platform/disk/replace-file.ts";
import { type Part, type PartName, partNames, stampPath } from "./parts.ts";

/** Maps part names to hashes of their sources. */
const Stamp = z.partialRecord(z.enum(partNames), z.string());
type Stamp = z.infer<typeof Stamp>;

export interface Freshness {
  readonly isFresh: boolean;
  /** Hash of the current sources. */
  readonly sourceHash: string;
}

export function checkFreshness(root: string, part: Part): Freshness {
  const sourceHash = hashSources(root, part.sources);
  const isBuilt = existsSync(join(root, part.output));
  return { isFresh: isBuilt && loadStamp(root)[part.name] === sourceHash, sourceHash };
}

/** Call it only under the build lock. */
export function rememberBuild(root: string, name: PartName, sourceHash: string): void {
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
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name).slice(root.length).split(sep).join("/").replace(/^\//, ""),
    );
}
