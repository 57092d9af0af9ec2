// Writes a GRIB2 message in the form of MRMS (FM 92 GRIB edition 2, sections 0, 1, 3 to 8): grid template 3.0, product
// template 4.0, and the codes as a gray PNG (data template 5.41). Flags are plain values; there is no bitmap.
import { endianness } from "node:os";
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import type { GribIdentity } from "../../../shared/products/product.ts";
import { encodePng } from "../../platform/png/write.ts";

export interface MessageDraft {
  readonly identity: GribIdentity;
  /** RFC 3339; written in whole seconds. */
  readonly observedAt: string;
  /** A grid with outer edges on whole cells of the MRMS lattice. */
  readonly grid: LatLonGrid;
  /** Tenths of the product's unit, flags among them: columns * rows, row-major, north row first. */
  readonly tenths: Int16Array;
}

/** Height of the field above mean sea level, the `00.50` of the file name. */
const LEVEL_METERS = 500;
const CENTER = 161;
const MISSING_BYTE = 255;
const FULL_CIRCLE_UDEG = 360_000_000;
const EIGHT_BIT_RANGE = 255;

/**
 * Encodes a message; the same input always gives the same bytes. As in MRMS, the reference value is the smallest value,
 * and the picture has 8 bits if the range fits, else 16.
 * @throws RangeError if the number of values does not fit the grid
 */
export function encodeGrib2({ identity, observedAt, grid, tenths }: MessageDraft): Uint8Array {
  const cells = grid.columns * grid.rows;
  if (cells === 0) throw new RangeError("a field needs at least one cell");
  if (tenths.length !== cells) throw new RangeError(`${tenths.length} values for a grid of ${cells} cells`);
  const { smallest, bitDepth } = findRange(tenths);
  const picture = encodePng({
    widthPx: grid.columns,
    heightPx: grid.rows,
    bitDepth,
    colorType: "gray",
    rows: bitDepth === 8 ? toBytes(tenths, smallest) : toPairs(tenths, smallest),
    // A third of the time of zlib's default level, for a tenth more bytes.
    level: 1,
  });
  const body = Buffer.concat([
    toIdentification(new Date(observedAt)),
    toGridDefinition(grid),
    toProductDefinition(identity),
    toDataRepresentation(cells, smallest, bitDepth),
    toSection(6, Uint8Array.of(MISSING_BYTE)),
    toSection(7, picture),
    Buffer.from("7777", "latin1"),
  ]);
  return Buffer.concat([toIndicator(identity.discipline, body.length), body]);
}

function findRange(tenths: Int16Array): { smallest: number; bitDepth: 8 | 16 } {
  let smallest = tenths[0]!;
  let largest = smallest;
  for (let cell = 1; cell < tenths.length; cell++) {
    const value = tenths[cell]!;
    if (value < smallest) smallest = value;
    else if (value > largest) largest = value;
  }
  return { smallest, bitDepth: largest - smallest <= EIGHT_BIT_RANGE ? 8 : 16 };
}

/** Returns 8-bit codes: each value minus the smallest. */
function toBytes(tenths: Int16Array, smallest: number): Uint8Array {
  const out = new Uint8Array(tenths.length);
  for (let cell = 0; cell < out.length; cell++) out[cell] = tenths[cell]! - smallest;
  return out;
}

/** Returns the same as 16-bit codes, high byte first. */
function toPairs(tenths: Int16Array, smallest: number): Uint8Array {
  const codes = new Uint16Array(tenths.length);
  for (let cell = 0; cell < codes.length; cell++) codes[cell] = tenths[cell]! - smallest;
  const bytes = Buffer.from(codes.buffer);
  return endianness() === "LE" ? bytes.swap16() : bytes;
}

function toSection(number: number, content: Uint8Array): Uint8Array {
  const section = Buffer.alloc(5 + content.length);
  section.writeUInt32BE(section.length, 0);
  section[4] = number;
  section.set(content, 5);
  return section;
}

/** Writes section 0. */
function toIndicator(discipline: number, bodyByteLength: number): Uint8Array {
  const section = Buffer.alloc(16);
  section.write("GRIB", 0, "latin1");
  section[6] = discipline;
  section[7] = 2;
  section.writeBigUInt64BE(BigInt(section.length + bodyByteLength), 8);
  return section;
}

/** Writes section 1: only local tables 1, an observation time, research product, processed radar observations. */
function toIdentification(observed: Date): Uint8Array {
  const content = Buffer.alloc(16);
  content.writeUInt16BE(CENTER, 0);
  content.set([MISSING_BYTE, 1, 3], 4);
  content.writeUInt16BE(observed.getUTCFullYear(), 7);
  content.set([observed.getUTCMonth() + 1, observed.getUTCDate()], 9);
  content.set([observed.getUTCHours(), observed.getUTCMinutes(), observed.getUTCSeconds(), 2, 7], 11);
  return toSection(1, content);
}

/**
 * Writes section 3, template 3.0: cell centers from the northwest, in microdegrees (basic angle 1 in 1,000,000
 * parts).
 */
function toGridDefinition(grid: LatLonGrid): Uint8Array {
  const { columns, rows, spacingXUdeg, spacingYUdeg } = grid;
  const west = toFullCircle(grid.westUdeg + spacingXUdeg / 2);
  const north = grid.northUdeg - spacingYUdeg / 2;
  const content = Buffer.alloc(67);
  content.writeUInt32BE(columns * rows, 1);
  // Shape 2 is the earth of IAU 1965. MRMS also writes its radii in meters, though with a scale factor of 1.
  content[9] = 2;
  writeScaled(content, 10, 6_367_470);
  writeScaled(content, 15, 6_378_160);
  writeScaled(content, 20, 6_356_775);
  content.writeUInt32BE(columns, 25);
  content.writeUInt32BE(rows, 29);
  content.writeUInt32BE(1, 33);
  content.writeUInt32BE(1_000_000, 37);
  writeSigned32(content, 41, north);
  content.writeUInt32BE(west, 45);
  content[49] = 0x30;
  // The last point of MRMS files is off by 1 and 2 microdegrees. It is here too, as readers must accept it.
  writeSigned32(content, 50, north - (rows - 1) * spacingYUdeg + 1);
  content.writeUInt32BE(toFullCircle(west + (columns - 1) * spacingXUdeg - 2), 54);
  content.writeUInt32BE(spacingXUdeg, 58);
  content.writeUInt32BE(spacingYUdeg, 62);
  return toSection(3, content);
}

/** Writes section 4, template 4.0: an observation at a height above mean sea level. */
function toProductDefinition({ category, parameter }: GribIdentity): Uint8Array {
  const content = Buffer.alloc(29);
  content.set([category, parameter, 8, 0, 97], 4);
  content[17] = 102;
  content.writeUInt32BE(LEVEL_METERS, 19);
  content.set([MISSING_BYTE, 1], 23);
  return toSection(4, content);
}

/** Writes section 5, template 5.41: value = (smallest + code) / 10. */
function toDataRepresentation(cells: number, smallest: number, bitDepth: number): Uint8Array {
  const content = Buffer.alloc(16);
  content.writeUInt32BE(cells, 0);
  content.writeUInt16BE(41, 4);
  content.writeFloatBE(smallest, 6);
  content.writeInt16BE(1, 12);
  content[14] = bitDepth;
  return toSection(5, content);
}

/** Returns a longitude from 0 to 360 degrees, as in MRMS. */
function toFullCircle(longitudeUdeg: number): number {
  return (longitudeUdeg + FULL_CIRCLE_UDEG) % FULL_CIRCLE_UDEG;
}

function writeScaled(content: Buffer, at: number, value: number): void {
  content[at] = 1;
  content.writeUInt32BE(value, at + 1);
}

/** Writes a negative number as sign and magnitude. */
function writeSigned32(content: Buffer, at: number, value: number): void {
  content.writeUInt32BE(value < 0 ? (-value | 0x80000000) >>> 0 : value, at);
}
