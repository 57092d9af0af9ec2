// The packs of a bare repository that is filled from elsewhere. A pack gets its name when it is whole, on disk and complete:
// everything that its objects refer to is in it or was here before. So what is held never lacks a part, whenever a transfer
// is cut off, and leftovers of one are in nobody's way.
import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../disk/sync-folder.ts";
import { parseCommit, parseTree, type ObjectType } from "../objects/object-formats.ts";
import { framePack, packHeaderBytes } from "./pack-frame.ts";
import { decodePackIndex, encodePackIndex } from "./pack-index.ts";
import { readReceivedPack, type PackedObject } from "./received-pack.ts";
import { notGit } from "./remote-error.ts";

export interface PackStore {
  has(oid: string): boolean;
  /**
   * Takes a pack in. Returns how many objects it has.
   * @throws AppError `upstream-unavailable` for a pack that is damaged or not complete; nothing of it is kept
   */
  add(pack: Buffer, signal: AbortSignal): Promise<number>;
  /** Joins small packs where there are many, so that reading stays quick. */
  consolidate(): Promise<void>;
}

/** Of the caller's lock: nobody else writes to the repository meanwhile. */
export async function openPackStore(gitdir: string): Promise<PackStore> {
  const folder = join(gitdir, "objects", "pack");
  await mkdir(folder, { recursive: true });
  await clearLeftovers(folder);
  const held = await listHeld(gitdir, folder);
  return {
    has: (oid) => held.has(oid),
    async add(pack, signal) {
      const { objects, needed } = await readWhole(pack, signal);
      const inPack = new Set(objects.map(({ oid }) => oid));
      for (const oid of needed) {
        if (!inPack.has(oid) && !held.has(oid)) throw notGit("its pack lacks objects that it refers to");
      }
      if (objects.length > 0) await writePack(folder, [pack], objects, pack.subarray(-20));
      for (const oid of inPack) held.add(oid);
      return objects.length;
    },
    consolidate: () => joinSmallPacks(folder),
  };
}

/** Unique objects of a pack, and what they refer to. */
async function readWhole(
  pack: Buffer,
  signal: AbortSignal,
): Promise<{ readonly objects: readonly PackedObject[]; readonly needed: ReadonlySet<string> }> {
  const needed = new Set<string>();
  const onObject = (_oid: string, type: ObjectType, content: Buffer): void => {
    for (const oid of referencesOf(type, content)) needed.add(oid);
  };
  const all = await readReceivedPack(pack, onObject, { signal });
  const objects = new Map(all.map((object) => [object.oid, object]));
  if (objects.size !== all.length) throw notGit("its pack has an object twice");
  return { objects: [...objects.values()], needed };
}

/** A link to a commit of another repository (a submodule) refers to nothing here; a pack of ours refuses it later. */
const submoduleMode = "160000";

function referencesOf(type: ObjectType, content: Buffer): readonly string[] {
  try {
    switch (type) {
      case "blob":
        return [];
      case "tree":
        return parseTree(content).flatMap(({ mode, oid }) => (mode === submoduleMode ? [] : [oid]));
      case "commit": {
        const { tree, parents } = parseCommit(content);
        return [tree, ...parents];
      }
      case "tag": {
        const oid = /^object ([0-9a-f]{40})\n/.exec(content.toString("latin1", 0, 48))?.[1];
        return oid === undefined ? [] : [oid];
      }
    }
  } catch (error) {
    throw notGit("an object in its pack is damaged", error);
  }
}

/** The index comes last: without it, a pack is a leftover. */
async function writePack(
  folder: string,
  pieces: readonly Uint8Array[],
  objects: readonly PackedObject[],
  packSha1: Uint8Array,
): Promise<string> {
  const name = `pack-${Buffer.from(packSha1).toString("hex")}`;
  const staged = join(folder, `tmp_${randomUUID()}`);
  await writeSynced(`${staged}.pack`, pieces);
  await writeSynced(`${staged}.idx`, [encodePackIndex(objects, packSha1)]);
  await rename(`${staged}.pack`, join(folder, `${name}.pack`));
  await rename(`${staged}.idx`, join(folder, `${name}.idx`));
  await syncFolder(folder);
  return name;
}

async function writeSynced(file: string, pieces: readonly Uint8Array[]): Promise<void> {
  const handle = await open(file, "wx");
  try {
    for (const piece of pieces) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What a transfer left that was cut off: staged files, and packs without an index. */
async function clearLeftovers(folder: string): Promise<void> {
  const names = new Set(await readdir(folder));
  for (const name of names) {
    const isStaged = name.startsWith("tmp_");
    const isBare = /^pack-[0-9a-f]{40}\.pack$/.test(name) && !names.has(name.replace(/pack$/, "idx"));
    if (isStaged || isBare) await rm(join(folder, name), { force: true });
  }
}

/** Every object that is here, loose or packed. */
async function listHeld(gitdir: string, folder: string): Promise<Set<string>> {
  const held = new Set<string>();
  for (const name of await readdir(folder)) {
    if (!/^pack-[0-9a-f]{40}\.idx$/.test(name)) continue;
    const index = decodePackIndex(await readFile(join(folder, name)));
    for (const { oid } of index?.objects ?? []) held.add(oid);
  }
  for (const prefix of await readdir(join(gitdir, "objects"))) {
    if (!/^[0-9a-f]{2}$/.test(prefix)) continue;
    for (const rest of await readdir(join(gitdir, "objects", prefix))) {
      if (/^[0-9a-f]{38}$/.test(rest)) held.add(prefix + rest);
    }
  }
  return held;
}

const smallPackBytes = 2 ** 22;
const mostSmallPacks = 16;
const joinedPackBytes = 2 ** 26;

/**
 * One pack of many: their entries one after another, as they are. Distances within each pack stay what they were, so that no
 * object has to be made anew.
 */
async function joinSmallPacks(folder: string): Promise<void> {
  const small: { readonly name: string; readonly byteLength: number }[] = [];
  for (const name of await readdir(folder)) {
    if (!/^pack-[0-9a-f]{40}\.pack$/.test(name)) continue;
    const { size } = await stat(join(folder, name));
    if (size <= smallPackBytes) small.push({ name: name.replace(/\.pack$/, ""), byteLength: size });
  }
  if (small.length <= mostSmallPacks) return;
  const { pieces, objects, joined } = await gatherEntries(folder, small);
  if (joined.length < 2) return;
  const kept = await writeJoined(folder, pieces, objects);
  for (const name of joined.filter((other) => other !== kept)) {
    await rm(join(folder, `${name}.idx`));
    await rm(join(folder, `${name}.pack`));
  }
}

async function gatherEntries(
  folder: string,
  packs: readonly { readonly name: string; readonly byteLength: number }[],
): Promise<{ pieces: Buffer[]; objects: PackedObject[]; joined: string[] }> {
  const pieces: Buffer[] = [];
  const objects: PackedObject[] = [];
  const joined: string[] = [];
  const seen = new Set<string>();
  let at = packHeaderBytes;
  for (const { name, byteLength } of packs) {
    if (at + byteLength > joinedPackBytes) break;
    const index = decodePackIndex(await readFile(join(folder, `${name}.idx`)));
    // An object that is twice in a pack is against its format.
    if (!index || index.objects.some(({ oid }) => seen.has(oid))) continue;
    const pack = await readFile(join(folder, `${name}.pack`));
    const body = pack.subarray(packHeaderBytes, -20);
    pieces.push(body);
    joined.push(name);
    for (const object of index.objects) {
      seen.add(object.oid);
      objects.push({ ...object, offset: object.offset - packHeaderBytes + at });
    }
    at += body.length;
  }
  return { pieces, objects, joined };
}

async function writeJoined(
  folder: string,
  pieces: readonly Buffer[],
  objects: readonly PackedObject[],
): Promise<string> {
  const framed = framePack(pieces, objects.length);
  return writePack(folder, framed, objects, framed.at(-1)!);
}
