// Coarser grids of a frame, in which each cell holds the highest class of the cells below it: the map draws from them
// when a screen pixel covers many cells, so that no small storm core is lost. Built row by row during decoding.
import { findRunEnd, toWords } from "../../shared/png/word-runs.ts";
import { IndexGridBuilder, type IndexGrid } from "../../shared/frames/index-grid.ts";

/**
 * Level k has a cell for each block of 2^k by 2^k cells. At the lowest zoom, a pixel is 21 cells of 0.01 degrees wide.
 */
export const coarsestLevel = 4;

/** Returns the number of cells of a level along an axis that has `cells` cells. */
export function cellsOfLevel(cells: number, level: number): number {
  return Math.ceil(cells / 2 ** level);
}

export interface IndexPyramid {
  readonly grid: IndexGrid;
  /** Levels 1 to `coarsestLevel`; empty where higher indices are not higher classes. */
  readonly coarser: readonly IndexGrid[];
}

/** Packs a picture's rows, added from north to south, and those of its coarser levels. */
export class IndexPyramidBuilder {
  readonly #levels: readonly LevelBuilder[];

  /** With `isOrdered` false, there are no coarser levels. */
  constructor(widthPx: number, heightPx: number, isOrdered: boolean) {
    const last = isOrdered ? coarsestLevel : 0;
    const levels: LevelBuilder[] = [];
    for (let level = last; level >= 0; level--) {
      levels.unshift(
        new LevelBuilder(cellsOfLevel(widthPx, level), cellsOfLevel(heightPx, level), levels[0]),
      );
    }
    this.#levels = levels;
  }

  /** Copies `row`, which has widthPx indices. */
  addRow(row: Uint8Array): void {
    this.#levels[0]!.addRow(row);
  }

  /** Call once, after heightPx rows. */
  finish(): IndexPyramid {
    const [grid, ...coarser] = this.#levels.map((level) => level.finish());
    return { grid: grid!, coarser };
  }
}

/** One level, which hands each two of its rows to the next one as one. */
class LevelBuilder {
  readonly #grid: IndexGridBuilder;
  readonly #coarser: LevelBuilder | undefined;
  /** The highest of each two columns, of the rows since the last row of the coarser level. */
  readonly #pairs: Uint8Array;
  #isPending = false;

  constructor(widthPx: number, heightPx: number, coarser: LevelBuilder | undefined) {
    this.#grid = new IndexGridBuilder(widthPx, heightPx);
    this.#coarser = coarser;
    this.#pairs = new Uint8Array(coarser ? Math.ceil(widthPx / 2) : 0);
  }

  addRow(row: Uint8Array): void {
    this.#grid.addRow(row);
    if (!this.#coarser) return;
    raiseToPairs(this.#pairs, row);
    if (this.#isPending) this.#passOn(this.#coarser);
    else this.#isPending = true;
  }

  finish(): IndexGrid {
    if (this.#coarser && this.#isPending) this.#passOn(this.#coarser);
    return this.#grid.finish();
  }

  #passOn(coarser: LevelBuilder): void {
    coarser.addRow(this.#pairs);
    this.#pairs.fill(0);
    this.#isPending = false;
  }
}

/** Raises each value of `pairs` to the higher of its two columns of `row`. */
function raiseToPairs(pairs: Uint8Array, row: Uint8Array): void {
  const whole = row.length >> 1;
  const words = toWords(row);
  for (let pair = 0; pair < whole;) {
    // Most words of four cells have no class.
    if (words[pair >> 1] === 0) pair = findRunEnd(words, pair >> 1, 0) << 1;
    const end = Math.min(pair + 2, whole);
    for (; pair < end; pair++) {
      const higher = max(row[2 * pair]!, row[2 * pair + 1]!);
      pairs[pair] = max(pairs[pair]!, higher);
    }
  }
  if (whole < pairs.length && row[2 * whole]! > pairs[whole]!) pairs[whole] = row[2 * whole]!;
}

/** Returns the higher of two bytes without a condition, which costs more where it cannot be predicted. */
function max(first: number, second: number): number {
  const difference = first - second;
  return first - (difference & (difference >> 31));
}
