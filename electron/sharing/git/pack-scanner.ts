// Reads a pack (gitformat-pack) as it streams by, without keeping it: object headers, each zlib stream to its end, result
// sizes out of the heads of deltas. Bytes are passed on only once they were looked at, the trailing checksum last of all, so
// that Git cannot begin to resolve a pack that is refused. What the objects say is Git's to judge.
import { setImmediate } from "node:timers/promises";
import { inflateEntry, type Inflated } from "./pack-inflate.ts";
import { PackRefused, type PackLimits } from "./packfile-limits.ts";
import { ByteWindow } from "./byte-window.ts";

const trailerBytes = 20;
/** So many objects are read before other work of the process gets its turn. */
const objectsPerTurn = 16;

const deltaTypes: ReadonlySet<number> = new Set([6, 7]);

/**
 * Yields the bytes of `source` in order; a piece is good until the next one is asked for. The pieces of `source` become the
 * scanner's own, as memory is given back early. Memory stays at a few megabytes, however large the pack.
 * @throws PackRefused as soon as the pack is known to be damaged, too large, or to unpack to too much
 */
export async function* scanPack(source: AsyncIterable<Buffer>, limits: PackLimits): AsyncGenerator<Buffer> {
  const window = new ByteWindow(source, limits.maxPackBytes);
  const count = await readHeader(window, limits);
  const budget = createBudget(window, limits);
  for (let index = 0; index < count; index += 1) {
    const entry = await readEntryHeader(window);
    const isDelta = deltaTypes.has(entry.type);
    if (!isDelta && entry.size > limits.maxObjectBytes) throw tooLarge();
    if (isDelta && entry.size > limits.maxDeltaResultBytes) throw tooLarge();
    for await (const piece of inflateEntry(window, entry.size)) {
      budget.spend(piece.byteLength);
      if (piece.head !== undefined && isDelta) checkDelta(piece, limits, budget);
      yield* window.passed();
    }
    if (index % objectsPerTurn === 0) await setImmediate();
    yield* window.passed();
  }
  await readTrailer(window);
  yield* window.passed();
}

async function readHeader(window: ByteWindow, limits: PackLimits): Promise<number> {
  if (!(await window.require(12))) throw cut();
  const version = window.uint32(4);
  if (window.uint32(0) !== 0x5041434b || (version !== 2 && version !== 3)) {
    throw new PackRefused("what was sent is not a pack");
  }
  const count = window.uint32(8);
  if (count > limits.maxObjects) throw new PackRefused(`pack names more than ${limits.maxObjects} objects`);
  window.advance(12);
  return count;
}

/** Type and size; the base of a delta is stepped over. */
async function readEntryHeader(
  window: ByteWindow,
): Promise<{ readonly type: number; readonly size: number }> {
  let byte = await readByte(window);
  const type = (byte >> 4) & 7;
  if (type === 0 || type === 5) throw damaged();
  let size = byte & 15;
  for (let scale = 16; byte >= 128; scale *= 128) {
    byte = await readByte(window);
    size += (byte & 127) * scale;
    if (size > Number.MAX_SAFE_INTEGER) throw tooLarge();
  }
  if (type === 7) {
    if (!(await window.require(20))) throw cut();
    window.advance(20);
  }
  if (type === 6) {
    let length = 1;
    while ((await readByte(window)) >= 128) if ((length += 1) > 10) throw damaged();
  }
  return { type, size };
}

async function readByte(window: ByteWindow): Promise<number> {
  if (!(await window.require(1))) throw cut();
  const byte = window.byte(0);
  window.advance(1);
  return byte;
}

async function readTrailer(window: ByteWindow): Promise<void> {
  if (!(await window.require(trailerBytes))) throw cut();
  if (await window.require(trailerBytes + 1)) throw new PackRefused("pack has junk at its end");
  window.advance(trailerBytes);
}

interface Budget {
  spend(byteLength: number): void;
}

function createBudget(window: ByteWindow, limits: PackLimits): Budget {
  let spent = 0;
  return {
    spend(byteLength) {
      spent += byteLength;
      if (spent > limits.allowanceBytes + limits.maxRatio * window.receivedBytes) {
        throw new PackRefused("pack would unpack to far more than it may");
      }
    },
  };
}

function checkDelta({ head }: Inflated, limits: PackLimits, budget: Budget): void {
  const source = readDeltaSize(head!, 0);
  const result = readDeltaSize(head!, source.end);
  if (source.size > limits.maxObjectBytes || result.size > limits.maxDeltaResultBytes) throw tooLarge();
  budget.spend(result.size);
}

/** A size in the head of a delta: seven bits a byte, the lowest first. */
function readDeltaSize(head: Buffer, offset: number): { readonly size: number; readonly end: number } {
  let size = 0;
  let scale = 1;
  for (let end = offset; end < head.length && end < offset + 10; end += 1, scale *= 128) {
    const byte = head[end]!;
    size += (byte & 127) * scale;
    if (byte < 128) return { size, end: end + 1 };
  }
  throw damaged();
}

function cut(): PackRefused {
  return new PackRefused("pack ends before its last object");
}

function damaged(): PackRefused {
  return new PackRefused("pack is damaged");
}

function tooLarge(): PackRefused {
  return new PackRefused("pack holds an object that is larger than an object may be");
}
