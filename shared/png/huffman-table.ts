// A canonical Huffman code of deflate (RFC 1951, 3.2.2), and a table that decodes up to three literals at once.

/** Bits that are looked up at once. */
export const tableBits = 11;
const mostBits = 15;
/** Symbols below are bytes; the others end a block or repeat bytes. */
const literals = 256;
const mostLiterals = 3;

/** Codes are read from the lowest bit. */
export interface HuffmanCode {
  /** Number of codes of each length. */
  readonly counts: Uint16Array;
  /** Symbols by length, then by value. */
  readonly symbols: Uint16Array;
}

/** Returns undefined for lengths that are not a code: more codes than fit, or fewer unless there is at most one. */
export function createHuffmanCode(lengths: Uint8Array): HuffmanCode | undefined {
  const counts = new Uint16Array(mostBits + 1);
  for (const length of lengths) counts[length]! += 1;
  counts[0] = 0;
  const starts = new Uint16Array(mostBits + 2);
  let free = 1;
  for (let bits = 1; bits <= mostBits; bits++) {
    free = free * 2 - counts[bits]!;
    if (free < 0) return undefined;
    starts[bits + 1] = starts[bits]! + counts[bits]!;
  }
  const used = starts[mostBits + 1]!;
  if (free > 0 && used > 1) return undefined;
  const symbols = new Uint16Array(used);
  lengths.forEach((length, symbol) => {
    if (length > 0) symbols[starts[length]!++] = symbol;
  });
  return { counts, symbols };
}

/** Returns `symbol << 4 | length` for the code in the lowest 15 bits of `hold`; 0 if it is none. */
export function findSymbol({ counts, symbols }: HuffmanCode, hold: number): number {
  let code = 0;
  let first = 0;
  let index = 0;
  for (let length = 1; length <= mostBits; length++) {
    code |= (hold >> (length - 1)) & 1;
    const count = counts[length]!;
    if (code - count < first) return (symbols[index + code - first]! << 4) | length;
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  return 0;
}

/**
 * Fills a table for the next `tableBits` bits. Bits 0 to 3 of an entry are the bits to use, bits 4 and 5 the number of
 * literals, which follow from bit 6, a byte each, the first one lowest. Without literals, the symbol follows; an entry
 * of 0 stands for a longer code, or none.
 */
export function fillLiteralTable({ counts, symbols }: HuffmanCode, table: Int32Array): void {
  table.fill(0);
  let code = 0;
  let at = 0;
  for (let length = 1; length <= tableBits; length++) {
    code <<= 1;
    for (let count = counts[length]!; count > 0; count--) {
      const symbol = symbols[at++]!;
      const entry = (symbol << 6) | (symbol < literals ? 0x10 : 0) | length;
      for (let slot = reverse(code, length); slot < table.length; slot += 1 << length) table[slot] = entry;
      code++;
    }
  }
  // Slots with fewer bits, which follow a literal, must be single: the highest slots are joined first.
  for (let slot = table.length - 1; slot > 0; slot--) table[slot] = joinLiterals(table, slot);
}

function joinLiterals(table: Int32Array, slot: number): number {
  const first = table[slot]!;
  let count = (first >> 4) & 3;
  if (count === 0) return first;
  let length = first & 15;
  let bytes = first >> 6;
  while (count < mostLiterals) {
    const next = table[slot >> length]!;
    const nextLength = next & 15;
    if (((next >> 4) & 3) !== 1 || length + nextLength > tableBits) break;
    bytes |= (next >> 6) << (8 * count);
    length += nextLength;
    count++;
  }
  return (bytes << 6) | (count << 4) | length;
}

function reverse(code: number, length: number): number {
  let reversed = 0;
  for (let bit = 0; bit < length; bit++) reversed = (reversed << 1) | ((code >> bit) & 1);
  return reversed;
}
