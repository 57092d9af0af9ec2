// Runs of equal 32-bit words, four at a time, which make flat pictures cheap to unfilter and to classify.

/** The shortest run for a bulk call, which costs more than a few single writes. */
const LEAST_BULK = 16;

/** Four equal bytes from one. */
const spread = 0x01010101;

export function spreadByte(value: number): number {
  return Math.imul(value, spread);
}

/** Returns the same memory as whole words, without the last bytes; a copy if the memory is not aligned. */
export function toWords(bytes: Uint8Array): Int32Array {
  const aligned = (bytes.byteOffset & 3) === 0 ? bytes : bytes.slice();
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
}

/** Returns the index of the first word at or after `from` that is not `value`; the array's length if there is none. */
export function findRunEnd(words: Int32Array, from: number, value: number): number {
  const length = words.length;
  let at = from;
  while (
    at + 4 <= length &&
    ((words[at]! ^ value) |
      (words[at + 1]! ^ value) |
      (words[at + 2]! ^ value) |
      (words[at + 3]! ^ value)) ===
      0
  ) {
    at += 4;
  }
  while (at < length && words[at] === value) at++;
  return at;
}

export function fillWords(words: Int32Array, value: number, from: number, end: number): void {
  if (end - from >= LEAST_BULK) words.fill(value, from, end);
  else for (let at = from; at < end; at++) words[at] = value;
}

/** Copies words to the same indices of another array. */
export function copyWords(source: Int32Array, target: Int32Array, from: number, end: number): void {
  if (end - from >= LEAST_BULK) target.set(source.subarray(from, end), from);
  else for (let at = from; at < end; at++) target[at] = source[at]!;
}
