// Unpacks data templates 7.2 and 7.3 of GRIB2: complex packing, with missing values and spatial differencing.
import { readBits, unpackBits } from "./bits.ts";
import { parseGroupLayout, readGroup, visitGroups } from "./complex-groups.ts";
import type { Group, GroupLayout } from "./complex-groups.ts";
import type { Codes, PackedValues } from "./field.ts";
import { Grib2Error } from "./grib2-error.ts";
import type { Message } from "./message.ts";

const MAX_CODE = 0xffffffff;

/** Checks the groups and returns their values. @throws Grib2Error if groups or lengths are inconsistent */
export function openComplex(message: Message): PackedValues {
  const layout = parseGroupLayout(message);
  if (layout.groupCount === 0) {
    if (message.data.length > 0)
      throw new Grib2Error("section 7 has data, but no groups", message.dataOffset, 7);
    return { bits: 0, hasMissing: false, read: (codes) => void codes.fill(0) };
  }
  const bits = checkGroups(message, layout);
  const readGroups = createGroupReader(message, layout);
  const undoDifferences = layout.order > 0 ? createSummation(message, layout) : undefined;
  return {
    bits,
    hasMissing: layout.missingKinds > 0,
    read: (codes, missing) => {
      missing?.fill(0);
      readGroups(codes, missing);
      undoDifferences?.(codes, missing);
    },
  };
}

/** Returns a reader that continues within a group where the last call ended. */
function createGroupReader(message: Message, layout: GroupLayout): PackedValues["read"] {
  const { data } = message;
  let index = 0;
  let group = readGroup(message, layout, index);
  let used = 0;
  let bit = layout.valuesAt;
  return (codes, missing) => {
    for (let at = 0; at < codes.length;) {
      if (used === group.length) {
        group = readGroup(message, layout, ++index);
        used = 0;
      }
      const { reference, width, length } = group;
      const count = Math.min(length - used, codes.length - at);
      if (width === 0) codes.fill(reference, at, at + count);
      else unpackBits({ bytes: data, at: bit, width, count }, codes, at, reference);
      if (missing)
        markMissing(layout, group, codes.subarray(at, at + count), missing.subarray(at, at + count));
      bit += width * count;
      used += count;
      at += count;
    }
  };
}

/**
 * Checks the lengths and widths of all groups before anything is allocated.
 * @returns the bits of a code; 32 with differences, whose sums are not known yet
 */
function checkGroups(message: Message, layout: GroupLayout): number {
  const { dataOffset, data, valueCount } = message;
  let values = 0;
  let bits = 0;
  let greatest = 0;
  visitGroups(message, layout, ({ reference, width, length }) => {
    values += length;
    bits += width * length;
    greatest = Math.max(greatest, reference + 2 ** width - 1);
  });
  if (values !== valueCount) {
    const text = `the groups hold ${values} values, but section 5 announces ${valueCount}`;
    throw new Grib2Error(text, dataOffset + (layout.lengthsAt >>> 3), 7);
  }
  const needed = Math.ceil((layout.valuesAt + bits) / 8);
  // Some encoders leave room at the end.
  if (needed > data.length) {
    throw new Grib2Error(`the groups need ${needed} bytes, but section 7 has ${data.length}`, dataOffset, 7);
  }
  if (greatest > MAX_CODE)
    throw new Grib2Error(`codes up to ${greatest} need more than 32 bits`, dataOffset, 7);
  if (layout.order > 0) return 32;
  return greatest > 0xffff ? 32 : greatest > 0xff ? 16 : 8;
}

/** Marks the codes of a group that stand for "no value": the greatest codes of its width, or of its reference's. */
function markMissing(layout: GroupLayout, group: Group, codes: Codes, missing: Uint8Array): void {
  const { reference, width } = group;
  const base = width === 0 ? 0 : reference;
  const lowest = base + 2 ** (width === 0 ? layout.referenceBits : width) - layout.missingKinds;
  for (let index = 0; index < codes.length; index++) {
    if (codes[index]! < lowest) continue;
    codes[index] = 0;
    missing[index] = 1;
  }
}

/** Sums up first or second order differences over the existing values (regulation 92.9.4, note on template 7.3). */
function createSummation({ data, dataOffset }: Message, layout: GroupLayout): PackedValues["read"] {
  const { order } = layout;
  const extraBits = layout.extraOctets * 8;
  const initial = [readBits(data, 0, extraBits), order === 2 ? readBits(data, extraBits, extraBits) : 0];
  const leastAt = order * extraBits;
  const magnitude = readBits(data, leastAt + 1, Math.max(0, extraBits - 1));
  const least = extraBits > 0 && readBits(data, leastAt, 1) === 1 ? -magnitude : magnitude;
  let before = 0;
  let seen = 0;
  let last = 0;
  let beforeLast = 0;
  return (codes, missing) => {
    for (let index = 0; index < codes.length; index++) {
      if (missing?.[index] === 1) continue;
      const predicted = order === 1 ? last : 2 * last - beforeLast;
      const value = seen < order ? initial[seen]! : codes[index]! + least + predicted;
      if (value < 0 || value > MAX_CODE) {
        const text = `the differences add up to ${value} at value ${before + index}, which is not a code`;
        throw new Grib2Error(text, dataOffset, 7);
      }
      codes[index] = value;
      beforeLast = last;
      last = value;
      seen++;
    }
    before += codes.length;
  };
}
