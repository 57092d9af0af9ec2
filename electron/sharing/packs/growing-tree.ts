// The tree of a pack that grows by a revision at a time: its folders are kept in memory as their entries, and only what a
// revision changes is written again.
import { eventPackLimits } from "./event-pack-limits.ts";
import type { ObjectReader } from "../git/object-reader.ts";
import { fileMode, folderMode, parseTree, type TreeEntry } from "../git/object-formats.ts";
import type { ObjectWriter } from "../git/object-writer.ts";

/** One folder: its entries in Git's order, each as its bytes. */
class GrowingFolder {
  readonly #keys: string[] = [];
  readonly #entries: Buffer[] = [];
  readonly #oids = new Map<string, string>();

  get(name: string): string | undefined {
    return this.#oids.get(name);
  }

  set({ mode, name, oid }: TreeEntry): void {
    const key = mode === folderMode ? `${name}/` : name;
    const bytes = Buffer.concat([Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(oid, "hex")]);
    const at = this.#placeOf(key);
    this.#oids.set(name, oid);
    const isThere = this.#keys[at] === key;
    this.#keys.splice(at, isThere ? 1 : 0, key);
    this.#entries.splice(at, isThere ? 1 : 0, bytes);
  }

  encode(): Buffer {
    return Buffer.concat(this.#entries);
  }

  /** The first place whose key is not before this one. */
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
        // A revision's own folder never changes again.
        const isKept = entry.mode !== folderMode || path === "revisions";
        if (!isKept) await load(path === "" ? entry.name : `${path}/${entry.name}`, entry.oid);
      }
    };
    await load("", rootOid);
    return tree;
  }

  /** The object at a path; undefined where there is none. Nothing below `revisions/<revisionId>` is known. */
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

  /** Writes the folders that have changed, the deepest first, and gives the root's id. */
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
    // Its own folder has another object now.
    for (let above = folderPath; above !== ""; above = split(above).folder) this.#changed.add(above);
  }
}

function split(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf("/");
  return { folder: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) };
}
