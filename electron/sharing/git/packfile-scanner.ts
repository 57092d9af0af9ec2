// Checks a packfile (gitformat-pack) as it streams by: entry headers, zlib streams, and the result sizes of deltas.
// Bytes are passed on only after they are checked, the trailing checksum last, so Git never resolves a refused
// packfile. The content of objects is Git's to check.
import { setImmediate } from "node:timers/promises";
import { ByteWindow } from "./byte-window.ts";
import {
  longestEntryHeader,
  packTrailerBytes,
  parseDeltaHeader,
  parseEntryHeader,
  plainTypes,
  type EntryHeader,
} from "./packfile-format.ts";
import { inflateEntry } from "./packfile-inflate.ts";
import { packFaults, PackRefused, type PackfileLimits } from "./packfile-limits.ts";

/** Objects that are read before other work of the process runs. */
const objectsPerTurn = 16;

/**
 * Yields the bytes of `source` in order; a piece is valid until the next is requested. Takes ownership of the source's
 * pieces and frees their memory early. Memory stays at a few megabytes for a packfile of any size.
 * @throws PackRefused as soon as the packfile proves damaged or too large
 */
export async function* scanPackfile(
  source: AsyncIterable<Buffer>,
  limits: PackfileLimits,
): AsyncGenerator<Buffer> {
  const window = new ByteWindow(source, limits.maxPackBytes);
  const count = await readHeader(window, limits);
  let spent = 0;
  const spend = (byteLength: number): void => {
    spent += byteLength;
    if (spent <= limits.allowanceBytes + limits.maxRatio * window.receivedBytes) return;
    throw new PackRefused("pack would unpack to far more than it may");
  };
  for (let index = 0; index < count; index += 1) {
    const { type, size } = await readEntryHeader(window);
    const isDelta = plainTypes[type] === undefined;
    if (size > (isDelta ? limits.maxDeltaResultBytes : limits.maxObjectBytes))
      throw new PackRefused(packFaults.tooLarge);
    for await (const { byteLength, head } of inflateEntry(window, size)) {
      spend(byteLength);
      if (head !== undefined && isDelta) spend(readResultSize(head, limits));
      yield* window.passed();
    }
    if (index % objectsPerTurn === 0) await setImmediate();
    yield* window.passed();
  }
  if (!(await window.require(packTrailerBytes))) throw new PackRefused(packFaults.cut);
  if (await window.require(packTrailerBytes + 1)) throw new PackRefused("pack has junk at its end");
  window.advance(packTrailerBytes);
  yield* window.passed();
}

/** Returns the number of objects. */
async function readHeader(window: ByteWindow, { maxObjects }: PackfileLimits): Promise<number> {
  if (!(await window.require(12))) throw new PackRefused(packFaults.cut);
  const header = window.available;
  const version = header.readUInt32BE(4);
  if (header.toString("latin1", 0, 4) !== "PACK" || (version !== 2 && version !== 3)) {
    throw new PackRefused("what was sent is not a pack");
  }
  const count = header.readUInt32BE(8);
  if (count > maxObjects) throw new PackRefused(`pack names more than ${maxObjects} objects`);
  window.advance(12);
  return count;
}

async function readEntryHeader(window: ByteWindow): Promise<EntryHeader> {
  await window.require(longestEntryHeader);
  const header = parseEntryHeader(window.available);
  if (header === "cut") throw new PackRefused(packFaults.cut);
  if (header === "damaged") throw new PackRefused(packFaults.damaged);
  window.advance(header.end);
  return header;
}

function readResultSize(head: Buffer, limits: PackfileLimits): number {
  const delta = parseDeltaHeader(head);
  if (!delta) throw new PackRefused(packFaults.damaged);
  const { baseSize, resultSize } = delta;
  if (baseSize > limits.maxObjectBytes || resultSize > limits.maxDeltaResultBytes)
    throw new PackRefused(packFaults.tooLarge);
  return resultSize;
}
