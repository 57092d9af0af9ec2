// Renders one field as one frame: classify, crop, project, encode.
import { createHash } from "node:crypto";
import { AppError } from "../../../shared/app-error.ts";
import { maxFramePixels } from "../../../shared/contract/frame-format.ts";
import { blockBounds, gridBounds } from "../../../shared/geo/grid.ts";
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import { mercatorMaxLatitude } from "../../../shared/geo/mercator.ts";
import { projectRows } from "../../../shared/geo/project-rows.ts";
import { classEdges, type Product } from "../../../shared/products/product.ts";
import type { Bounds } from "../../../shared/contract/primitives.ts";
import { FILTER_CODES } from "../../../shared/png/unfilter.ts";
import type { Message } from "../grib2/message.ts";
import { visitFieldRows } from "../grib2/visit-rows.ts";
import { createClassifier } from "./classifier.ts";
import { createClassPlaneBuilder } from "./class-plane.ts";
import type { ClassPlane } from "./class-plane.ts";
import { encodeFramePng } from "./frame-png.ts";
import type { FramePicture } from "./frame-png.ts";
import type { WorkBuffers } from "./work-buffers.ts";

/** One field of one product as an indexed PNG in Web Mercator. */
export interface Frame {
  /** The whole file. The same field always gives the same bytes. */
  readonly png: Uint8Array;
  /** SHA-256 of `png`, 64 lower-case hexadecimal digits. */
  readonly frameId: string;
  /** Exact outer edges of the picture, `[west, south, east, north]` in degrees. */
  readonly bounds: Bounds;
  readonly widthPx: number;
  readonly heightPx: number;
  /** The number of grid cells (not pixels) with a class; 0 for a frame of one transparent pixel over the whole grid. */
  readonly drawnCells: number;
  /** Highest class index; 0 if nothing is drawn. Class k of the product has index k + 1. */
  readonly maxClass: number;
}

/**
 * Renders the field of a message as a frame of a product.
 * @throws AppError `source-invalid` if the field is damaged or does not fit into Web Mercator
 */
export async function renderFrame(message: Message, product: Product, buffers: WorkBuffers): Promise<Frame> {
  const { grid, packing } = message.header;
  checkLatitudes(grid);
  const cells = buffers.take(grid.columns * grid.rows);
  const builder = createClassPlaneBuilder(grid, createClassifier(product, packing), cells);
  await visitFieldRows(message, builder.addRow);
  const plane = builder.finish();
  const { coverage, drawnBlock, drawnCells, maxClass } = plane;
  const bounds = drawnBlock ? blockBounds(grid, drawnBlock) : gridBounds(grid);
  const picture = toPicture(plane, grid);
  const classes = { product: product.id, unit: product.unit, edges: classEdges(product) };
  const png = await encodeFramePng({ ...picture, classes, coverage });
  const frameId = createHash("sha256").update(png).digest("hex");
  const { widthPx, heightPx } = picture;
  return { png, frameId, bounds, widthPx, heightPx, drawnCells, maxClass };
}

function checkLatitudes(grid: LatLonGrid): void {
  const [, south, , north] = gridBounds(grid);
  if (south >= -mercatorMaxLatitude && north <= mercatorMaxLatitude) return;
  throw new AppError(
    "source-invalid",
    `The grid reaches from latitude ${south} to ${north}, but Web Mercator ends at ${mercatorMaxLatitude.toFixed(2)}.`,
  );
}

/** Returns the drawn block, projected, as PNG scanlines; one transparent pixel if nothing is drawn. */
function toPicture(
  { differences, drawnBlock }: ClassPlane,
  grid: LatLonGrid,
): Pick<FramePicture, "widthPx" | "heightPx" | "writeScanline"> {
  if (!drawnBlock) return { widthPx: 1, heightPx: 1, writeScanline: (_row, line) => void line.fill(0) };
  const rows = projectRows(grid, drawnBlock);
  const widthPx = drawnBlock.columnEnd - drawnBlock.columnStart;
  if (rows.length * widthPx > maxFramePixels) {
    throw new AppError(
      "source-invalid",
      `The frame would have ${widthPx} by ${rows.length} pixels, more than the ${maxFramePixels} that a frame may have.`,
    );
  }
  const { columnStart, columnEnd } = drawnBlock;
  const writeScanline = (pixelRow: number, line: Uint8Array): void => {
    const row = rows[pixelRow]!;
    if (pixelRow > 0 && row === rows[pixelRow - 1]) {
      // The same grid row again.
      line.fill(0);
      line[0] = FILTER_CODES.up;
      return;
    }
    line[0] = FILTER_CODES.sub;
    line.set(differences.subarray(row * grid.columns + columnStart, row * grid.columns + columnEnd), 1);
  };
  return { widthPx, heightPx: rows.length, writeScanline };
}
