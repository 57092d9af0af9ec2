// The class of every cell of a grid, filled row by row, with its radar coverage and the block to crop it to.
import type { FrameCoverage } from "../../../shared/contract/frame-metadata.ts";
import type { CellBlock, LatLonGrid } from "../../../shared/geo/grid.ts";
import type { Codes } from "../grib2/field.ts";
import { classifyRow } from "./classify-row.ts";
import type { Classifier } from "./classifier.ts";
import { createCoverageCounter, toFrameCoverage } from "./coverage.ts";

export interface ClassPlane {
  /**
   * rows * columns bytes, row-major, north row first: the class index of a cell minus that of the cell west of it (0
   * at the western edge), modulo 256. This is PNG's Sub filter, for the plane and for any block with all drawn cells.
   * Index 0 draws nothing; class k of the product has index k + 1.
   */
  readonly differences: Uint8Array;
  readonly coverage: FrameCoverage;
  /** The number of cells with a class. */
  readonly drawnCells: number;
  /** Highest class index; 0 if nothing is drawn. */
  readonly maxClass: number;
  /** The smallest block with all drawn cells; undefined if there are none. */
  readonly drawnBlock: CellBlock | undefined;
}

export interface ClassPlaneBuilder {
  /** Classifies one row. Callers pass each row once, in any order. `missing` is 1 for cells without a value. */
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
