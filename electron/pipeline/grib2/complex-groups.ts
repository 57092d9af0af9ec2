// The groups of complex packing (data templates 7.2 and 7.3): the reference, width and length of each.
import { readBits } from "./bits.ts";
import { Grib2Error } from "./grib2-error.ts";
import type { Message } from "./message.ts";
import { DIFFERENCING_PACKING } from "./representation.ts";
import { errorIn } from "./sections.ts";

/**
 * The groups as section 5 describes them (templates 5.2 and 5.3), and the bit positions of their lists in section 7.
 */
export interface GroupLayout {
  readonly groupCount: number;
  readonly referenceBits: number;
  readonly widthReference: number;
  readonly widthBits: number;
  readonly lengthReference: number;
  readonly lengthIncrement: number;
  readonly lengthBits: number;
  readonly lastLength: number;
  /** The number of greatest codes of a group that stand for "no value": 0, 1 (primary) or 2 (also secondary). */
  readonly missingKinds: number;
  /** Order of spatial differencing; 0 without it. */
  readonly order: number;
  /** Octets of each extra value of spatial differencing, at the start of section 7. */
  readonly extraOctets: number;
  readonly referencesAt: number;
  readonly widthsAt: number;
  readonly lengthsAt: number;
  readonly valuesAt: number;
}

export interface Group {
  readonly reference: number;
  readonly width: number;
  readonly length: number;
}

const GENERAL_SPLITTING = 1;
const MAX_WIDTH = 32;

/** Parses the layout. @throws Grib2Error for unsupported methods, and if the lists do not fit into section 7 */
export function parseGroupLayout(message: Message): GroupLayout {
  const { view } = message.representation;
  checkMethods(message);
  const isDifferenced = message.header.packing.template === DIFFERENCING_PACKING;
  const order = isDifferenced ? view.getUint8(47) : 0;
  const extraOctets = isDifferenced ? view.getUint8(48) : 0;
  const lists = {
    groupCount: view.getUint32(31),
    referenceBits: message.header.packing.bitsPerValue,
    widthReference: view.getUint8(35),
    widthBits: view.getUint8(36),
    lengthReference: view.getUint32(37),
    lengthIncrement: view.getUint8(41),
    lastLength: view.getUint32(42),
    lengthBits: view.getUint8(46),
    missingKinds: view.getUint8(22),
    order,
    extraOctets,
  };
  if (lists.widthBits > MAX_WIDTH || lists.lengthBits > MAX_WIDTH) {
    throw errorIn(
      message.representation,
      36,
      `group widths of ${lists.widthBits} and lengths of ${lists.lengthBits} bits exceed ${MAX_WIDTH}`,
    );
  }
  // Limits the work that a false count can cause: groups of no bits at all are equal, so one is enough.
  const most = Math.min(message.valueCount, Math.max(1, message.data.length * 8));
  if (lists.groupCount > most) {
    const text = `${lists.groupCount} groups cannot be in ${message.data.length} bytes of ${message.valueCount} values`;
    throw errorIn(message.representation, 31, text);
  }
  const referencesAt = 8 * (order === 0 ? 0 : (order + 1) * extraOctets);
  const widthsAt = toNextOctet(referencesAt + lists.groupCount * lists.referenceBits);
  const lengthsAt = toNextOctet(widthsAt + lists.groupCount * lists.widthBits);
  const valuesAt = toNextOctet(lengthsAt + lists.groupCount * lists.lengthBits);
  if (valuesAt / 8 > message.data.length) {
    const text = `the lists of ${lists.groupCount} groups need ${valuesAt / 8} bytes, but section 7 has ${message.data.length}`;
    throw new Grib2Error(text, message.dataOffset, 7);
  }
  return { ...lists, referencesAt, widthsAt, lengthsAt, valuesAt };
}

/** Calls `visit` with each group in order. Throws as `readGroup` does. */
export function visitGroups(message: Message, layout: GroupLayout, visit: (group: Group) => void): void {
  for (let index = 0; index < layout.groupCount; index++) visit(readGroup(message, layout, index));
}

/** @throws Grib2Error for a group that is too wide or has no values */
export function readGroup(message: Message, layout: GroupLayout, index: number): Group {
  const { data } = message;
  const reference = readBits(data, layout.referencesAt + index * layout.referenceBits, layout.referenceBits);
  const width =
    layout.widthReference + readBits(data, layout.widthsAt + index * layout.widthBits, layout.widthBits);
  const scaledLength = readBits(data, layout.lengthsAt + index * layout.lengthBits, layout.lengthBits);
  const isLast = index === layout.groupCount - 1;
  const length = isLast ? layout.lastLength : layout.lengthReference + layout.lengthIncrement * scaledLength;
  if (width > MAX_WIDTH) {
    throw new Grib2Error(
      `group ${index} has values of ${width} bits`,
      message.dataOffset + (layout.widthsAt >>> 3),
      7,
    );
  }
  if (length === 0) {
    throw new Grib2Error(`group ${index} has no values`, message.dataOffset + (layout.lengthsAt >>> 3), 7);
  }
  return { reference, width, length };
}

function checkMethods(message: Message): void {
  const { view } = message.representation;
  const splitting = view.getUint8(21);
  if (splitting !== GENERAL_SPLITTING) {
    throw errorIn(
      message.representation,
      21,
      `group splitting method ${splitting} is not supported, only ${GENERAL_SPLITTING} (general) is`,
    );
  }
  const management = view.getUint8(22);
  if (management > 2)
    throw errorIn(message.representation, 22, `missing value management ${management} does not exist`);
  if (message.header.packing.template !== DIFFERENCING_PACKING) return;
  const order = view.getUint8(47);
  if (order !== 1 && order !== 2) {
    throw errorIn(
      message.representation,
      47,
      `spatial differencing of order ${order} is not supported, only 1 and 2 are`,
    );
  }
  const octets = view.getUint8(48);
  if (octets > 4)
    throw errorIn(
      message.representation,
      48,
      `extra values of ${octets} octets are not supported, only up to 4 are`,
    );
}

function toNextOctet(bit: number): number {
  return Math.ceil(bit / 8) * 8;
}
