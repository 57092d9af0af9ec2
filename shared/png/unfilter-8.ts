// Undoes PNG filters for samples of one byte, with the same result as `unfilterRow`. Zeros are handled run by run:
// classes and radar values are mostly flat, so most of a filtered line is zero.
import { FILTER_CODES, toPaethPredictor } from "./unfilter.ts";
import { copyWords, fillWords, findRunEnd, spreadByte } from "./word-runs.ts";

/** A row of samples and the same memory as whole words. The bytes after the row have no meaning. */
export interface Lane8 {
  readonly samples: Uint8Array;
  readonly words: Int32Array;
}

const LOW_BITS = 0x7f7f7f7f;
const HIGH_BITS = ~LOW_BITS;

export function createLane8(length: number): Lane8 {
  const buffer = new ArrayBuffer(Math.ceil(length / 4) * 4);
  return { samples: new Uint8Array(buffer), words: new Int32Array(buffer) };
}

/**
 * Writes the raw samples of a filtered `line` to `out`; all lanes have one length. Returns false for an unknown
 * filter.
 */
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

function undoSub({ samples, words }: Lane8, { samples: outSamples, words: outWords }: Lane8): void {
  let left = 0;
  for (let word = 0; word < words.length;) {
    if (words[word] === 0) {
      const end = findRunEnd(words, word + 1, 0);
      fillWords(outWords, spreadByte(left), word, end);
      word = end;
      continue;
    }
    for (let at = word * 4; at < word * 4 + 4; at++) {
      left = (left + samples[at]!) & 0xff;
      outSamples[at] = left;
    }
    word++;
  }
}

function undoUp(line: Int32Array, above: Int32Array, out: Int32Array): void {
  for (let word = 0; word < line.length;) {
    const filtered = line[word]!;
    if (filtered === 0) {
      const end = findRunEnd(line, word + 1, 0);
      copyWords(above, out, word, end);
      word = end;
      continue;
    }
    const up = above[word]!;
    // Adds four bytes at once: carries stop below the high bits, which are added without carry.
    out[word] = ((filtered & LOW_BITS) + (up & LOW_BITS)) ^ ((filtered ^ up) & HIGH_BITS);
    word++;
  }
}

function undoAverage(
  { samples, words }: Lane8,
  { samples: aboveSamples, words: aboveWords }: Lane8,
  { samples: outSamples, words: outWords }: Lane8,
): void {
  let left = 0;
  for (let word = 0; word < words.length; word++) {
    const leftWord = spreadByte(left);
    if (words[word] === 0 && aboveWords[word] === leftWord) {
      outWords[word] = leftWord;
      continue;
    }
    for (let at = word * 4; at < word * 4 + 4; at++) {
      left = (samples[at]! + ((left + aboveSamples[at]!) >> 1)) & 0xff;
      outSamples[at] = left;
    }
  }
}

/**
 * Undoes Paeth. The sample of a zero byte is its prediction: the sample above if left and upper left are equal, and the
 * sample on the left if above and upper left are equal.
 */
function undoPaeth(
  { samples, words }: Lane8,
  { samples: aboveSamples, words: aboveWords }: Lane8,
  { samples: outSamples, words: outWords }: Lane8,
): void {
  let left = 0;
  let upLeft = 0;
  for (let word = 0; word < words.length;) {
    if (words[word] === 0) {
      if (left === upLeft) {
        const end = findRunEnd(words, word + 1, 0);
        copyWords(aboveWords, outWords, word, end);
        left = upLeft = aboveSamples[end * 4 - 1]!;
        word = end;
        continue;
      }
      if (aboveWords[word] === spreadByte(upLeft)) {
        outWords[word++] = spreadByte(left);
        continue;
      }
    }
    for (let at = word * 4; at < word * 4 + 4; at++) {
      const up = aboveSamples[at]!;
      left = (samples[at]! + toPaethPredictor(left, up, upLeft)) & 0xff;
      outSamples[at] = left;
      upLeft = up;
    }
    word++;
  }
}
