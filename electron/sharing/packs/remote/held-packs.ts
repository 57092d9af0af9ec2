// The packs of a bare repository that is filled from elsewhere: what is in them, what a transfer that was cut off left beside
// them, and fewer of them where they have become many.
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import * as git from "isomorphic-git";

const fanoutAt = 8;
const namesAt = fanoutAt + 256 * 4;
const magic = 0xff744f63;

export interface HeldPacks {
  has(oid: string): boolean;
  /** Counts a new pack in, by its path. Returns its bytes. */
  add(packfile: string): Promise<number>;
  /** Removes a pack that was counted in. */
  remove(packfile: string): Promise<void>;
}

/** Callers hold the repository's lock. */
export async function openHeldPacks(gitdir: string): Promise<HeldPacks> {
  const folder = join(gitdir, "objects", "pack");
  await clearLeftovers(folder);
  const packs = new Map<string, ReadonlySet<string>>();
  const read = async (name: string): Promise<void> => {
    packs.set(name, new Set(listOids(await readFile(join(folder, name)))));
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
      // The index first: without it, the pack is a leftover.
      await rm(toIndex(packfile), { force: true });
      await rm(packfile, { force: true });
    },
  };
}

function toIndex(packfile: string): string {
  return packfile.replace(/pack$/, "idx");
}

/** Object ids of an index, version 2 (gitformat-pack); none for one that is damaged. */
export function listOids(index: Buffer): readonly string[] {
  if (index.length < namesAt + 40 || index.readUInt32BE(0) !== magic || index.readUInt32BE(4) !== 2)
    return [];
  const count = index.readUInt32BE(namesAt - 4);
  if (index.length < namesAt + count * 28 + 40) return [];
  return Array.from({ length: count }, (_, at) =>
    index.toString("hex", namesAt + at * 20, namesAt + at * 20 + 20),
  );
}

function isIndex(name: string): boolean {
  return /^pack-[0-9a-f]{40}\.idx$/.test(name);
}

/** What was being written, and packs without an index. */
async function clearLeftovers(folder: string): Promise<void> {
  const names = new Set(await readdir(folder));
  for (const name of names) {
    const isBare = name.endsWith(".pack") && !names.has(name.replace(/pack$/, "idx"));
    if (name.endsWith(".new") || isBare) await rm(join(folder, name), { force: true });
  }
}

const smallPackBytes = 2 ** 22;
const mostSmallPacks = 16;

/** Writes the objects of small packs into one where there are many, so that reading stays quick. */
export async function consolidatePacks(gitdir: string, fs: git.PromiseFsClient): Promise<void> {
  const folder = join(gitdir, "objects", "pack");
  const small: string[] = [];
  for (const name of (await readdir(folder)).filter(isIndex)) {
    const { size } = await stat(join(folder, name.replace(/idx$/, "pack")));
    if (size <= smallPackBytes) small.push(name);
  }
  if (small.length <= mostSmallPacks) return;
  const oids = new Set<string>();
  for (const name of small) for (const oid of listOids(await readFile(join(folder, name)))) oids.add(oid);
  const cache = {};
  const { filename } = await git.packObjects({ fs, gitdir, oids: [...oids], write: true, cache });
  await git.indexPack({ fs, dir: gitdir, gitdir, filepath: `objects/pack/${filename}`, cache });
  for (const name of small) {
    if (name === filename.replace(/pack$/, "idx")) continue;
    await rm(join(folder, name));
    await rm(join(folder, name.replace(/idx$/, "pack")));
  }
}
