// The sections 0 to 8 of a GRIB2 message (WMO Manual on Codes FM 92): their lengths, numbers and order.
import { describeKind } from "./file-kind.ts";
import { Grib2Error } from "./grib2-error.ts";

/** A section within the bytes of the message. */
export interface Section {
  readonly number: number;
  /** In bytes from the start of the message. */
  readonly offset: number;
  /** Exactly the bytes of the section, with the five of length and number. */
  readonly view: DataView;
}

export interface Indicator {
  readonly discipline: number;
  /** Length of the whole message, at least 20. */
  readonly messageByteLength: number;
}

/** The header sections of a message with one field. */
export interface HeaderSections {
  readonly identification: Section;
  readonly grid: Section;
  readonly product: Section;
  readonly representation: Section;
}

export interface FieldSections extends HeaderSections {
  readonly bitmap: Section;
  readonly data: Section;
}

/** The most bytes of a message: ten times the largest of MRMS. Bit positions stay below 2^31. */
export const MAX_MESSAGE_BYTES = 2 ** 28 - 1;

const INDICATOR_BYTES = 16;
const END_BYTES = 4;
const SECTION_HEADER_BYTES = 5;
const SEVEN = 0x37;
const EDITION = 2;

const SECTION_NAMES: Readonly<Record<number, string>> = {
  1: "identification",
  2: "local use",
  3: "grid definition",
  4: "product definition",
  5: "data representation",
  6: "bitmap",
  7: "data",
};

/** Reads section 0. @throws Grib2Error that names the kind of file if it is not GRIB2 */
export function readIndicator(bytes: Uint8Array): Indicator {
  const isGrib = bytes[0] === 0x47 && bytes[1] === 0x52 && bytes[2] === 0x49 && bytes[3] === 0x42;
  if (!isGrib) throw new Grib2Error(`a GRIB2 message is expected, but this is ${describeKind(bytes)}`, 0);
  if (bytes.length < INDICATOR_BYTES) {
    throw new Grib2Error(
      `file is incomplete: ${bytes.length} of at least ${INDICATOR_BYTES} bytes`,
      bytes.length,
      0,
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, INDICATOR_BYTES);
  const edition = view.getUint8(7);
  if (edition !== EDITION)
    throw new Grib2Error(`GRIB edition ${EDITION} is expected, but this is edition ${edition}`, 7, 0);
  const messageByteLength = view.getUint32(8) * 2 ** 32 + view.getUint32(12);
  if (messageByteLength < INDICATOR_BYTES + END_BYTES || messageByteLength > MAX_MESSAGE_BYTES) {
    const text = `the length of the message is ${messageByteLength} bytes, not ${INDICATOR_BYTES + END_BYTES} to ${MAX_MESSAGE_BYTES}`;
    throw new Grib2Error(text, 8, 0);
  }
  return { discipline: view.getUint8(6), messageByteLength };
}

/**
 * Reads sections 1 to 5; the bytes may end after section 5.
 * @throws Grib2Error if a section is missing, out of order, too long or cut short
 */
export function readHeaderSections(bytes: Uint8Array, messageByteLength: number): HeaderSections {
  let at = INDICATOR_BYTES;
  const next = (wanted: number, minimum: number): Section => {
    const section = readSection(bytes, at, messageByteLength, wanted, minimum);
    at += section.view.byteLength;
    return section;
  };
  const identification = next(1, 21);
  if (bytes[at + 4] === 2) next(2, SECTION_HEADER_BYTES);
  return { identification, grid: next(3, 14), product: next(4, 11), representation: next(5, 20) };
}

/**
 * Reads sections 1 to 8 of a complete message with one field.
 * @throws Grib2Error as `readHeaderSections` does, and for missing or extra bytes and a second field or message
 */
export function readFieldSections(bytes: Uint8Array, messageByteLength: number): FieldSections {
  checkLength(bytes, messageByteLength);
  const header = readHeaderSections(bytes, messageByteLength);
  const bitmap = readSection(bytes, endOf(header.representation), messageByteLength, 6, 6);
  const data = readSection(bytes, endOf(bitmap), messageByteLength, 7, SECTION_HEADER_BYTES);
  const endAt = messageByteLength - END_BYTES;
  if (endOf(data) !== endAt) {
    const number = bytes[endOf(data) + 4];
    throw new Grib2Error(
      number !== undefined && number >= 2 && number <= 7
        ? `the message holds more than one field: section ${number} follows section 7`
        : `${endAt - endOf(data)} bytes follow section 7 before the end of the message`,
      endOf(data),
    );
  }
  return { ...header, bitmap, data };
}

/** Returns an error about the byte `at` of a section. */
export function errorIn({ number, offset }: Section, at: number, text: string): Grib2Error {
  return new Grib2Error(text, offset + at, number);
}

export function endOf(section: Section): number {
  return section.offset + section.view.byteLength;
}

function checkLength(bytes: Uint8Array, messageByteLength: number): void {
  if (bytes.length < messageByteLength) {
    throw new Grib2Error(`file is incomplete: ${bytes.length} of ${messageByteLength} bytes`, bytes.length);
  }
  for (let at = messageByteLength - END_BYTES; at < messageByteLength; at++) {
    if (bytes[at] !== SEVEN) throw new Grib2Error("the message does not end with 7777", at, 8);
  }
  if (bytes.length > messageByteLength) {
    const isSecond = bytes[messageByteLength] === 0x47 && bytes[messageByteLength + 1] === 0x52;
    throw new Grib2Error(
      isSecond
        ? "the file has a second message, but may have only one"
        : `${bytes.length - messageByteLength} bytes follow the end of the message`,
      messageByteLength,
    );
  }
}

function readSection(
  bytes: Uint8Array,
  at: number,
  messageByteLength: number,
  wanted: number,
  minimum: number,
): Section {
  const name = `section ${wanted} (${SECTION_NAMES[wanted]!})`;
  const fail = (text: string, byte = at): Grib2Error => new Grib2Error(text, byte, wanted);
  const room = messageByteLength - END_BYTES - at;
  if (room < SECTION_HEADER_BYTES) throw fail(`the message ends where ${name} is expected`);
  if (bytes.length - at < SECTION_HEADER_BYTES) throw fail(`the file ends where ${name} is expected`);
  const header = new DataView(bytes.buffer, bytes.byteOffset + at, SECTION_HEADER_BYTES);
  const length = header.getUint32(0);
  const number = header.getUint8(4);
  if (number !== wanted) throw fail(`${name} is expected, but this is section ${number}`, at + 4);
  if (length < minimum) throw fail(`${name} has a length of ${length} bytes, but needs ${minimum}`);
  if (length > room) {
    throw fail(`${name} has a length of ${length} bytes, but the message has ${room} left for it`);
  }
  const available = bytes.length - at;
  if (length > available) {
    throw fail(`the file ends within ${name}, after ${available} of its ${length} bytes`, bytes.length);
  }
  return { number, offset: at, view: new DataView(bytes.buffer, bytes.byteOffset + at, length) };
}

/** Reads a big-endian integer whose negative values are sign and magnitude (regulation 92.1.5). */
export function readSigned16(view: DataView, at: number): number {
  const raw = view.getUint16(at);
  return raw & 0x8000 ? 0 - (raw & 0x7fff) : raw;
}

/** Reads a 32-bit integer as `readSigned16` does. */
export function readSigned32(view: DataView, at: number): number {
  const raw = view.getUint32(at);
  return raw >= 0x80000000 ? 0 - (raw - 0x80000000) : raw;
}
