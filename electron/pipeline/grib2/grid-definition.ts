// Section 3 of GRIB2 with grid template 3.0 (latitude and longitude): the grid by its exact outer edges, and its scanning mode.
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import { Grib2Error } from "./grib2-error.ts";
import { readSigned32 } from "./integers.ts";
import type { Section } from "./sections.ts";

/** Flag table 3.4: in which order the values of the grid follow each other. */
export interface ScanningMode {
  readonly eastToWest: boolean;
  readonly southToNorth: boolean;
  /** Values of a column, not of a row, follow each other. */
  readonly columnsFirst: boolean;
  /** Every second row (or column) runs the other way. */
  readonly alternating: boolean;
}

export interface GridDefinition {
  readonly grid: LatLonGrid;
  readonly scanning: ScanningMode;
}

/** Just more than the largest MRMS grid has (14,000 by 7,000 cells, of 0.005 degrees): what memory has to hold. */
const MAX_CELLS = 100_000_000;
const MAX_CELLS_ACROSS = 100_000;

const GRID_TEMPLATE = 0;
const GRID_TEMPLATE_BYTES = 72;
const BOTH_INCREMENTS_GIVEN = 0x30;
const FULL_CIRCLE = 360_000_000;
const HALF_CIRCLE = 180_000_000;
const QUARTER_CIRCLE = 90_000_000;
const MILLIDEGREE = 1000;
const MISSING_32 = 0xffffffff;

/** @throws Grib2Error for another grid, for one that crosses the antimeridian, and for counts or points that do not fit */
export function parseGridDefinition(section: Section): GridDefinition {
  checkTemplate(section);
  const { columns, rows } = readCounts(section);
  const scanning = parseScanningMode(section);
  const spacing = { x: readIncrement(section, 63), y: readIncrement(section, 67) };
  const first = { x: readAngle(section, 50), y: readAngle(section, 46) };
  const span = {
    x: spacing.x * (columns - 1) * (scanning.eastToWest ? -1 : 1),
    y: spacing.y * (rows - 1) * (scanning.southToNorth ? 1 : -1),
  };
  const last = { x: readAngle(section, 59), y: readAngle(section, 55) };
  const way = { x: toHalfCircle(last.x - first.x), y: last.y - first.y };
  // In an alternating scan, the last value of an even number of rows lies above or below the first one.
  const fits = (difference: number, increment: number, whole: number): boolean =>
    Math.abs(difference) < increment / 2 || (scanning.alternating && Math.abs(whole) < increment / 2);
  if (!fits(toHalfCircle(way.x - span.x), spacing.x, way.x)) throw misfit(section, "longitude", last.x, 59);
  if (!fits(way.y - span.y, spacing.y, way.y)) throw misfit(section, "latitude", last.y, 55);
  const grid = {
    columns,
    rows,
    westUdeg: toLowerEdge(toHalfCircle(first.x), spacing.x) + Math.min(0, span.x),
    northUdeg: toLowerEdge(first.y, spacing.y) + spacing.y + Math.max(0, span.y),
    spacingXUdeg: spacing.x,
    spacingYUdeg: spacing.y,
  };
  checkExtent(grid, section);
  return { grid, scanning };
}

function readCounts({ view, offset }: Section): { columns: number; rows: number } {
  const columns = view.getUint32(30);
  const rows = view.getUint32(34);
  const points = view.getUint32(6);
  const isPossible = columns > 0 && rows > 0 && Math.max(columns, rows) <= MAX_CELLS_ACROSS;
  if (!isPossible || columns * rows > MAX_CELLS) {
    const limits = `1 to ${MAX_CELLS_ACROSS} a side and at most ${MAX_CELLS} in all`;
    throw new Grib2Error(
      `the grid has ${columns} by ${rows} cells, but ${limits} are supported`,
      offset + 30,
      3,
    );
  }
  if (columns * rows !== points) {
    throw new Grib2Error(
      `the grid has ${columns} by ${rows} cells, but ${points} data points are announced`,
      offset + 6,
      3,
    );
  }
  return { columns, rows };
}

function misfit({ offset }: Section, axis: string, last: number, at: number): Grib2Error {
  const text = `the last ${axis} is ${toDegrees(last)}, which does not fit the first one, increment and count`;
  return new Grib2Error(text, offset + at, 3);
}

function checkTemplate({ view, offset }: Section): void {
  if (view.getUint8(5) !== 0) {
    throw new Grib2Error(
      `the grid is defined by source ${view.getUint8(5)}, only 0 (a template) is supported`,
      offset + 5,
      3,
    );
  }
  const template = view.getUint16(12);
  if (template !== GRID_TEMPLATE) {
    throw new Grib2Error(
      `grid template 3.${template} is not supported, only 3.0 (latitude/longitude) is`,
      offset + 12,
      3,
    );
  }
  if (view.getUint8(10) !== 0 || view.getUint8(11) !== 0) {
    throw new Grib2Error("a grid whose rows differ in length is not supported", offset + 10, 3);
  }
  if (view.byteLength !== GRID_TEMPLATE_BYTES) {
    throw new Grib2Error(
      `grid template 3.0 needs ${GRID_TEMPLATE_BYTES} bytes, the section has ${view.byteLength}`,
      offset,
      3,
    );
  }
  if ((view.getUint8(54) & BOTH_INCREMENTS_GIVEN) !== BOTH_INCREMENTS_GIVEN) {
    throw new Grib2Error("the grid's increments are not given", offset + 54, 3);
  }
}

function parseScanningMode({ view, offset }: Section): ScanningMode {
  const flags = view.getUint8(71);
  if ((flags & 0x0f) !== 0)
    throw new Grib2Error(
      `scanning mode ${flags} (rows set off against each other) is not supported`,
      offset + 71,
      3,
    );
  return {
    eastToWest: (flags & 0x80) !== 0,
    southToNorth: (flags & 0x40) !== 0,
    columnsFirst: (flags & 0x20) !== 0,
    alternating: (flags & 0x10) !== 0,
  };
}

/** An angle in microdegrees. The unit is basic angle / subdivisions degrees, or a microdegree where these are 0 or missing. */
function readAngle(section: Section, at: number): number {
  return toMicrodegrees(readSigned32(section.view, at), section, at);
}

function readIncrement(section: Section, at: number): number {
  const increment = toMicrodegrees(section.view.getUint32(at), section, at);
  if (increment <= 0)
    throw new Grib2Error("an increment of 0 degrees is not possible", section.offset + at, 3);
  return increment;
}

function toMicrodegrees(angle: number, { view, offset }: Section, at: number): number {
  const basicAngle = view.getUint32(38);
  const subdivisions = view.getUint32(42);
  const isMicrodegrees = basicAngle === 0 || basicAngle === MISSING_32;
  if (!isMicrodegrees && (subdivisions === 0 || subdivisions === MISSING_32)) {
    throw new Grib2Error(`a basic angle of ${basicAngle} needs subdivisions`, offset + 42, 3);
  }
  const microdegrees = isMicrodegrees ? angle : Math.round((angle * basicAngle * 1e6) / subdivisions);
  if (Math.abs(microdegrees) > FULL_CIRCLE) {
    throw new Grib2Error(`an angle of ${toDegrees(microdegrees)} degrees is not possible`, offset + at, 3);
  }
  return microdegrees;
}

/** Brings a longitude, or a difference of two, to more than -180 and at most 180 degrees. */
function toHalfCircle(longitude: number): number {
  const positive = ((longitude % FULL_CIRCLE) + FULL_CIRCLE) % FULL_CIRCLE;
  return positive > HALF_CIRCLE ? positive - FULL_CIRCLE : positive;
}

/**
 * The western or southern edge of the cell with this centre, in whole microdegrees. Files hold centres that went through
 * 32-bit floats (16 microdegrees off at most) and, on 0.005-degree grids, centres rounded to whole millidegrees: where
 * such an error explains it, the edge is the multiple of the increment nearby.
 */
function toLowerEdge(centre: number, increment: number): number {
  const edge = centre - increment / 2;
  const multiple = Math.round(edge / increment) * increment;
  const floatError = Math.min(16, increment / 100);
  const isWholeMillidegrees = Math.abs(centre - Math.round(centre / MILLIDEGREE) * MILLIDEGREE) <= floatError;
  const halfNeedsMore = (increment / 2) % MILLIDEGREE !== 0 && increment >= 4 * MILLIDEGREE;
  const tolerance = isWholeMillidegrees && halfNeedsMore ? MILLIDEGREE / 2 + floatError : floatError;
  return Math.abs(edge - multiple) <= tolerance ? multiple : Math.round(edge);
}

function checkExtent(grid: LatLonGrid, { offset }: Section): void {
  const eastUdeg = grid.westUdeg + grid.columns * grid.spacingXUdeg;
  const southUdeg = grid.northUdeg - grid.rows * grid.spacingYUdeg;
  if (grid.westUdeg < -HALF_CIRCLE || eastUdeg > HALF_CIRCLE) {
    throw new Grib2Error(
      `the grid runs from ${toDegrees(grid.westUdeg)} to ${toDegrees(eastUdeg)} degrees of longitude; one that crosses the antimeridian is not supported`,
      offset + 50,
      3,
    );
  }
  if (grid.northUdeg > QUARTER_CIRCLE || southUdeg < -QUARTER_CIRCLE) {
    throw new Grib2Error(
      `the grid runs from ${toDegrees(southUdeg)} to ${toDegrees(grid.northUdeg)} degrees of latitude, beyond a pole`,
      offset + 46,
      3,
    );
  }
}

function toDegrees(microdegrees: number): number {
  return microdegrees / 1e6;
}
