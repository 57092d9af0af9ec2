// Maps pixels of a still to cells of a frame. A pixel smaller than a cell shows the cell under its center; a larger
// pixel shows all cells whose centers it contains, so that no small storm core is lost between two pixels.
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import { mercatorX, mercatorY } from "../../../../shared/geo/mercator.ts";
import type { MapView } from "../ground/map-view.ts";

/** Cells `starts[p] … ends[p] - 1` of each pixel p along an axis; none if they are equal. */
export interface AxisCells {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

export interface SampleGrid {
  readonly columns: AxisCells;
  readonly rows: AxisCells;
  /** True if a pixel is larger than a cell. */
  readonly isCoarse: boolean;
}

/** With `gathers` false, each pixel shows only the cell under its center at every scale. */
export function createSampleGrid(
  bounds: Bounds,
  size: { readonly widthPx: number; readonly heightPx: number },
  view: MapView,
  gathers: boolean,
): SampleGrid {
  const [west, south, east, north] = bounds;
  const [left, top] = [mercatorX(west), mercatorY(north)];
  const cellX = (mercatorX(east) - left) / size.widthPx;
  const cellY = (mercatorY(south) - top) / size.heightPx;
  const [stepX, stepY] = [view.unitsPerPx / cellX, view.unitsPerPx / cellY];
  return {
    isCoarse: Math.max(stepX, stepY) > 1,
    columns: toAxis({
      pixels: view.widthPx,
      cells: size.widthPx,
      from: (view.westX - left) / cellX,
      step: stepX,
      gathers,
    }),
    rows: toAxis({
      pixels: view.heightPx,
      cells: size.heightPx,
      from: (view.northY - top) / cellY,
      step: stepY,
      gathers,
    }),
  };
}

interface Axis {
  readonly pixels: number;
  readonly cells: number;
  /** Start of the first pixel, in cells. */
  readonly from: number;
  /** Length of a pixel, in cells. */
  readonly step: number;
  readonly gathers: boolean;
}

function toAxis({ pixels, cells, from, step, gathers }: Axis): AxisCells {
  const starts = new Int32Array(pixels);
  const ends = new Int32Array(pixels);
  const within = (cell: number): number => Math.min(cells, Math.max(0, cell));
  for (let pixel = 0; pixel < pixels; pixel++) {
    const center = Math.floor(from + (pixel + 0.5) * step);
    const first = gathers && step > 1 ? Math.ceil(from + pixel * step - 0.5) : center;
    const end = gathers && step > 1 ? Math.ceil(from + (pixel + 1) * step - 0.5) : center + 1;
    starts[pixel] = within(first);
    ends[pixel] = within(end);
  }
  return { starts, ends };
}

/** Returns the pixels `starts[c] … ends[c] - 1` that show each cell c along an axis. */
export function toPixelsOfCells({ starts, ends }: AxisCells, cells: number): AxisCells {
  const firsts = new Int32Array(cells).fill(-1);
  const lasts = new Int32Array(cells).fill(-1);
  starts.forEach((start, pixel) => {
    for (let cell = start; cell < ends[pixel]!; cell++) {
      if (firsts[cell]! < 0) firsts[cell] = pixel;
      lasts[cell] = pixel + 1;
    }
  });
  return { starts: firsts, ends: lasts };
}
