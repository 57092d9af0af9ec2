// Walks the tree of a pack that may come from anybody, and takes nothing but regular files at the places that a pack has. No
// file is read here.
import { isPackFolder, parsePath, type PackPath } from "./pack-layout.ts";
import type { EventPackLimits } from "./event-pack-limits.ts";
import { fileMode, folderMode, parseTree, type TreeEntry } from "../git/object-formats.ts";
import type { ObjectReader } from "../git/object-reader.ts";
import { at, refusal } from "./refusal.ts";

export interface PackEntry {
  readonly path: string;
  readonly place: PackPath;
  /** Of the file's object. */
  readonly oid: string;
}

const strangeFile = "This is no part of an event pack.";
/** Folders in folders that are followed to name a file. */
const deepestNamed = 16;

const refusedModes: Readonly<Record<string, string>> = {
  "120000": "It is a symbolic link; a pack has regular files only.",
  "100755": "It is an executable file; a pack has regular files only.",
  "160000": "It is a submodule; a pack has regular files only.",
};

/** All files of the tree. @throws AppError `source-invalid` with the path of what does not belong there */
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
    const children = await at(folder === "" ? "pack" : folder, async () =>
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
  // Names are kept a character a byte; what a person reads of them is UTF-8.
  const text = Buffer.from(name, "latin1").toString("utf8");
  return folder === "" ? text : `${folder}/${text}`;
}

/** Undefined for a folder. @throws AppError `source-invalid` */
function placeOf(path: string, { mode, name }: TreeEntry): PackPath | undefined {
  if (mode === folderMode && !name.includes("/")) return undefined;
  if (mode !== fileMode) throw refusal(path, refusedModes[mode] ?? "It is no regular file.");
  const place = name.includes("/") ? undefined : parsePath(path);
  if (place) return place;
  throw refusal(path, strangeFile);
}

/** The path of the first file below a folder that does not belong here: what a person has to remove. */
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
    const [first] = await at(path, async () =>
      parseTree(await reader.read(tree, "tree", limits.maxTreeBytes)),
    );
    if (first === undefined) return path;
    path = pathOf(path, first.name);
    next = first.mode === folderMode ? first.oid : undefined;
  }
  return path;
}

/** Names that differ in case alone are one name on many disks. @throws AppError `source-invalid` */
function requireDistinct(folder: string, entries: readonly TreeEntry[]): void {
  const names = new Set<string>();
  for (const { name } of entries) {
    const key = name.toLowerCase();
    if (names.has(key)) {
      throw refusal(
        pathOf(folder, name),
        "It is there twice, or another name differs from it in case alone.",
      );
    }
    names.add(key);
  }
}
