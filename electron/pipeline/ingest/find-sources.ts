// Finds the source files of an ingest: every file that was named, and in folders those named like GRIB2.
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import { toSourceError } from "./source-error.ts";

export interface SourceFile {
  /** The path as the user gave it, or below a folder as the user gave it. */
  readonly file: string;
  /** The absolute path. */
  readonly path: string;
  /** The name without its folder, which is all that a client may see. */
  readonly name: string;
}

export interface UnusablePath extends SourceFile {
  readonly error: Error;
}

export interface FoundSources {
  /** In the order of the paths, and by name within a folder. A file that was named twice is listed twice. */
  readonly files: readonly SourceFile[];
  /** Paths that do not exist or cannot be read. */
  readonly unusable: readonly UnusablePath[];
}

const sourceName = /\.(?:grib2|grb2)(?:\.gz)?$/i;

/** Searches the paths. Follows links, and lists each folder once for each path. */
export async function findSources(paths: readonly string[], signal?: AbortSignal): Promise<FoundSources> {
  const files: SourceFile[] = [];
  const unusable: UnusablePath[] = [];
  const visit = async (file: string, visited: Set<string>): Promise<void> => {
    signal?.throwIfAborted();
    const source = { file, path: resolve(file), name: basename(resolve(file)) };
    try {
      if (!(await stat(source.path)).isDirectory()) {
        files.push(source);
        return;
      }
      const place = await realpath(source.path);
      if (visited.has(place)) return;
      visited.add(place);
      for (const inside of await listFolder(file)) await visit(inside, visited);
    } catch (error) {
      signal?.throwIfAborted();
      unusable.push({ ...source, error: toPathError(source.path, error) });
    }
  };
  for (const path of paths) await visit(path, new Set());
  return { files, unusable };
}

/** Stands for bytes of a name that are not UTF-8: Node reads names as text only. */
const replacementCharacter = "\uFFFD";

function toPathError(path: string, error: unknown): Error {
  const known = toSourceError(error);
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  if (!isMissing || !path.includes(replacementCharacter)) return known;
  return new AppError(
    "source-invalid",
    "It cannot be opened because its name, or that of its folder, is not UTF-8; rename it.",
    { cause: error },
  );
}

/** Lists folders, files named like GRIB2, and links to either; skips all other entries. */
async function listFolder(folder: string): Promise<string[]> {
  const entries = await readdir(resolve(folder), { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory() || sourceName.test(entry.name) || entry.isSymbolicLink())
    .map((entry) => ({ name: entry.name, isLink: entry.isSymbolicLink() }));
  const kept: string[] = [];
  for (const { name, isLink } of names) {
    const path = join(folder, name);
    if (isLink && !sourceName.test(name) && !(await isFolder(path))) continue;
    kept.push(path);
  }
  return kept.toSorted();
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(resolve(path))).isDirectory();
  } catch {
    // Skipped, as a file with such a name is.
    return false;
  }
}
