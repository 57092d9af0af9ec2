// Section 3 of GRIB2 with grid template 3.0 (latitude and longitude): the exact outer edges of the grid, and its
// scanning mode.
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import type { Grib2Error } from "./grib2-error.ts";
import { errorIn, readSigned32 } from "./sections.ts";
import type { Section } from "./sections.ts";

/** The order of the grid's values (flag table 3.4). */
export interface ScanningMode {
  readonly eastToWest: boolean;
  readonly southToNorth: boolean;
  /** The values go column by column, not row by row. */
  readonly columnsFirst: boolean;
  /** Every second row (or column) runs in the opposite direction. */
  readonly alternating: boolean;
}

export interface GridDefinition {
  readonly grid: LatLonGrid;
  readonly scanning: ScanningMode;
}

/** The most cells: just more than the largest MRMS grid has (14,000 by 7,000 cells of 0.005 degrees). */
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

/** Parses section 3. @throws Grib2Error for another template, a grid across the antimeridian, or inconsistent counts */
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
  // With an alternating scan and an even number of rows, the last value is above or below the first one.
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

function readCounts(section: Section): { columns: number; rows: number } {
  const { view } = section;
  const columns = view.getUint32(30);
  const rows = view.getUint32(34);
  const points = view.getUint32(6);
  const isPossible = columns > 0 && rows > 0 && Math.max(columns, rows) <= MAX_CELLS_ACROSS;
  if (!isPossible || columns * rows > MAX_CELLS) {
    const limits = `1 to ${MAX_CELLS_ACROSS} a side and at most ${MAX_CELLS} in all`;
    throw errorIn(section, 30, `the grid has ${columns} by ${rows} cells, but ${limits} are supported`);
  }
  if (columns * rows !== points) {
    throw errorIn(
      section,
      6,
      `the grid has ${columns} by ${rows} cells, but the section announces ${points} data points`,
    );
  }
  return { columns, rows };
}

function misfit(section: Section, axis: string, last: number, at: number): Grib2Error {
  const text = `the last ${axis} is ${toDegrees(last)}, which does not fit the first one, increment and count`;
  return errorIn(section, at, text);
}

function checkTemplate(section: Section): void {
  const { view } = section;
  if (view.getUint8(5) !== 0) {
    throw errorIn(
      section,
      5,
      `the grid is defined by source ${view.getUint8(5)}, only 0 (a template) is supported`,
    );
  }
  const template = view.getUint16(12);
  if (template !== GRID_TEMPLATE) {
    throw errorIn(
      section,
      12,
      `grid template 3.${template} is not supported, only 3.0 (latitude/longitude) is`,
    );
  }
  if (view.getUint8(10) !== 0 || view.getUint8(11) !== 0) {
    throw errorIn(section, 10, "a grid whose rows differ in length is not supported");
  }
  if (view.byteLength !== GRID_TEMPLATE_BYTES) {
    throw errorIn(
      section,
      0,
      `grid template 3.0 needs ${GRID_TEMPLATE_BYTES} bytes, the section has ${view.byteLength}`,
    );
  }
  if ((view.getUint8(54) & BOTH_INCREMENTS_GIVEN) !== BOTH_INCREMENTS_GIVEN) {
    throw errorIn(section, 54, "the grid's increments are not given");
  }
}

function parseScanningMode(section: Section): ScanningMode {
  const { view } = section;
  const flags = view.getUint8(71);
  if ((flags & 0x0f) !== 0)
    throw errorIn(section, 71, `scanning mode ${flags} (offset rows) is not supported`);
  return {
    eastToWest: (flags & 0x80) !== 0,
    southToNorth: (flags & 0x40) !== 0,
    columnsFirst: (flags & 0x20) !== 0,
    alternating: (flags & 0x10) !== 0,
  };
}

/**
 * Returns an angle in microdegrees. The unit is basic angle / subdivisions degrees; a microdegree if both are 0 or
 * missing.
 */
function readAngle(section: Section, at: number): number {
  return toMicrodegrees(readSigned32(section.view, at), section, at);
}

function readIncrement(section: Section, at: number): number {
  const increment = toMicrodegrees(section.view.getUint32(at), section, at);
  if (increment <= 0) throw errorIn(section, at, "an increment of 0 degrees is not possible");
  return increment;
}

function toMicrodegrees(angle: number, section: Section, at: number): number {
  const { view } = section;
  const basicAngle = view.getUint32(38);
  const subdivisions = view.getUint32(42);
  const isMicrodegrees = basicAngle === 0 || basicAngle === MISSING_32;
  if (!isMicrodegrees && (subdivisions === 0 || subdivisions === MISSING_32)) {
    throw errorIn(section, 42, `a basic angle of ${basicAngle} needs subdivisions`);
  }
  const microdegrees = isMicrodegrees ? angle : Math.round((angle * basicAngle * 1e6) / subdivisions);
  if (Math.abs(microdegrees) > FULL_CIRCLE) {
    throw errorIn(section, at, `an angle of ${toDegrees(microdegrees)} degrees is not possible`);
  }
  return microdegrees;
}

/** Brings a longitude, or a difference of two, to more than -180 and at most 180 degrees. */
function toHalfCircle(longitude: number): number {
  const positive = ((longitude % FULL_CIRCLE) + FULL_CIRCLE) % FULL_CIRCLE;
  return positive > HALF_CIRCLE ? positive - FULL_CIRCLE : positive;
}

/**
 * Returns the western or southern edge of the cell with this center, in whole microdegrees. Centers in files went
 * through 32-bit floats (16 microdegrees off at most); on 0.005-degree grids they are rounded to whole millidegrees.
 * If such an error explains the difference, the edge is the nearest multiple of the increment.
 */
function toLowerEdge(center: number, increment: number): number {
  const edge = center - increment / 2;
  const multiple = Math.round(edge / increment) * increment;
  const floatError = Math.min(16, increment / 100);
  const isWholeMillidegrees = Math.abs(center - Math.round(center / MILLIDEGREE) * MILLIDEGREE) <= floatError;
  const halfNeedsMore = (increment / 2) % MILLIDEGREE !== 0 && increment >= 4 * MILLIDEGREE;
  const tolerance = isWholeMillidegrees && halfNeedsMore ? MILLIDEGREE / 2 + floatError : floatError;
  return Math.abs(edge - multiple) <= tolerance ? multiple : Math.round(edge);
}

function checkExtent(grid: LatLonGrid, section: Section): void {
  const eastUdeg = grid.westUdeg + grid.columns * grid.spacingXUdeg;
  const southUdeg = grid.northUdeg - grid.rows * grid.spacingYUdeg;
  if (grid.westUdeg < -HALF_CIRCLE || eastUdeg > HALF_CIRCLE) {
    throw errorIn(
      section,
      50,
      `the grid runs from ${toDegrees(grid.westUdeg)} to ${toDegrees(eastUdeg)} degrees of longitude; one that crosses the antimeridian is not supported`,
    );
  }
  if (grid.northUdeg > QUARTER_CIRCLE || southUdeg < -QUARTER_CIRCLE) {
    throw errorIn(
      section,
      46,
      `the grid runs from ${toDegrees(southUdeg)} to ${toDegrees(grid.northUdeg)} degrees of latitude, beyond a pole`,
    );
  }
}

function toDegrees(microdegrees: number): number {
  return microdegrees / 1e6;
}
