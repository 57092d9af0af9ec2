// Reverses PNG filters for big-endian 16-bit samples and converts them to numbers, whole runs at a time if the filtered
// line is zero. PNG filters bytes, not samples: high and low bytes never carry into each other. The loops repeat those
// of `unfilter-8.ts` for two bytes: a shared loop with the arithmetic as a parameter took 1.4 times as long for 16
// bits, and 1.8 times for 8 bits.
import { FILTER_CODES, toPaethPredictor } from "../../../shared/png/unfilter.ts";
import type { Lane8 } from "../../../shared/png/unfilter-8.ts";
import { copyWords, fillWords, findRunEnd } from "../../../shared/png/word-runs.ts";

/** A row of samples, and the same memory as 32-bit words. Values beyond the row's end have no meaning. */
export interface Lane16 {
  readonly samples: Uint16Array;
  readonly words: Int32Array;
}

/** Multiplier that copies a sample to both halves of a word. */
const SPREAD = 0x00010001;

export function createLane16(length: number): Lane16 {
  const buffer = new ArrayBuffer(Math.ceil(length / 2) * 4);
  return { samples: new Uint16Array(buffer), words: new Int32Array(buffer) };
}

/** Turns a filtered `line` of bytes into raw samples in `out`. @returns false if the filter does not exist */
export function unfilterRow16(filter: number, line: Lane8, above: Lane16, out: Lane16): boolean {
  switch (filter) {
    case FILTER_CODES.none:
      join(line.samples, out.samples);
      return true;
    case FILTER_CODES.sub:
      undoSub(line, out);
      return true;
    case FILTER_CODES.up:
      undoUp(line, above, out);
      return true;
    case FILTER_CODES.average:
      undoAverage(line, above, out);
      return true;
    case FILTER_CODES.paeth:
      undoPaeth(line, above, out);
      return true;
    default:
      return false;
  }
}

/** Joins two bytes to a sample. `high` and `low` may exceed a byte. */
function toSample(high: number, low: number): number {
  return ((high & 0xff) << 8) | (low & 0xff);
}

function join(bytes: Uint8Array, out: Uint16Array): void {
  for (let at = 0; at < out.length; at++) out[at] = (bytes[2 * at]! << 8) | bytes[2 * at + 1]!;
}

function undoSub({ samples: bytes, words }: Lane8, { samples: outSamples, words: outWords }: Lane16): void {
  let left = 0;
  for (let word = 0; word < words.length;) {
    if (words[word] === 0) {
      const end = findRunEnd(words, word + 1, 0);
      fillWords(outWords, Math.imul(left, SPREAD), word, end);
      word = end;
      continue;
    }
    const first = toSample((left >> 8) + bytes[4 * word]!, left + bytes[4 * word + 1]!);
    left = toSample((first >> 8) + bytes[4 * word + 2]!, first + bytes[4 * word + 3]!);
    outSamples[2 * word] = first;
    outSamples[2 * word + 1] = left;
    word++;
  }
}

function undoUp(
  { samples: bytes, words }: Lane8,
  { samples: aboveSamples, words: aboveWords }: Lane16,
  { samples: outSamples, words: outWords }: Lane16,
): void {
  for (let word = 0; word < words.length;) {
    if (words[word] === 0) {
      const end = findRunEnd(words, word + 1, 0);
      copyWords(aboveWords, outWords, word, end);
      word = end;
      continue;
    }
    for (let at = word * 2; at < word * 2 + 2; at++) {
      const up = aboveSamples[at]!;
      outSamples[at] = toSample((up >> 8) + bytes[2 * at]!, up + bytes[2 * at + 1]!);
    }
    word++;
  }
}

function undoAverage(
  { samples: bytes, words }: Lane8,
  { samples: aboveSamples, words: aboveWords }: Lane16,
  { samples: outSamples, words: outWords }: Lane16,
): void {
  let left = 0;
  for (let word = 0; word < words.length; word++) {
    const leftWord = Math.imul(left, SPREAD);
    if (words[word] === 0 && aboveWords[word] === leftWord) {
      outWords[word] = leftWord;
      continue;
    }
    for (let at = word * 2; at < word * 2 + 2; at++) {
      const up = aboveSamples[at]!;
      const high = ((left >> 8) + (up >> 8)) >> 1;
      const low = ((left & 0xff) + (up & 0xff)) >> 1;
      left = toSample(high + bytes[2 * at]!, low + bytes[2 * at + 1]!);
      outSamples[at] = left;
    }
  }
}

/** See `undoPaeth` in `unfilter-8.ts` for the two cases of a zero word; equal samples have equal bytes. */
function undoPaeth(
  { samples: bytes, words }: Lane8,
  { samples: aboveSamples, words: aboveWords }: Lane16,
  { samples: outSamples, words: outWords }: Lane16,
): void {
  let left = 0;
  let upLeft = 0;
  for (let word = 0; word < words.length;) {
    if (words[word] === 0) {
      if (left === upLeft) {
        const end = findRunEnd(words, word + 1, 0);
        copyWords(aboveWords, outWords, word, end);
        left = upLeft = aboveSamples[end * 2 - 1]!;
        word = end;
        continue;
      }
      if (aboveWords[word] === Math.imul(upLeft, SPREAD)) {
        outWords[word++] = Math.imul(left, SPREAD);
        continue;
      }
    }
    for (let at = word * 2; at < word * 2 + 2; at++) {
      const up = aboveSamples[at]!;
      const high = toPaethPredictor(left >> 8, up >> 8, upLeft >> 8);
      const low = toPaethPredictor(left & 0xff, up & 0xff, upLeft & 0xff);
      left = toSample(high + bytes[2 * at]!, low + bytes[2 * at + 1]!);
      outSamples[at] = left;
      upLeft = up;
    }
    word++;
  }
}
