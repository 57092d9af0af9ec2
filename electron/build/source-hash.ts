// One hash over the files that a bundle is made from. Tests are no part of a bundle and do not make it stale.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * SHA-256, lower-case hex, over names and contents. `sources` are files or folders, from `root`; order does not matter
 * and one that is not there counts as empty, so that its appearing is a change.
 */
export function hashSources(root: string, sources: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of [...new Set(sources.flatMap((source) => filesOf(root, source)))].sort()) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

function filesOf(root: string, source: string): readonly string[] {
  const stat = statSync(join(root, source), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (stat.isFile()) return [source];
  return readdirSync(join(root, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name).slice(root.length).split(sep).join("/").replace(/^\//, ""),
    );
}
