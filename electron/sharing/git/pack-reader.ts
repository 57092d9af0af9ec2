// Reads single objects out of packfiles by their place (gitformat-pack): what is in memory is the object, what it is the
// difference from, and the index; never the packfile.
import { readdir, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { createBoundedCache } from "../../platform/caches/bounded-cache.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { applyDelta } from "./delta.ts";
import { inflateBounded, mostDeflated, tooLarge, type RawObject } from "./loose-objects.ts";
import { ObjectFault } from "./object-fault.ts";
import { findFile } from "./open-object-file.ts";
import type { ObjectType } from "./object-formats.ts";
import { parsePackIndex, type PackIndex } from "./pack-index.ts";

export interface PackReader {
  /** Undefined where no packfile has the object. Its id is not checked here. @throws ObjectFault */
  read(oid: string, maxBytes: number): Promise<RawObject | undefined>;
  close(): Promise<void>;
}

interface Pack {
  readonly name: string;
  readonly index: PackIndex;
  readonly handle: FileHandle;
  readonly byteLength: number;
}

const mostIndexBytes = 256 << 20;
/** Differences of differences, as many as any version of Git makes of itself. */
const mostDepth = 250;
const cacheBytes = 16 << 20;
const trailerBytes = 20;
const longestHeader = 64;

const plainTypes: Readonly<Record<number, ObjectType>> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };
const offsetDelta = 6;
const nameDelta = 7;

export function createPackReader(gitdir: string): PackReader {
  let opened: Promise<readonly Pack[]> | undefined;
  // Bases are small and many objects share them: manifests, and folders that grow by an entry.
  const cache = createBoundedCache<RawObject>(cacheBytes);
  return {
    async read(oid, maxBytes) {
      opened ??= openPacks(join(gitdir, "objects", "pack"));
      const packs = await opened;
      for (const pack of packs) {
        const offset = pack.index.findOffset(oid);
        if (offset !== undefined) return readAt(pack, offset, maxBytes, cache);
      }
      return undefined;
    },
    async close() {
      const packs = opened;
      opened = undefined;
      cache.clear();
      // Where they could not be opened, whoever read was told, and none is open.
      const [outcome] = await Promise.allSettled([packs]);
      const handles = outcome.status === "fulfilled" ? (outcome.value ?? []) : [];
      for (const { handle } of handles) await handle.close();
    },
  };
}

async function openPacks(folder: string): Promise<readonly Pack[]> {
  const packs: Pack[] = [];
  try {
    for (const name of await listIndices(folder)) {
      const index = parsePackIndex(await readIndex(join(folder, name)));
      const file = join(folder, name.replace(/idx$/, "pack"));
      const handle = await openFile(file);
      packs.push({ name, index, handle, byteLength: (await handle.stat()).size });
    }
    return packs;
  } catch (error) {
    for (const { handle } of packs) await handle.close();
    throw error;
  }
}

async function listIndices(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((file) => file.endsWith(".idx")).sort();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

async function openFile(file: string): Promise<FileHandle> {
  const handle = await findFile(file);
  if (handle) return handle;
  throw new ObjectFault("A packfile of its object store is missing.");
}

async function readIndex(file: string): Promise<Buffer> {
  const handle = await openFile(file);
  try {
    const { size } = await handle.stat();
    if (size > mostIndexBytes) throw new ObjectFault("The index of its packfile is too large.");
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

interface Entry {
  readonly type: number;
  /** Of the object, or of the difference that stands for it. */
  readonly byteLength: number;
  /** Where the deflated bytes are. */
  readonly from: number;
  readonly to: number;
  /** Undefined but for a difference. */
  readonly baseOffset: number | undefined;
}

type Cache = ReturnType<typeof createBoundedCache<RawObject>>;

/** The headers down to the plain object are read first, so that at any time one base and one difference are in memory. */
async function readAt(pack: Pack, offset: number, maxBytes: number, cache: Cache): Promise<RawObject> {
  const chain: { offset: number; entry: Entry }[] = [];
  let base: RawObject | undefined;
  for (let at: number | undefined = offset; at !== undefined && !base;) {
    base = cache.get(`${pack.name} ${at}`);
    if (base) break;
    if (chain.length > mostDepth) throw new ObjectFault("It is a difference of too many differences.");
    const entry = await readEntry(pack, at);
    chain.push({ offset: at, entry });
    at = entry.baseOffset;
  }
  for (const { offset: at, entry } of chain.reverse()) {
    const bytes = await inflateEntry(pack, entry, maxBytes);
    base = base
      ? { type: base.type, content: applyDelta(base.content, bytes, maxBytes) }
      : { type: plainTypes[entry.type]!, content: bytes };
    cache.set(`${pack.name} ${at}`, base, Math.max(base.content.length, cacheBytes >> 12));
  }
  if (base!.content.length > maxBytes) throw tooLarge(maxBytes);
  return base!;
}

async function inflateEntry(
  { handle }: Pack,
  { from, to, byteLength }: Entry,
  maxBytes: number,
): Promise<Buffer> {
  if (byteLength > maxBytes || to - from > mostDeflated(byteLength)) throw tooLarge(maxBytes);
  const bytes = await inflateBounded(await readSpan(handle, from, to), Math.max(byteLength, 1));
  if (bytes.length !== byteLength) throw damaged();
  return bytes;
}

/** The type and the length: 4 bits of it in the first byte, then 7 a byte; then what a difference is from. */
async function readEntry(pack: Pack, offset: number): Promise<Entry> {
  const end = endOf(pack, offset);
  const head = await readSpan(pack.handle, offset, Math.min(offset + longestHeader, end));
  let at = 0;
  const next = (): number => {
    const byte = head[at];
    if (byte === undefined) throw damaged();
    at += 1;
    return byte;
  };
  const first = next();
  const type = (first >> 4) & 7;
  let byteLength = first & 15;
  for (let byte = first, factor = 16; byte & 0x80; factor *= 128) {
    byte = next();
    byteLength += (byte & 0x7f) * factor;
    if (byteLength > Number.MAX_SAFE_INTEGER / 128) throw damaged();
  }
  const baseOffset = readBaseOffset(pack, offset, type, next, (count) => {
    at += count;
    return head.subarray(at - count, at);
  });
  return { type, byteLength, from: offset + at, to: end, baseOffset };
}

function readBaseOffset(
  { index }: Pack,
  offset: number,
  type: number,
  next: () => number,
  take: (count: number) => Buffer,
): number | undefined {
  if (plainTypes[type]) return undefined;
  if (type === nameDelta) {
    const base = index.findOffset(take(20).toString("hex"));
    if (base === undefined || base === offset) throw damaged();
    return base;
  }
  if (type !== offsetDelta) throw damaged();
  let byte = next();
  let distance = byte & 0x7f;
  while (byte & 0x80) {
    byte = next();
    distance = (distance + 1) * 128 + (byte & 0x7f);
    if (distance > Number.MAX_SAFE_INTEGER / 256) throw damaged();
  }
  if (distance === 0 || distance > offset) throw damaged();
  return offset - distance;
}

/** Where the next object begins, or the packfile's own hash. */
function endOf({ index: { offsets }, byteLength }: Pack, offset: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! <= offset) low = middle + 1;
    else high = middle;
  }
  const isKnown = low > 0 && offsets[low - 1] === offset;
  const end = offsets[low] ?? byteLength - trailerBytes;
  if (!isKnown || end <= offset || end > byteLength - trailerBytes) throw damaged();
  return end;
}

async function readSpan(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(to - from);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
  if (bytesRead < bytes.length) throw damaged();
  return bytes;
}

function damaged(): ObjectFault {
  return new ObjectFault("Its packfile is damaged.");
}
