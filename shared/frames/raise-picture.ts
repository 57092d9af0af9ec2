// Raises cells to the classes of a frame, straight from its deflated picture.
import type { PngHeader } from "../png/header.ts";
import { readPictureRows, type RowSink } from "./picture-rows.ts";

export interface RaiseTarget {
  /** A class index for each cell of the whole grid, row-major. */
  readonly highest: Uint8Array;
  /** The cell that the picture's northwest pixel shows. */
  readonly firstCell: number;
  /** Columns of the whole grid. */
  readonly columns: number;
  /** For each row of cells, the first pixel row that shows it, ascending. */
  readonly pixelRows: Int32Array;
  /** Number of classes: a higher index is none. */
  readonly classes: number;
}

/**
 * Returns false for a picture of another form, or damaged; some cells may be raised by then.
 * @param zlib the deflated picture, its bytes checked
 */
export function raiseFromPicture(
  zlib: Uint8Array,
  size: Pick<PngHeader, "widthPx" | "heightPx">,
  target: RaiseTarget,
): boolean {
  return readPictureRows(zlib, size, target.pixelRows, new CellRaiser(target));
}

class CellRaiser implements RowSink {
  readonly #highest: Uint8Array;
  readonly #columns: number;
  readonly #classes: number;
  #rowStart: number;
  #cell: number;
  /** The class of the last cell. */
  #class = 0;

  constructor({ highest, firstCell, columns, classes }: RaiseTarget) {
    this.#highest = highest;
    this.#columns = columns;
    this.#classes = classes;
    this.#rowStart = this.#cell = firstCell;
  }

  addDifferences(bytes: Uint8Array, start: number, end: number): void {
    const highest = this.#highest;
    const classes = this.#classes;
    let cell = this.#cell;
    let value = this.#class;
    for (let at = start; at < end; at++, cell++) {
      value = (value + bytes[at]!) & 0xff;
      if (highest[cell]! < value && value <= classes) highest[cell] = value;
    }
    this.#cell = cell;
    this.#class = value;
  }

  repeat(count: number): void {
    const highest = this.#highest;
    const value = this.#class;
    const end = this.#cell + count;
    if (value > 0 && value <= this.#classes) {
      for (let cell = this.#cell; cell < end; cell++) if (highest[cell]! < value) highest[cell] = value;
    }
    this.#cell = end;
  }

  endRow(): void {
    this.#rowStart += this.#columns;
    this.#cell = this.#rowStart;
    this.#class = 0;
  }
}
