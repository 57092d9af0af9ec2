// CRC-32 of PNG (ISO 3309, PNG specification annex D), eight bytes at a time, for platforms without node:zlib.

/** Returns the CRC of `bytes`, continued from `crc`, the result for all bytes before them (0 at the start). */
export type Crc32 = (bytes: Uint8Array, crc?: number) => number;

const REVERSED_POLYNOMIAL = 0xedb88320;
const SLICES = 8;

/** Slice s, entry b: the contribution of byte b followed by s zero bytes. */
const TABLE = buildTable();

function buildTable(): Uint32Array {
  const table = new Uint32Array(SLICES * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ REVERSED_POLYNOMIAL : crc >>> 1;
    table[byte] = crc;
  }
  for (let entry = 256; entry < table.length; entry++) {
    const shorter = table[entry - 256]!;
    table[entry] = (shorter >>> 8) ^ table[shorter & 0xff]!;
  }
  return table;
}

export const crc32: Crc32 = (bytes, start = 0) => {
  const table = TABLE;
  const end = bytes.length;
  const wholeEnd = end - (end % SLICES);
  let crc = ~start;
  let at = 0;
  for (; at < wholeEnd; at += SLICES) {
    crc =
      table[0x700 | ((crc ^ bytes[at]!) & 0xff)]! ^
      table[0x600 | (((crc >>> 8) ^ bytes[at + 1]!) & 0xff)]! ^
      table[0x500 | (((crc >>> 16) ^ bytes[at + 2]!) & 0xff)]! ^
      table[0x400 | ((crc >>> 24) ^ bytes[at + 3]!)]! ^
      table[0x300 | bytes[at + 4]!]! ^
      table[0x200 | bytes[at + 5]!]! ^
      table[0x100 | bytes[at + 6]!]! ^
      table[bytes[at + 7]!]!;
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ table[(crc ^ bytes[at]!) & 0xff]!;
  return ~crc >>> 0;
};
