// From the paths that somebody typed to the files that are tried: every path named, and what looks like GRIB2 in folders.
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import { toSourceError } from "./source-error.ts";

export interface SourceFile {
  /** As the user gave it, or below the folder as the user gave that. */
  readonly file: string;
  /** Absolute. */
  readonly path: string;
  /** Without its folder: all that a client may learn. */
  readonly name: string;
}

export interface UnusablePath extends SourceFile {
  readonly error: Error;
}

export interface FoundSources {
  /** In the order of the paths; folders by name. A file that is given twice is there twice. */
  readonly files: readonly SourceFile[];
  /** Paths that are not there, are neither file nor folder, or cannot be listed. */
  readonly unusable: readonly UnusablePath[];
}

const sourceName = /\.(?:grib2|grb2)(?:\.gz)?$/i;

/** Follows links; a folder that links lead back to is listed once for each path given. */
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

/** What stands where a name has bytes that are not UTF-8: Node gives and takes names as text alone. */
const replacementCharacter = "\uFFFD";

function toPathError(path: string, error: unknown): Error {
  const known = toSourceError(error);
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  if (!isMissing || !path.includes(replacementCharacter)) return known;
  return new AppError(
    "source-invalid",
    "It cannot be opened, because its name or that of its folder is not UTF-8; give it another name.",
    { cause: error },
  );
}

/** Folders, files whose name says GRIB2, and links that may be either; all other names are passed over. */
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
    // A dangling link under another name is passed over, as a file under another name is.
    return false;
  }
}
