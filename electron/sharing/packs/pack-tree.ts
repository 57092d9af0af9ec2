// Walks the tree of an untrusted pack and accepts only regular files at the paths that a pack has. Reads no file.
import { isPackFolder, parsePath, type PackPath } from "./pack-layout.ts";
import type { EventPackLimits } from "./event-pack-limits.ts";
import { fileMode, folderMode, parseTree, type TreeEntry } from "../git/object-formats.ts";
import type { ObjectReader } from "../git/object-reader.ts";
import { atPath, refusal } from "./refusal.ts";

export interface PackEntry {
  readonly path: string;
  readonly place: PackPath;
  /** Id of the file's object. */
  readonly oid: string;
}

const strangeFile = "It is not part of an event pack.";
/** The deepest nesting that is followed to name a file. */
const deepestNamed = 16;

const refusedModes: Readonly<Record<string, string>> = {
  "120000": "It is a symbolic link; a pack has regular files only.",
  "100755": "It is an executable file; a pack has regular files only.",
  "160000": "It is a submodule; a pack has regular files only.",
};

/** Returns all files of the tree. @throws AppError `source-invalid` with the path of any other file */
export async function listEntries(
  reader: ObjectReader,
  rootOid: string,
  limits: EventPackLimits,
  signal: AbortSignal | undefined,
): Promise<readonly PackEntry[]> {
  const entries: PackEntry[] = [];
  let seen = 0;
  const visit = async (oid: string, folder: string): Promise<void> => {
    signal?.throwIfAborted();
    const children = await atPath(folder === "" ? "pack" : folder, async () =>
      parseTree(await reader.read(oid, "tree", limits.maxTreeBytes)),
    );
    if (children.length === 0) throw refusal(folder === "" ? "pack" : folder, "It is empty.");
    requireDistinct(folder, children);
    seen += children.length;
    if (seen > limits.maxEntries) {
      throw refusal(folder, `The pack has more than ${limits.maxEntries} files and folders.`);
    }
    for (const entry of children) {
      const path = pathOf(folder, entry.name);
      if (entry.mode === folderMode && !isPackFolder(path)) {
        throw refusal(await findFirstFile(reader, entry.oid, path, limits), strangeFile);
      }
      const place = placeOf(path, entry);
      if (place) entries.push({ path, place, oid: entry.oid });
      else await visit(entry.oid, path);
    }
  };
  await visit(rootOid, "");
  return entries;
}

function pathOf(folder: string, name: string): string {
  // Names have one character a byte; people read them as UTF-8.
  const text = Buffer.from(name, "latin1").toString("utf8");
  return folder === "" ? text : `${folder}/${text}`;
}

/** Returns undefined for a folder. @throws AppError `source-invalid` */
function placeOf(path: string, { mode }: TreeEntry): PackPath | undefined {
  if (mode === folderMode) return undefined;
  if (mode !== fileMode) throw refusal(path, refusedModes[mode] ?? "It is not a regular file.");
  const place = parsePath(path);
  if (place) return place;
  throw refusal(path, strangeFile);
}

/** Returns the first file below a folder that is not part of a pack: what a person has to remove. */
async function findFirstFile(
  reader: ObjectReader,
  oid: string,
  folder: string,
  limits: EventPackLimits,
): Promise<string> {
  let path = folder;
  let next: string | undefined = oid;
  for (let depth = 0; next !== undefined && depth < deepestNamed; depth += 1) {
    const tree: string = next;
    const [first] = await atPath(path, async () =>
      parseTree(await reader.read(tree, "tree", limits.maxTreeBytes)),
    );
    if (first === undefined) return path;
    path = pathOf(path, first.name);
    next = first.mode === folderMode ? first.oid : undefined;
  }
  return path;
}

/** Names that differ only in case are equal on many disks. @throws AppError `source-invalid` */
function requireDistinct(folder: string, entries: readonly TreeEntry[]): void {
  const names = new Set<string>();
  for (const { name } of entries) {
    const key = name.toLowerCase();
    if (names.has(key)) {
      throw refusal(pathOf(folder, name), "It occurs twice, or another name differs from it only in case.");
    }
    names.add(key);
  }
}
