// Reads a frame of classes row by row, onto the pixels of a still and into numbers. Never holds the whole frame.
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import type { FrameClasses } from "../../../../shared/contract/frame-metadata.ts";
import { findStop } from "../../../../shared/products/find-stop.ts";
import { firstMarkedIndex, growMarks, markSizePx } from "../../../../shared/frames/marks.ts";
import type { IndexedFrameParts } from "../../../../shared/frames/read-frame.ts";
import { latitudeOfY, longitudeOfX, mercatorX, mercatorY } from "../../../../shared/geo/mercator.ts";
import { boxAreaKm2 } from "../../../../shared/geo/sphere.ts";
import type { Product } from "../../../../shared/products/product.ts";
import { streamPngRows } from "../../../platform/png/read.ts";
import type { MapView } from "../ground/map-view.ts";
import type { FrameFacts } from "./still-facts.ts";
import { createSampleGrid, toPixelsOfCells, type SampleGrid } from "./sample-grid.ts";

export interface ClassFrame {
  readonly parts: IndexedFrameParts;
  readonly bounds: Bounds;
  readonly product: Product;
}

export interface SampleNeeds {
  /** Size of marks on the picture; 1 is that of the viewer. */
  readonly pixelRatio: number;
  /** True to read the numbers of the whole frame too. */
  readonly facts: boolean;
}

export interface SampledClasses {
  /** view.heightPx rows of view.widthPx palette indices; 0 where the frame draws nothing or ends. */
  readonly indices: Uint8Array;
  /** Undefined if they were not asked for, and for a frame without a class table. */
  readonly facts: FrameFacts | undefined;
}

/** @throws PngError for a damaged picture */
export async function sampleClasses(
  frame: ClassFrame,
  view: MapView,
  needs: SampleNeeds,
): Promise<SampledClasses> {
  const { header, classes } = frame.parts;
  const grid = createSampleGrid(frame.bounds, header, view, classes !== undefined);
  const indices = new Uint8Array(view.widthPx * view.heightPx);
  const draw = createRowDrawer(grid, header.heightPx, indices);
  const count = needs.facts ? createRowCounter(frame) : undefined;
  await streamPngRows(frame.parts, (row, samples) => {
    // An 8-bit palette picture has one byte per sample.
    const line = samples as Uint8Array;
    draw(row, line);
    count?.add(row, line);
  });
  const markedFrom = grid.isCoarse && classes ? firstMarkedIndex(classes) : undefined;
  const { widthPx, heightPx } = view;
  return {
    indices:
      markedFrom === undefined
        ? indices
        : growMarks({ widthPx, heightPx, indices }, markedFrom, markSizePx * needs.pixelRatio),
    facts: classes && count?.toFacts(classes),
  };
}

/** Draws the highest cell of each pixel; a higher class is a higher value. */
function createRowDrawer(
  { columns, rows }: SampleGrid,
  rowCount: number,
  indices: Uint8Array,
): (row: number, line: Uint8Array) => void {
  const width = columns.starts.length;
  const pixelRows = toPixelsOfCells(rows, rowCount);
  const sampled = new Uint8Array(width);
  return (row, line) => {
    const first = pixelRows.starts[row]!;
    const end = pixelRows.ends[row]!;
    if (end <= first) return;
    // Pixels before and after these show nothing of the row.
    let [from, to] = [width, 0];
    for (let pixel = 0; pixel < width; pixel++) {
      const last = columns.ends[pixel]!;
      let highest = 0;
      for (let column = columns.starts[pixel]!; column < last; column++) {
        if (line[column]! > highest) highest = line[column]!;
      }
      sampled[pixel] = highest;
      if (highest > 0) {
        if (from > pixel) from = pixel;
        to = pixel + 1;
      }
    }
    for (let pixelRow = first; pixelRow < end; pixelRow++) {
      const at = pixelRow * width;
      for (let pixel = from; pixel < to; pixel++) {
        if (sampled[pixel]! > indices[at + pixel]!) indices[at + pixel] = sampled[pixel]!;
      }
    }
  };
}

interface RowCounter {
  readonly add: (row: number, line: Uint8Array) => void;
  readonly toFacts: (classes: FrameClasses) => FrameFacts;
}

function createRowCounter({ parts, bounds, product }: ClassFrame): RowCounter {
  const { widthPx, heightPx } = parts.header;
  const [west, south, east, north] = bounds;
  const [left, top] = [mercatorX(west), mercatorY(north)];
  const [stepX, stepY] = [(mercatorX(east) - left) / widthPx, (mercatorY(south) - top) / heightPx];
  const areas = new Float64Array(256);
  const counts = new Uint32Array(256);
  let highest = { index: 0, column: 0, row: 0 };
  return {
    add(row, line) {
      counts.fill(0);
      for (const index of line) counts[index]!++;
      const area = boxAreaKm2(
        (east - west) / widthPx,
        latitudeOfY(top + (row + 1) * stepY),
        latitudeOfY(top + row * stepY),
      );
      let index = 0;
      counts.forEach((count, at) => {
        if (count === 0) return;
        areas[at]! += count * area;
        index = at;
      });
      // Takes the northernmost of equals, then the westernmost, so that the result never varies.
      if (index > highest.index) highest = { index, column: line.indexOf(index), row };
    },
    toFacts({ edges }) {
      const stopAreas = product.stops.map(() => 0);
      edges.forEach((edge, at) => {
        stopAreas[findStop(product, edge)]! += areas[at + 1]!;
      });
      const { index, column, row } = highest;
      const from = edges[index - 1];
      return {
        highest:
          from === undefined
            ? null
            : {
                from,
                to: edges[index] ?? null,
                longitude: rounded(longitudeOfX(left + (column + 0.5) * stepX), 1e4),
                latitude: rounded(latitudeOfY(top + (row + 0.5) * stepY), 1e4),
              },
        stopAreasKm2: stopAreas.map((area) => rounded(area, 1e3)),
      };
    },
  };
}

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
