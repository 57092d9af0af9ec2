// The class of every cell of a grid, filled row by row, with what is needed to crop it and to tell radar coverage.
import type { FrameCoverage } from "../../../shared/contract/frame-metadata.ts";
import type { CellBlock, LatLonGrid } from "../../../shared/geo/grid.ts";
import type { Codes } from "../grib2/field.ts";
import { classifyRow } from "./classify-row.ts";
import type { Classifier } from "./classifier.ts";
import { createCoverageCounter, toFrameCoverage } from "./coverage.ts";

export interface ClassPlane {
  /**
   * rows * columns bytes, row-major, north first, west first: the class index of a cell less that of the cell west of
   * it (0 at the western edge), modulo 256. This is PNG's Sub filter, of the plane and of any block of it that leaves
   * no drawn cell out. Index 0 draws nothing; class k of the product has index k + 1.
   */
  readonly differences: Uint8Array;
  readonly coverage: FrameCoverage;
  /** Cells with a class. */
  readonly drawnCells: number;
  /** Highest class index, 0 when nothing is drawn. */
  readonly maxClass: number;
  /** The least block that holds all drawn cells, undefined when there are none. */
  readonly drawnBlock: CellBlock | undefined;
}

export interface ClassPlaneBuilder {
  /** Classifies one row; each row of the grid once, in any order. `missing` is 1 for cells without a value. */
  readonly addRow: (row: number, codes: Codes, missing: Uint8Array | undefined) => void;
  readonly finish: () => ClassPlane;
}

/** @param differences rows * columns bytes, all 0; the plane keeps them */
export function createClassPlaneBuilder(
  grid: LatLonGrid,
  classifier: Classifier,
  differences: Uint8Array,
): ClassPlaneBuilder {
  const counter = createCoverageCounter(grid);
  const turns = new Int32Array(grid.columns + 1);
  let drawnCells = 0;
  let maxClass = 0;
  let block: CellBlock = { rowStart: grid.rows, rowEnd: 0, columnStart: grid.columns, columnEnd: 0 };
  const addRow = (row: number, codes: Codes, missing: Uint8Array | undefined): void => {
    const line = differences.subarray(row * grid.columns, (row + 1) * grid.columns);
    const found = classifyRow({ codes, missing, classifier, line, turns });
    counter.addRow(row, turns, found.turnCount);
    if (found.drawnCells === 0) return;
    drawnCells += found.drawnCells;
    maxClass = Math.max(maxClass, found.maxClass);
    block = {
      rowStart: Math.min(block.rowStart, row),
      rowEnd: Math.max(block.rowEnd, row + 1),
      columnStart: Math.min(block.columnStart, found.columnStart),
      columnEnd: Math.max(block.columnEnd, found.columnEnd),
    };
  };
  const finish = (): ClassPlane => ({
    differences,
    coverage: toFrameCoverage(grid, counter),
    drawnCells,
    maxClass,
    drawnBlock: drawnCells > 0 ? block : undefined,
  });
  return { addRow, finish };
}
