// The tree of a pack that grows by one revision at a time. Its folders stay in memory as entries; only changed folders
// are written again.
import { eventPackLimits } from "./event-pack-limits.ts";
import type { ObjectReader } from "../git/object-reader.ts";
import {
  encodeTreeEntry,
  fileMode,
  folderMode,
  parseTree,
  treeKeyOf,
  type TreeEntry,
} from "../git/object-formats.ts";
import type { ObjectWriter } from "../git/object-writer.ts";

/** One folder: its entries as bytes, in Git's order. */
class GrowingFolder {
  readonly #keys: string[] = [];
  readonly #entries: Buffer[] = [];
  readonly #oids = new Map<string, string>();

  get(name: string): string | undefined {
    return this.#oids.get(name);
  }

  set(entry: TreeEntry): void {
    const key = treeKeyOf(entry);
    const at = this.#placeOf(key);
    this.#oids.set(entry.name, entry.oid);
    const replaced = this.#keys[at] === key ? 1 : 0;
    this.#keys.splice(at, replaced, key);
    this.#entries.splice(at, replaced, encodeTreeEntry(entry));
  }

  encode(): Buffer {
    return Buffer.concat(this.#entries);
  }

  /** Returns the first index whose key is not below this one. */
  #placeOf(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class GrowingTree {
  readonly #folders = new Map<string, GrowingFolder>([["", new GrowingFolder()]]);
  readonly #changed = new Set<string>();

  /** @throws ObjectFault */
  static async load(reader: ObjectReader, rootOid: string): Promise<GrowingTree> {
    const tree = new GrowingTree();
    const load = async (path: string, oid: string): Promise<void> => {
      const folder = new GrowingFolder();
      tree.#folders.set(path, folder);
      for (const entry of parseTree(await reader.read(oid, "tree", eventPackLimits.maxTreeBytes))) {
        folder.set(entry);
        // The folder of a revision never changes again, so it is not loaded.
        const isLeaf = entry.mode !== folderMode || path === "revisions";
        if (!isLeaf) await load(path === "" ? entry.name : `${path}/${entry.name}`, entry.oid);
      }
    };
    await load("", rootOid);
    return tree;
  }

  /** Returns the object id at a path, or undefined. Nothing below `revisions/<revisionId>` is loaded. */
  find(path: string): string | undefined {
    const { folder, name } = split(path);
    return this.#folders.get(folder)?.get(name);
  }

  setFile(path: string, oid: string): void {
    this.#set(path, fileMode, oid);
  }

  setFolder(path: string, oid: string): void {
    this.#set(path, folderMode, oid);
  }

  /** Writes the changed folders, deepest first, and returns the root's id. */
  async write(writer: ObjectWriter): Promise<string> {
    const depthOf = (path: string): number => (path === "" ? 0 : path.split("/").length);
    const byDepth = [...this.#changed].filter((path) => path !== "").sort((a, b) => depthOf(b) - depthOf(a));
    for (const depth of new Set(byDepth.map(depthOf))) {
      const paths = byDepth.filter((path) => depthOf(path) === depth);
      const oids = await Promise.all(
        paths.map((path) => writer.write("tree", this.#folders.get(path)!.encode())),
      );
      for (const [index, path] of paths.entries()) this.#set(path, folderMode, oids[index]!);
    }
    this.#changed.clear();
    return writer.write("tree", this.#folders.get("")!.encode());
  }

  #set(path: string, mode: string, oid: string): void {
    const { folder: folderPath, name } = split(path);
    let folder = this.#folders.get(folderPath);
    if (!folder) {
      folder = new GrowingFolder();
      this.#folders.set(folderPath, folder);
    }
    folder.set({ mode, name, oid });
    // Each folder above has another object now.
    for (let above = folderPath; above !== ""; above = split(above).folder) this.#changed.add(above);
  }
}

function split(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf("/");
  return { folder: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) };
}
