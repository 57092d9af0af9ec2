// Unsigned integers of any width up to 32 bits, packed without gaps, most significant bit first.
import type { Codes } from "./field.ts";

/** Creates the narrowest array for codes of this many bits, filled with 0. */
export function createCodes(bits: number, length: number): Codes {
  if (bits <= 8) return new Uint8Array(length);
  return bits <= 16 ? new Uint16Array(length) : new Uint32Array(length);
}

/** Reads the integer of `width` bits (0 to 32) at bit `at`. Bits beyond the end of `bytes` count as 0. */
export function readBits(bytes: Uint8Array, at: number, width: number): number {
  let value = 0;
  let bit = at;
  let left = width;
  while (left > 0) {
    const inByte = 8 - (bit & 7);
    const take = Math.min(inByte, left);
    const part = ((bytes[bit >>> 3] ?? 0) >> (inByte - take)) & ((1 << take) - 1);
    value = value * (1 << take) + part;
    bit += take;
    left -= take;
  }
  return value;
}

export interface BitRun {
  readonly bytes: Uint8Array;
  /** First bit of the first integer. The caller checks that all integers are within `bytes`. */
  readonly at: number;
  /** Bits of each integer, 1 to 32. */
  readonly width: number;
  readonly count: number;
}

/** Writes the integers of a run, each plus `add`, to `out` at `outAt`. */
export function unpackBits(run: BitRun, out: Codes, outAt: number, add: number): void {
  const { bytes, width, count } = run;
  if (width > 24) {
    for (let index = 0; index < count; index++)
      out[outAt + index] = add + readBits(bytes, run.at + index * width, width);
    return;
  }
  const mask = 2 ** width - 1;
  let byteAt = run.at >>> 3;
  // The bits before the start of the run are masked out later.
  let held = run.at & 7 ? bytes[byteAt++]! : 0;
  let heldBits = run.at & 7 ? 8 - (run.at & 7) : 0;
  const end = outAt + count;
  for (let index = outAt; index < end; index++) {
    while (heldBits < width) {
      held = (held << 8) | bytes[byteAt++]!;
      heldBits += 8;
    }
    heldBits -= width;
    out[index] = add + ((held >>> heldBits) & mask);
  }
}
