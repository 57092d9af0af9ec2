// Reads a GRIB2 message: parses its sections and checks them against each other. The field stays packed.
import { estimateDecodeBytes } from "./decode-bytes.ts";
import type { FieldHeader } from "./field.ts";
import { parseGridDefinition } from "./grid-definition.ts";
import type { ScanningMode } from "./grid-definition.ts";
import { parseIdentification, parseProduct } from "./identification.ts";
import { parseRepresentation } from "./representation.ts";
import type { HeaderSections, Indicator, Section } from "./sections.ts";
import { endOf, errorIn, readFieldSections, readHeaderSections, readIndicator } from "./sections.ts";

export interface Message {
  readonly header: FieldHeader;
  readonly scanning: ScanningMode;
  /** The number of packed codes: one for each cell, or for each set bit of the bitmap. */
  readonly valueCount: number;
  readonly representation: Section;
  /** One bit for each cell in scanning order, 1 if it has a value; undefined if every cell has one. */
  readonly bitmap: Uint8Array | undefined;
  /** Content of section 7, without its header. */
  readonly data: Uint8Array;
  /** The offset of `data` in the message. */
  readonly dataOffset: number;
}

const SECTION_HEADER_BYTES = 5;
const BITMAP_PRESENT = 0;
const BITMAP_NONE = 255;

/**
 * Reads the header of a message from its first bytes, at least to the end of section 5. If they end there, the estimate
 * expects a bitmap.
 * @throws Grib2Error
 */
export function readHeader(bytes: Uint8Array): FieldHeader {
  const indicator = readIndicator(bytes);
  const sections = readHeaderSections(bytes, indicator.messageByteLength);
  const hasBitmap = bytes[endOf(sections.representation) + SECTION_HEADER_BYTES] !== BITMAP_NONE;
  return parseHeader(indicator, sections, hasBitmap).header;
}

/** Reads a complete message, the only one in `bytes`. @throws Grib2Error */
export function readMessage(bytes: Uint8Array): Message {
  const indicator = readIndicator(bytes);
  const sections = readFieldSections(bytes, indicator.messageByteLength);
  const hasBitmap = sections.bitmap.view.getUint8(SECTION_HEADER_BYTES) !== BITMAP_NONE;
  const { header, scanning, valueCount } = parseHeader(indicator, sections, hasBitmap);
  const cells = header.grid.columns * header.grid.rows;
  const bitmap = readBitmap(sections.bitmap, cells);
  const expected = bitmap ? countBits(bitmap, cells) : cells;
  if (valueCount !== expected) {
    const text = `the section announces ${valueCount} packed values, but ${expected} cells have one`;
    throw errorIn(sections.representation, 5, text);
  }
  return {
    header,
    scanning,
    valueCount,
    representation: sections.representation,
    bitmap,
    data: toContent(sections.data, SECTION_HEADER_BYTES),
    dataOffset: sections.data.offset + SECTION_HEADER_BYTES,
  };
}

function parseHeader(
  indicator: Indicator,
  sections: HeaderSections,
  hasBitmap: boolean,
): { header: FieldHeader; scanning: ScanningMode; valueCount: number } {
  const { center, subcenter, referenceAt } = parseIdentification(sections.identification);
  const { grid, scanning } = parseGridDefinition(sections.grid);
  const { category, parameter } = parseProduct(sections.product);
  const { packing, valueCount } = parseRepresentation(sections.representation);
  const { discipline, messageByteLength } = indicator;
  const identity = { discipline, category, parameter };
  const cells = grid.columns * grid.rows;
  const { columnsFirst } = scanning;
  const decodeBytes = estimateDecodeBytes({ cells, packing, columnsFirst, hasBitmap });
  return {
    header: { identity, center, subcenter, referenceAt, grid, packing, messageByteLength, decodeBytes },
    scanning,
    valueCount,
  };
}

function readBitmap(section: Section, cells: number): Uint8Array | undefined {
  const indicator = section.view.getUint8(SECTION_HEADER_BYTES);
  if (indicator !== BITMAP_PRESENT && indicator !== BITMAP_NONE) {
    const text = `bitmap indicator ${indicator} is not supported, only ${BITMAP_PRESENT} and ${BITMAP_NONE} are`;
    throw errorIn(section, SECTION_HEADER_BYTES, text);
  }
  const content = toContent(section, SECTION_HEADER_BYTES + 1);
  const needed = indicator === BITMAP_PRESENT ? Math.ceil(cells / 8) : 0;
  if (content.length !== needed) {
    const text = `the bitmap of ${cells} cells must have ${needed} bytes but has ${content.length}`;
    throw errorIn(section, 0, text);
  }
  return indicator === BITMAP_PRESENT ? content : undefined;
}

/** Counts the set bits among the first `count`, most significant bit first. */
function countBits(bits: Uint8Array, count: number): number {
  let total = 0;
  const wholeBytes = Math.floor(count / 8);
  for (let at = 0; at < wholeBytes; at++) {
    for (let byte = bits[at]!; byte !== 0; byte &= byte - 1) total++;
  }
  for (let bit = wholeBytes * 8; bit < count; bit++) total += (bits[wholeBytes]! >> (7 - (bit & 7))) & 1;
  return total;
}

function toContent({ view }: Section, skip: number): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset + skip, view.byteLength - skip);
}
