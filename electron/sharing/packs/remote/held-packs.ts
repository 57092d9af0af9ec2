// The packfiles of a bare repository that is filled from elsewhere: which objects they hold, what an interrupted
// transfer left behind, and joining small ones.
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import * as git from "isomorphic-git";
import { ObjectFault } from "../../git/object-formats.ts";
import { parsePackfileIndex } from "../../git/packfile-index.ts";
import { mostSmallPacks, smallPackBytes } from "./transfer-limits.ts";

export interface HeldPacks {
  has(oid: string): boolean;
  /** Adds a new packfile by its path. Returns its length in bytes. */
  add(packfile: string): Promise<number>;
  /** Deletes a packfile that was added. */
  remove(packfile: string): Promise<void>;
}

/** The caller holds the repository's lock. */
export async function openHeldPacks(gitdir: string): Promise<HeldPacks> {
  const folder = join(gitdir, "objects", "pack");
  await clearLeftovers(folder);
  const packs = new Map<string, ReadonlySet<string>>();
  const read = async (name: string): Promise<void> => {
    packs.set(name, new Set(await readOids(join(folder, name))));
  };
  for (const name of (await readdir(folder)).filter(isIndex)) await read(name);
  return {
    has: (oid) => [...packs.values()].some((oids) => oids.has(oid)),
    async add(packfile) {
      await read(toIndex(basename(packfile)));
      return (await stat(packfile)).size;
    },
    async remove(packfile) {
      packs.delete(toIndex(basename(packfile)));
      // The index goes first: a packfile without one is a leftover.
      await rm(toIndex(packfile), { force: true });
      await rm(packfile, { force: true });
    },
  };
}

function toIndex(packfile: string): string {
  return packfile.replace(/pack$/, "idx");
}

function toPackfile(index: string): string {
  return index.replace(/idx$/, "pack");
}

/** Returns no ids for a damaged index. */
async function readOids(index: string): Promise<readonly string[]> {
  try {
    return parsePackfileIndex(await readFile(index)).listOids();
  } catch (error) {
    if (error instanceof ObjectFault) return [];
    throw error;
  }
}

function isIndex(name: string): boolean {
  return /^pack-[0-9a-f]{40}\.idx$/.test(name);
}

/** Deletes half-written files and packfiles without an index. */
async function clearLeftovers(folder: string): Promise<void> {
  const names = new Set(await readdir(folder));
  for (const name of names) {
    const isBare = name.endsWith(".pack") && !names.has(toIndex(name));
    if (name.endsWith(".new") || isBare) await rm(join(folder, name), { force: true });
  }
}

/** Joins small packfiles into one if there are many, so that reading stays fast. */
export async function consolidatePacks(gitdir: string, fs: git.PromiseFsClient): Promise<void> {
  const folder = join(gitdir, "objects", "pack");
  const small: string[] = [];
  for (const name of (await readdir(folder)).filter(isIndex)) {
    const { size } = await stat(join(folder, toPackfile(name)));
    if (size <= smallPackBytes) small.push(name);
  }
  if (small.length <= mostSmallPacks) return;
  const oids = new Set<string>();
  for (const name of small) for (const oid of await readOids(join(folder, name))) oids.add(oid);
  const cache = {};
  const { filename } = await git.packObjects({ fs, gitdir, oids: [...oids], write: true, cache });
  await git.indexPack({ fs, dir: gitdir, gitdir, filepath: `objects/pack/${filename}`, cache });
  for (const name of small) {
    if (name === toIndex(filename)) continue;
    await rm(join(folder, name));
    await rm(join(folder, toPackfile(name)));
  }
}
