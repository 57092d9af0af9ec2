// Undoes PNG filters for samples of one byte, four at a time where a word of the filtered line is zero: radar fields
// are mostly flat, so most words are. The result is that of `unfilterRow` in shared/png.
import { FILTER_CODES, toPaethPredictor } from "../../shared/png/unfilter.ts";

/** A row of samples and the same memory as words, whole words long; what lies beyond the row's end has no meaning. */
export interface Lane8 {
  readonly samples: Uint8Array;
  readonly words: Int32Array;
}

/** Four equal bytes from one. */
const SPREAD = 0x01010101;
const LOW_BITS = 0x7f7f7f7f;
const HIGH_BITS = ~LOW_BITS;

/** Turns a filtered `line` into raw samples in `out`. @returns false when no such filter exists */
export function unfilterRow8(filter: number, line: Lane8, above: Lane8, out: Lane8): boolean {
  switch (filter) {
    case FILTER_CODES.none:
      out.words.set(line.words);
      return true;
    case FILTER_CODES.sub:
      undoSub(line, out);
      return true;
    case FILTER_CODES.up:
      undoUp(line.words, above.words, out.words);
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

function undoSub({ samples, words }: Lane8, out: Lane8): void {
  const outSamples = out.samples;
  const outWords = out.words;
  let left = 0;
  let leftWord = 0;
  for (let word = 0; word < words.length; word++) {
    if (words[word] === 0) {
      outWords[word] = leftWord;
      continue;
    }
    for (let at = word * 4; at < word * 4 + 4; at++) {
      left = (left + samples[at]!) & 0xff;
      outSamples[at] = left;
    }
    leftWord = Math.imul(left, SPREAD);
  }
}

function undoUp(line: Int32Array, above: Int32Array, out: Int32Array): void {
  for (let word = 0; word < line.length; word++) {
    const filtered = line[word]!;
    const up = above[word]!;
    // Four additions of bytes in one: carries stop below the high bits, which are added without carry.
    out[word] =
      filtered === 0 ? up : ((filtered & LOW_BITS) + (up & LOW_BITS)) ^ ((filtered ^ up) & HIGH_BITS);
  }
}

function undoAverage({ samples, words }: Lane8, above: Lane8, out: Lane8): void {
  const aboveSamples = above.samples;
  const aboveWords = above.words;
  const outSamples = out.samples;
  const outWords = out.words;
  let left = 0;
  let leftWord = 0;
  for (let word = 0; word < words.length; word++) {
    if (words[word] === 0 && aboveWords[word] === leftWord) {
      outWords[word] = leftWord;
      continue;
    }
    for (let at = word * 4; at < word * 4 + 4; at++) {
      left = (samples[at]! + ((left + aboveSamples[at]!) >> 1)) & 0xff;
      outSamples[at] = left;
    }
    leftWord = Math.imul(left, SPREAD);
  }
}

/**
 * With a filtered byte of zero the sample is its prediction, which is the sample above while left and upper left are
 * equal, and the sample on the left while above and upper left are.
 */
function undoPaeth({ samples, words }: Lane8, above: Lane8, out: Lane8): void {
  const aboveSamples = above.samples;
  const aboveWords = above.words;
  const outSamples = out.samples;
  const outWords = out.words;
  let left = 0;
  let upLeft = 0;
  for (let word = 0; word < words.length; word++) {
    if (words[word] === 0) {
      if (left === upLeft) {
        outWords[word] = aboveWords[word]!;
        left = upLeft = aboveSamples[word * 4 + 3]!;
        continue;
      }
      if (aboveWords[word] === Math.imul(upLeft, SPREAD)) {
        outWords[word] = Math.imul(left, SPREAD);
        continue;
      }
    }
    for (let at = word * 4; at < word * 4 + 4; at++) {
      const up = aboveSamples[at]!;
      left = (samples[at]! + toPaethPredictor(left, up, upLeft)) & 0xff;
      outSamples[at] = left;
      upLeft = up;
    }
  }
}
