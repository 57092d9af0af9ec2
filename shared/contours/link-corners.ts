// Finds the corners of the outlines of runs of cells, row by row, and links each with the next of its outline. Walking
// on, the cells are at the left hand.
import type { ClassRuns } from "./cell-runs.ts";

export interface Corners {
  readonly count: number;
  readonly columns: Int32Array;
  readonly rows: Int32Array;
  /** The next corner of the outline. */
  readonly next: Int32Array;
  /** A run with a side that ends in the corner. */
  readonly runs: Int32Array;
  /** The other corner at the same point, where two cells touch only there; else -1. */
  readonly twins: Int32Array;
  /** For each run, one that it is connected with, or itself. */
  readonly parents: Int32Array;
}

/** Returns the run that stands for all runs connected with this one. */
export function findRoot(parents: Int32Array, run: number): number {
  let root = run;
  while (parents[root] !== root) {
    // Halves the way for the next search.
    parents[root] = parents[parents[root]!]!;
    root = parents[root]!;
  }
  return root;
}

/** Links the corners of all runs, of whatever class. */
export function linkCorners({ firstRow, rowStarts, edges }: ClassRuns): Corners {
  const linker = new CornerLinker(edges);
  let above = { from: 0, to: 0 };
  const rows = rowStarts.length - 1;
  for (let row = 0; row <= rows; row++) {
    const to = 2 * rowStarts[Math.min(row + 1, rows)]!;
    const below = { from: above.to, to };
    linker.linkLine(firstRow + row, above, below);
    linker.connect(above, below);
    above = below;
  }
  return linker.finish();
}

/** The sides of a row's runs in `edges`, half open: an even one is the west side of a run, an odd one its east side. */
interface Sides {
  readonly from: number;
  readonly to: number;
}

class CornerLinker {
  readonly #edges: Int32Array;
  /** The northern corner of the vertical line on which a side lies. */
  readonly #tops: Int32Array;
  readonly #columns: Int32Array;
  readonly #rows: Int32Array;
  readonly #next: Int32Array;
  readonly #runs: Int32Array;
  readonly #twins: Int32Array;
  readonly #parents: Int32Array;
  #count = 0;
  /** The western corner of the horizontal line in progress, or -1. */
  #west = -1;
  #isWestward = false;

  constructor(edges: Int32Array) {
    this.#edges = edges;
    this.#tops = new Int32Array(edges.length);
    // A side has at most two corners of its own.
    this.#columns = new Int32Array(2 * edges.length);
    this.#rows = new Int32Array(2 * edges.length);
    this.#next = new Int32Array(2 * edges.length);
    this.#runs = new Int32Array(2 * edges.length);
    this.#twins = new Int32Array(2 * edges.length).fill(-1);
    this.#parents = Int32Array.from({ length: edges.length >> 1 }, (_, run) => run);
  }

  /** Links the corners on the line between two rows. */
  linkLine(row: number, above: Sides, below: Sides): void {
    const edges = this.#edges;
    let north = above.from;
    let south = below.from;
    while (north < above.to || south < below.to) {
      const northColumn = north < above.to ? edges[north]! : Infinity;
      const southColumn = south < below.to ? edges[south]! : Infinity;
      if (northColumn < southColumn) this.#endSide(north++, row, south);
      else if (southColumn < northColumn) this.#beginSide(south++, row, south);
      else this.#passPoint(north++, south++, row);
    }
  }

  /** A line that goes on has no corner. Two cells that touch only in this point have one each. */
  #passPoint(north: number, south: number, row: number): void {
    if (((north ^ south) & 1) === 0) {
      this.#tops[south] = this.#tops[north]!;
      return;
    }
    // The western corner belongs to the cell west of the point.
    const isWestAbove = (north & 1) === 1;
    if (isWestAbove) this.#endSide(north, row, south + 1);
    else this.#beginSide(south, row, south + 1);
    if (isWestAbove) this.#beginSide(south, row, south + 1);
    else this.#endSide(north, row, south + 1);
    this.#twins[this.#count - 1] = this.#count - 2;
    this.#twins[this.#count - 2] = this.#count - 1;
  }

  #endSide(side: number, row: number, south: number): void {
    const top = this.#tops[side]!;
    const corner = this.#addCorner(side, row, south);
    if ((side & 1) === 0) this.#next[top] = corner;
    else this.#next[corner] = top;
  }

  #beginSide(side: number, row: number, south: number): void {
    this.#tops[side] = this.#addCorner(side, row, south);
  }

  /** @param south the next side of the row below: an odd one if a run of that row lies east of the corner */
  #addCorner(side: number, row: number, south: number): number {
    const corner = this.#count;
    this.#count += 1;
    this.#columns[corner] = this.#edges[side]!;
    this.#rows[corner] = row;
    this.#runs[corner] = side >> 1;
    if (this.#west < 0) {
      // Westward along the northern side of a run, eastward along its southern side.
      this.#isWestward = (south & 1) === 1;
      this.#west = corner;
    } else {
      if (this.#isWestward) this.#next[corner] = this.#west;
      else this.#next[this.#west] = corner;
      this.#west = -1;
    }
    return corner;
  }

  /** Joins the runs of two rows that share an edge of a cell. */
  connect(above: Sides, below: Sides): void {
    const edges = this.#edges;
    for (let north = above.from, south = below.from; north < above.to && south < below.to;) {
      if (edges[north]! < edges[south + 1]! && edges[south]! < edges[north + 1]!) {
        const root = findRoot(this.#parents, south >> 1);
        this.#parents[root] = findRoot(this.#parents, north >> 1);
      }
      if (edges[north + 1]! <= edges[south + 1]!) north += 2;
      else south += 2;
    }
  }

  finish(): Corners {
    return {
      count: this.#count,
      columns: this.#columns,
      rows: this.#rows,
      next: this.#next,
      runs: this.#runs,
      twins: this.#twins,
      parents: this.#parents,
    };
  }
}
