// Which cells of a frame each pixel of a still shows. Where a pixel is smaller than a cell, the cell that holds its centre;
// where it is larger, all cells whose centres it holds, so that no small core of a storm falls between two pixels.
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import { mercatorX, mercatorY } from "../../../../shared/geo/mercator.ts";
import type { MapView } from "../stills/map-view.ts";

/** For each pixel along an axis, the cells `starts[p] … ends[p] - 1`; none where they are equal. */
export interface AxisCells {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

export interface SampleGrid {
  readonly columns: AxisCells;
  readonly rows: AxisCells;
}

export interface FrameSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** `gathers` false takes the cell at each pixel's centre alone, whatever the scale. */
export function createSampleGrid(
  bounds: Bounds,
  size: FrameSize,
  view: MapView,
  gathers: boolean,
): SampleGrid {
  const [west, south, east, north] = bounds;
  const [left, top] = [mercatorX(west), mercatorY(north)];
  const cellX = (mercatorX(east) - left) / size.widthPx;
  const cellY = (mercatorY(south) - top) / size.heightPx;
  return {
    columns: toAxis({
      pixels: view.widthPx,
      cells: size.widthPx,
      // In cells: where the first pixel begins, and how long a pixel is.
      from: (view.westX - left) / cellX,
      step: view.unitsPerPx / cellX,
      gathers,
    }),
    rows: toAxis({
      pixels: view.heightPx,
      cells: size.heightPx,
      from: (view.northY - top) / cellY,
      step: view.unitsPerPx / cellY,
      gathers,
    }),
  };
}

interface Axis {
  readonly pixels: number;
  readonly cells: number;
  readonly from: number;
  readonly step: number;
  readonly gathers: boolean;
}

function toAxis({ pixels, cells, from, step, gathers }: Axis): AxisCells {
  const starts = new Int32Array(pixels);
  const ends = new Int32Array(pixels);
  const within = (cell: number): number => Math.min(cells, Math.max(0, cell));
  for (let pixel = 0; pixel < pixels; pixel++) {
    const centre = Math.floor(from + (pixel + 0.5) * step);
    const first = gathers && step > 1 ? Math.ceil(from + pixel * step - 0.5) : centre;
    const end = gathers && step > 1 ? Math.ceil(from + (pixel + 1) * step - 0.5) : centre + 1;
    starts[pixel] = within(first);
    ends[pixel] = within(end);
  }
  return { starts, ends };
}

/** For each cell along an axis, the pixels that show it: `starts[c] … ends[c] - 1`. */
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
