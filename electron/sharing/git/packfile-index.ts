// The index of a packfile, version 2 (gitformat-pack, "Version 2 pack-*.idx files"): where in the packfile each object
// begins.
import { ObjectFault } from "./object-formats.ts";

const magic = 0xff744f63;
const fanoutAt = 8;
const oidsAt = fanoutAt + 256 * 4;
const oidBytes = 20;
const trailerBytes = 2 * oidBytes;

export interface PackfileIndex {
  /** Returns bytes from the start of the packfile, or undefined if the object is not in it. */
  findOffset(oid: string): number | undefined;
  /** Start of each object, ascending. */
  readonly offsets: Float64Array;
  listOids(): readonly string[];
}

/** @throws ObjectFault */
export function parsePackfileIndex(bytes: Buffer): PackfileIndex {
  const isKnown = bytes.length >= oidsAt + trailerBytes && bytes.readUInt32BE(0) === magic;
  if (!isKnown || bytes.readUInt32BE(4) !== 2) throw damaged();
  const count = bytes.readUInt32BE(oidsAt - 4);
  const offsetsAt = oidsAt + count * (oidBytes + 4);
  const largeAt = offsetsAt + count * 4;
  const largeCount = (bytes.length - trailerBytes - largeAt) / 8;
  if (!Number.isInteger(largeCount) || largeCount < 0 || largeCount > count) throw damaged();
  const offsetOf = (index: number): number => {
    const offset = bytes.readUInt32BE(offsetsAt + index * 4);
    if (offset < 2 ** 31) return offset;
    const large = offset - 2 ** 31;
    if (large >= largeCount) throw damaged();
    return Number(bytes.readBigUInt64BE(largeAt + large * 8));
  };
  const offsets = Float64Array.from({ length: count }, (_, index) => offsetOf(index)).sort();
  return {
    offsets,
    findOffset(oid) {
      const name = Buffer.from(oid, "hex");
      const first = name[0]!;
      let low = first === 0 ? 0 : bytes.readUInt32BE(fanoutAt + (first - 1) * 4);
      let high = bytes.readUInt32BE(fanoutAt + first * 4) - 1;
      if (high >= count) throw damaged();
      while (low <= high) {
        const middle = (low + high) >> 1;
        const at = oidsAt + middle * oidBytes;
        const order = bytes.compare(name, 0, oidBytes, at, at + oidBytes);
        if (order === 0) return offsetOf(middle);
        if (order < 0) low = middle + 1;
        else high = middle - 1;
      }
      return undefined;
    },
    listOids: () =>
      Array.from({ length: count }, (_, index) => {
        const at = oidsAt + index * oidBytes;
        return bytes.toString("hex", at, at + oidBytes);
      }),
  };
}

function damaged(): ObjectFault {
  return new ObjectFault("The index of its packfile is damaged.");
}
