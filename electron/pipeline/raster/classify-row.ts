// Classifies one row of packed codes. This is the hot loop of rendering; it works by runs, as fields are mostly flat.
import { findRunEnd } from "../../../shared/png/word-runs.ts";
import type { Codes } from "../grib2/field.ts";
import { findClassIndex } from "./classifier.ts";
import type { Classifier } from "./classifier.ts";

export interface RowTask {
  readonly codes: Codes;
  /** 1 for cells without a value. */
  readonly missing: Uint8Array | undefined;
  readonly classifier: Classifier;
  /** All 0 on entry; receives the class index of each cell minus that of the cell before it, modulo 256. */
  readonly line: Uint8Array;
  /** Receives the columns where coverage begins and ends, alternating. */
  readonly turns: Int32Array;
}

export interface RowFindings {
  readonly drawnCells: number;
  readonly maxClass: number;
  /** The first drawn column, and the one after the last. */
  readonly columnStart: number;
  readonly columnEnd: number;
  readonly turnCount: number;
}

/** Runs of at least this many codes are searched word by word. */
const LONG_RUN = 8;

export function classifyRow({ codes, missing, classifier, line, turns }: RowTask): RowFindings {
  const { leastCovered, table } = classifier;
  const words = toWords(codes);
  const end = codes.length;
  let drawnCells = 0;
  let maxClass = 0;
  let columnStart = end;
  let columnEnd = 0;
  let turnCount = 0;
  let wasCovered = false;
  let lastClass = 0;
  for (let at = 0; at < end;) {
    const code = codes[at]!;
    const isMissing = missing?.[at] === 1;
    // Most runs outside flat areas have one cell.
    const isRun = missing === undefined && at + 1 < end && codes[at + 1] === code;
    const next = isRun ? findCodeRunEnd(codes, words, at) : at + 1;
    const isCovered = !isMissing && code >= leastCovered;
    if (isCovered !== wasCovered) {
      turns[turnCount++] = at;
      wasCovered = isCovered;
    }
    const classIndex = isMissing ? 0 : code < table.length ? table[code]! : findClassIndex(classifier, code);
    if (classIndex !== lastClass) {
      line[at] = classIndex - lastClass;
      lastClass = classIndex;
    }
    if (classIndex !== 0) {
      if (drawnCells === 0) columnStart = at;
      columnEnd = next;
      drawnCells += next - at;
      if (classIndex > maxClass) maxClass = classIndex;
    }
    at = next;
  }
  return { drawnCells, maxClass, columnStart, columnEnd, turnCount };
}

/** Returns the whole words of a row; none if its memory is not aligned. */
function toWords(codes: Codes): Int32Array {
  const isAligned = codes.byteOffset % 4 === 0;
  return new Int32Array(
    codes.buffer,
    isAligned ? codes.byteOffset : 0,
    isAligned ? codes.byteLength >>> 2 : 0,
  );
}

/** Returns the column after the run of equal codes that begins at `start`. */
function findCodeRunEnd(codes: Codes, words: Int32Array, start: number): number {
  const code = codes[start]!;
  const length = codes.length;
  const close = Math.min(length, start + LONG_RUN);
  let at = start + 1;
  while (at < close && codes[at] === code) at++;
  if (at < close || at === length || words.length === 0) return at;
  const perWord = 4 / codes.BYTES_PER_ELEMENT;
  const word = Math.floor(at / perWord);
  // This word began within the run, which has at least eight codes by now.
  const wordEnd = findRunEnd(words, word, words[word - 1]!);
  at = Math.max(at, wordEnd * perWord);
  while (at < length && codes[at] === code) at++;
  return at;
}
