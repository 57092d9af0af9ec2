// A pack as it came from elsewhere (gitformat-pack, version 2): every object is inflated within bounds, its deltas are resolved
// and its id is computed, before anything of it is believed. The pack is whole in memory, what it inflates to is not.
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { crc32, inflateSync } from "node:zlib";
import { applyDelta } from "../objects/delta.ts";
import { isObjectFault } from "../objects/object-fault.ts";
import { oidOf, type ObjectType } from "../objects/object-formats.ts";
import { notGit } from "./remote-error.ts";

export interface PackLimits {
  readonly maxObjects: number;
  readonly maxObjectBytes: number;
  /** Of all objects together, inflated. */
  readonly maxInflatedBytes: number;
}

export const usualPackLimits: PackLimits = {
  maxObjects: 1_000_000,
  maxObjectBytes: 2 ** 26,
  maxInflatedBytes: 2 ** 32,
};

export interface PackedObject {
  readonly oid: string;
  /** Of its entry in the pack. */
  readonly offset: number;
  readonly crc: number;
}

/** Called once an object, in no order that means anything. `content` is not kept. */
export type OnObject = (oid: string, type: ObjectType, content: Buffer) => void;

interface Entry {
  readonly offset: number;
  /** Where the deflated bytes begin. */
  readonly dataAt: number;
  readonly size: number;
  readonly kind: ObjectType | "offset-delta" | "reference-delta";
  readonly baseOffset?: number;
  readonly baseOid?: string;
}

interface Resolved {
  readonly type: ObjectType;
  readonly content: Buffer;
}

/** Bytes of inflated objects that deltas may need again. */
const cachedBytes = 2 ** 25;
/** Work between two looks at what else waits. */
const stretchBytes = 2 ** 23;
/** As many as are read back later; Git makes 50 of itself. */
const deepestDelta = 250;

/**
 * Reads a whole pack; its entries in their order.
 * @throws AppError `upstream-unavailable` for a pack that is damaged, needs what it does not have, or is beyond a bound
 */
export async function readReceivedPack(
  pack: Buffer,
  onObject: OnObject,
  { limits = usualPackLimits, signal }: { readonly limits?: PackLimits; readonly signal: AbortSignal },
): Promise<readonly PackedObject[]> {
  const count = checkFrame(pack, limits);
  const reader = new EntryReader(pack, limits);
  const objects: PackedObject[] = [];
  const waiting: Entry[] = [];
  const finish = (entry: Entry): boolean => {
    const resolved = reader.resolve(entry);
    if (!resolved) return false;
    const oid = oidOf(resolved.type, resolved.content);
    reader.name(oid, entry);
    onObject(oid, resolved.type, resolved.content);
    objects.push({ oid, offset: entry.offset, crc: reader.crcOf(entry) });
    return true;
  };
  let at = 12;
  let restedAt = 0;
  for (let index = 0; index < count; index++) {
    const entry = reader.parse(at);
    at = reader.endOf(entry);
    if (!finish(entry)) waiting.push(entry);
    if (reader.inflatedBytes - restedAt > stretchBytes) {
      restedAt = reader.inflatedBytes;
      await setImmediate();
      signal.throwIfAborted();
    }
  }
  if (at !== pack.length - 20) throw notGit("its pack has bytes of no object");
  finishWaiting(waiting, finish);
  return objects;
}

/** Deltas whose base is named, and stands behind them. */
function finishWaiting(waiting: readonly Entry[], finish: (entry: Entry) => boolean): void {
  for (let left = waiting; left.length > 0;) {
    const still = left.filter((entry) => !finish(entry));
    if (still.length === left.length) throw notGit("its pack needs objects that it does not have");
    left = still;
  }
}

/** The count of objects. */
function checkFrame(pack: Buffer, { maxObjects }: PackLimits): number {
  if (pack.length < 32 || pack.toString("latin1", 0, 4) !== "PACK") throw notGit("what it sends is no pack");
  if (pack.readUInt32BE(4) !== 2) throw notGit("its pack is of another version");
  const count = pack.readUInt32BE(8);
  if (count > maxObjects) throw notGit(`its pack has more than ${maxObjects} objects`);
  const end = pack.length - 20;
  if (!createHash("sha1").update(pack.subarray(0, end)).digest().equals(pack.subarray(end))) {
    throw notGit("its pack is damaged");
  }
  return count;
}

class EntryReader {
  inflatedBytes = 0;
  readonly #pack: Buffer;
  readonly #limits: PackLimits;
  readonly #entries = new Map<number, Entry>();
  readonly #ends = new Map<number, number>();
  readonly #offsets = new Map<string, number>();
  readonly #cache = new Map<number, Resolved>();
  #cacheBytes = 0;

  constructor(pack: Buffer, limits: PackLimits) {
    this.#pack = pack;
    this.#limits = limits;
  }

  parse(offset: number): Entry {
    const cursor = { at: offset };
    let byte = this.#byte(cursor);
    const code = (byte >> 4) & 7;
    let size = byte & 15;
    for (let scale = 16; byte >= 0x80; scale *= 128) {
      byte = this.#byte(cursor);
      size += (byte & 0x7f) * scale;
      if (size > this.#limits.maxObjectBytes) throw notGit("an object in its pack is too large");
    }
    const kind = entryKinds[code];
    if (kind === undefined) throw notGit("an object in its pack is of no kind");
    const base = this.#parseBase(kind, offset, cursor);
    const entry: Entry = { offset, dataAt: cursor.at, size, kind, ...base };
    this.#entries.set(offset, entry);
    return entry;
  }

  /** Where the next entry begins. The entry is inflated for it, and remembered for `resolve`. */
  endOf(entry: Entry): number {
    this.#inflate(entry);
    return this.#ends.get(entry.offset)!;
  }

  crcOf({ offset }: Entry): number {
    return crc32(this.#pack.subarray(offset, this.#ends.get(offset)));
  }

  name(oid: string, { offset }: Entry): void {
    if (!this.#offsets.has(oid)) this.#offsets.set(oid, offset);
  }

  /** Undefined while the base of a delta has no id yet. */
  resolve(entry: Entry): Resolved | undefined {
    // From the entry down to what is whole, then up again.
    const chain: Entry[] = [];
    let resolved: Resolved | undefined;
    for (let at = entry; ;) {
      resolved = this.#cache.get(at.offset);
      if (resolved) break;
      if (at.kind !== "offset-delta" && at.kind !== "reference-delta") {
        resolved = { type: at.kind, content: this.#inflate(at) };
        this.#keep(at.offset, resolved);
        break;
      }
      if (chain.push(at) > deepestDelta) throw notGit("its pack has differences of differences without end");
      const baseOffset = at.baseOffset ?? this.#offsets.get(at.baseOid!);
      if (baseOffset === undefined) return undefined;
      const base = this.#entries.get(baseOffset);
      if (!base) throw notGit("a difference in its pack has no base");
      at = base;
    }
    for (const delta of chain.reverse()) {
      const content = this.#apply(resolved.content, this.#inflate(delta));
      this.#count(content.length);
      resolved = { type: resolved.type, content };
      this.#keep(delta.offset, resolved);
    }
    return resolved;
  }

  #apply(base: Buffer, delta: Buffer): Buffer {
    try {
      return applyDelta(base, delta, this.#limits.maxObjectBytes);
    } catch (error) {
      if (isObjectFault(error)) throw notGit("a difference in its pack does not fit", error);
      throw error;
    }
  }

  #parseBase(kind: Entry["kind"], offset: number, cursor: { at: number }): Partial<Entry> {
    if (kind === "reference-delta") {
      const baseOid = this.#pack.toString("hex", cursor.at, cursor.at + 20);
      cursor.at += 20;
      return { baseOid };
    }
    if (kind !== "offset-delta") return {};
    let byte = this.#byte(cursor);
    let distance = byte & 0x7f;
    while (byte >= 0x80) {
      byte = this.#byte(cursor);
      distance = (distance + 1) * 128 + (byte & 0x7f);
      if (distance > this.#pack.length) throw notGit("a difference in its pack has no base");
    }
    if (distance === 0) throw notGit("a difference in its pack has no base");
    return { baseOffset: offset - distance };
  }

  #lastInflated: { readonly offset: number; readonly bytes: Buffer } | undefined;

  #inflate({ offset, dataAt, size }: Entry): Buffer {
    if (this.#lastInflated?.offset === offset) return this.#lastInflated.bytes;
    const { bytes, consumed } = inflateEntry(this.#pack.subarray(dataAt, this.#pack.length - 20), size);
    this.#count(size);
    this.#ends.set(offset, dataAt + consumed);
    this.#lastInflated = { offset, bytes };
    return bytes;
  }

  #count(byteLength: number): void {
    this.inflatedBytes += byteLength;
    if (this.inflatedBytes > this.#limits.maxInflatedBytes) throw notGit("its pack grows beyond all bounds");
  }

  #keep(offset: number, resolved: Resolved): void {
    if (resolved.content.length > cachedBytes / 4) return;
    this.#cache.set(offset, resolved);
    this.#cacheBytes += resolved.content.length;
    for (const [oldest, { content }] of this.#cache) {
      if (this.#cacheBytes <= cachedBytes) break;
      this.#cache.delete(oldest);
      this.#cacheBytes -= content.length;
    }
  }

  #byte(cursor: { at: number }): number {
    const byte = cursor.at < this.#pack.length - 20 ? this.#pack[cursor.at] : undefined;
    if (byte === undefined) throw notGit("its pack is cut off");
    cursor.at++;
    return byte;
  }
}

const entryKinds: Readonly<Record<number, Entry["kind"]>> = {
  1: "commit",
  2: "tree",
  3: "blob",
  4: "tag",
  6: "offset-delta",
  7: "reference-delta",
};

/** What `info: true` makes of the answer, which the types do not say. */
interface InflatedWithEngine {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function inflateEntry(bytes: Buffer, size: number): { readonly bytes: Buffer; readonly consumed: number } {
  let inflated: InflatedWithEngine;
  try {
    const options = { info: true, maxOutputLength: Math.max(size, 1), chunkSize: Math.max(64, size + 1) };
    inflated = inflateSync(bytes, options) as unknown as InflatedWithEngine;
  } catch (error) {
    throw notGit("an object in its pack cannot be inflated", error);
  }
  if (inflated.buffer.length !== size) throw notGit("an object in its pack has another length than it says");
  return { bytes: inflated.buffer, consumed: inflated.engine.bytesWritten };
}
