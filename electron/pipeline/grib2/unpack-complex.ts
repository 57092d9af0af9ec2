// Unpacks data templates 7.2 and 7.3 of GRIB2: complex packing, with missing values and spatial differencing.
import { createCodes, readBits, unpackBits } from "./bits.ts";
import { parseGroupLayout, visitGroups } from "./complex-groups.ts";
import type { Group, GroupLayout } from "./complex-groups.ts";
import type { Codes } from "./field.ts";
import { Grib2Error } from "./grib2-error.ts";
import type { Message } from "./message.ts";

export interface Unpacked {
  /** One code for each packed value, in scanning order; 0 for no value. */
  readonly codes: Codes;
  /** 1 for each code that stands for "no value"; undefined if the packing has no such codes. */
  readonly missing: Uint8Array | undefined;
}

const MAX_CODE = 0xffffffff;

/** Unpacks the groups. @throws Grib2Error if groups, lengths or sums are inconsistent */
export function unpackComplex(message: Message): Unpacked {
  const layout = parseGroupLayout(message);
  const { valueCount } = message;
  if (layout.groupCount === 0) {
    if (message.data.length > 0)
      throw new Grib2Error("section 7 has data, but no groups", message.dataOffset, 7);
    return { codes: createCodes(0, valueCount), missing: undefined };
  }
  const codes = createCodes(checkGroups(message, layout), valueCount);
  const missing = layout.missingKinds > 0 ? new Uint8Array(valueCount) : undefined;
  const { data } = message;
  let bit = layout.valuesAt;
  let at = 0;
  visitGroups(message, layout, (group) => {
    const { reference, width, length } = group;
    if (width === 0) codes.fill(reference, at, at + length);
    else unpackBits({ bytes: data, at: bit, width, count: length }, codes, at, reference);
    if (missing) markMissing(layout, group, codes, missing, at);
    bit += width * length;
    at += length;
  });
  if (layout.order > 0) undoDifferences(message, layout, codes, missing);
  return { codes, missing };
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

/** Marks the codes of one group that stand for "no value": the greatest codes of its width, or of its reference's. */
function markMissing(layout: GroupLayout, group: Group, codes: Codes, missing: Uint8Array, at: number): void {
  const { reference, width, length } = group;
  const base = width === 0 ? 0 : reference;
  const lowest = base + 2 ** (width === 0 ? layout.referenceBits : width) - layout.missingKinds;
  for (let index = at; index < at + length; index++) {
    if (codes[index]! < lowest) continue;
    codes[index] = 0;
    missing[index] = 1;
  }
}

/** Sums up first or second order differences over the existing values (regulation 92.9.4, note on template 7.3). */
function undoDifferences(
  message: Message,
  layout: GroupLayout,
  codes: Codes,
  missing: Uint8Array | undefined,
): void {
  const { data, dataOffset } = message;
  const extraBits = layout.extraOctets * 8;
  const initial = [
    readBits(data, 0, extraBits),
    layout.order === 2 ? readBits(data, extraBits, extraBits) : 0,
  ];
  const leastAt = layout.order * extraBits;
  const magnitude = readBits(data, leastAt + 1, Math.max(0, extraBits - 1));
  const least = extraBits > 0 && readBits(data, leastAt, 1) === 1 ? -magnitude : magnitude;
  let seen = 0;
  let last = 0;
  let beforeLast = 0;
  for (let index = 0; index < codes.length; index++) {
    if (missing?.[index] === 1) continue;
    const predicted = layout.order === 1 ? last : 2 * last - beforeLast;
    const value = seen < layout.order ? initial[seen]! : codes[index]! + least + predicted;
    if (value < 0 || value > MAX_CODE) {
      throw new Grib2Error(
        `the differences add up to ${value} at value ${index}, which is not a code`,
        dataOffset,
        7,
      );
    }
    codes[index] = value;
    beforeLast = last;
    last = value;
    seen++;
  }
}
