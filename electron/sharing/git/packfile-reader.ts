// Reads single objects from packfiles by their offset (gitformat-pack). In memory are the index, the object and its
// delta bases, never the packfile.
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { createBoundedCache } from "../../platform/caches/bounded-cache.ts";
import {
  findFile,
  inflateBounded,
  listFolder,
  mostDeflated,
  tooLarge,
  type RawObject,
} from "./object-files.ts";
import { ObjectFault } from "./object-formats.ts";
import {
  applyDelta,
  longestEntryHeader,
  packTrailerBytes,
  parseEntryHeader,
  plainTypes,
} from "./packfile-format.ts";
import { parsePackfileIndex, type PackfileIndex } from "./packfile-index.ts";
import { mostDeltaDepth, mostIndexBytes } from "./packfile-limits.ts";

interface Packfile {
  readonly name: string;
  readonly index: PackfileIndex;
  readonly handle: FileHandle;
  readonly byteLength: number;
}

const cacheBytes = 16 << 20;

export function createPackfileReader(gitdir: string) {
  let opened: Promise<readonly Packfile[]> | undefined;
  // Bases are small and shared by many objects: manifests, and folders that grow by one entry.
  const cache = createBoundedCache<RawObject>(cacheBytes);
  return {
    /** Returns undefined if no packfile has the object. Does not check its id. @throws ObjectFault */
    async read(oid: string, maxBytes: number): Promise<RawObject | undefined> {
      opened ??= openPackfiles(join(gitdir, "objects", "pack"));
      for (const packfile of await opened) {
        const offset = packfile.index.findOffset(oid);
        if (offset !== undefined) return readAt(packfile, offset, maxBytes, cache);
      }
      return undefined;
    },
    async close(): Promise<void> {
      const packfiles = opened;
      opened = undefined;
      cache.clear();
      // If they could not be opened, `read` has thrown and none is open.
      const [outcome] = await Promise.allSettled([packfiles]);
      const handles = outcome.status === "fulfilled" ? (outcome.value ?? []) : [];
      for (const { handle } of handles) await handle.close();
    },
  };
}

async function openPackfiles(folder: string): Promise<readonly Packfile[]> {
  const packfiles: Packfile[] = [];
  try {
    for (const name of (await listFolder(folder)).filter((file) => file.endsWith(".idx")).sort()) {
      const index = parsePackfileIndex(await readIndex(join(folder, name)));
      const handle = await openFile(join(folder, name.replace(/idx$/, "pack")));
      packfiles.push({ name, index, handle, byteLength: (await handle.stat()).size });
    }
    return packfiles;
  } catch (error) {
    for (const { handle } of packfiles) await handle.close();
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
  /** Inflated size of the object, or of the delta it is stored as. */
  readonly size: number;
  /** Offset of the zlib stream in the packfile. */
  readonly from: number;
  readonly to: number;
  /** Undefined unless the entry is a delta. */
  readonly baseOffset: number | undefined;
}

type Cache = ReturnType<typeof createBoundedCache<RawObject>>;

/** Reads the headers down to the plain object first, so that one base and one delta are in memory at a time. */
async function readAt(
  packfile: Packfile,
  offset: number,
  maxBytes: number,
  cache: Cache,
): Promise<RawObject> {
  const chain: { offset: number; entry: Entry }[] = [];
  let base: RawObject | undefined;
  for (let at: number | undefined = offset; at !== undefined;) {
    base = cache.get(`${packfile.name} ${at}`);
    if (base) break;
    if (chain.length > mostDeltaDepth) throw new ObjectFault("Its chain of deltas is too long.");
    const entry = await readEntry(packfile, at);
    chain.push({ offset: at, entry });
    at = entry.baseOffset;
  }
  for (const { offset: at, entry } of chain.reverse()) {
    const bytes = await inflateEntry(packfile, entry, maxBytes);
    base = base
      ? { type: base.type, content: applyDelta(base.content, bytes, maxBytes) }
      : { type: plainTypes[entry.type]!, content: bytes };
    cache.set(`${packfile.name} ${at}`, base, Math.max(base.content.length, cacheBytes >> 12));
  }
  if (base!.content.length > maxBytes) throw tooLarge(maxBytes);
  return base!;
}

async function inflateEntry(
  { handle }: Packfile,
  { from, to, size }: Entry,
  maxBytes: number,
): Promise<Buffer> {
  if (size > maxBytes || to - from > mostDeflated(size)) throw tooLarge(maxBytes);
  const bytes = await inflateBounded(await readSpan(handle, from, to), Math.max(size, 1));
  if (bytes.length !== size) throw damaged();
  return bytes;
}

async function readEntry(packfile: Packfile, offset: number): Promise<Entry> {
  const to = endOf(packfile, offset);
  const head = await readSpan(packfile.handle, offset, Math.min(offset + longestEntryHeader, to));
  const header = parseEntryHeader(head);
  if (typeof header === "string") throw damaged();
  const { type, size, base, end } = header;
  const entry = { type, size, from: offset + end, to };
  if (base === undefined) return { ...entry, baseOffset: undefined };
  const baseOffset = typeof base === "number" ? offset - base : packfile.index.findOffset(base);
  if (baseOffset === undefined || baseOffset < 0 || baseOffset === offset) throw damaged();
  return { ...entry, baseOffset };
}

/** Returns where the next object begins, or the packfile's checksum. */
function endOf({ index: { offsets }, byteLength }: Packfile, offset: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! <= offset) low = middle + 1;
    else high = middle;
  }
  const isKnown = low > 0 && offsets[low - 1] === offset;
  const end = offsets[low] ?? byteLength - packTrailerBytes;
  if (!isKnown || end <= offset || end > byteLength - packTrailerBytes) throw damaged();
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
