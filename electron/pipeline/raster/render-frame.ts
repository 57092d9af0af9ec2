// One field to one frame: classify, crop, project, encode.
import { createHash } from "node:crypto";
import { AppError } from "../../../shared/app-error.ts";
import { maxFramePixels } from "../../../shared/contract/frame-limits.ts";
import { blockBounds, gridBounds } from "../../../shared/geo/grid.ts";
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import { mercatorMaxLatitude } from "../../../shared/geo/mercator.ts";
import type { Product } from "../../../shared/products/product.ts";
import { FILTER_CODES } from "../../../shared/png/unfilter.ts";
import type { Message } from "../grib2/message.ts";
import { visitFieldRows } from "../grib2/visit-rows.ts";
import { createClassifier } from "./classifier.ts";
import { createClassPlaneBuilder } from "./class-plane.ts";
import type { ClassPlane } from "./class-plane.ts";
import type { Frame } from "./rendered-frame.ts";
import { encodeFramePng } from "./frame-png.ts";
import type { FramePicture } from "./frame-png.ts";
import { projectRows } from "./project-rows.ts";
import type { WorkBuffers } from "./work-buffers.ts";

/**
 * Renders the field of a message as a frame of a product.
 * @throws Grib2Error when the field is damaged; AppError `source-invalid` when it cannot be shown in Web Mercator
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
  const png = await encodeFramePng({ ...picture, product, coverage });
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

/** The crop of what is drawn, projected, as PNG scanlines; one transparent pixel when nothing is. */
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
      `A frame of ${widthPx} by ${rows.length} pixels is more than the ${maxFramePixels} that a frame may have.`,
    );
  }
  const { columnStart, columnEnd } = drawnBlock;
  const writeScanline = (pixelRow: number, line: Uint8Array): void => {
    const row = rows[pixelRow]!;
    if (pixelRow > 0 && row === rows[pixelRow - 1]) {
      // The same cells again: no difference to the row above.
      line.fill(0);
      line[0] = FILTER_CODES.up;
      return;
    }
    line[0] = FILTER_CODES.sub;
    line.set(differences.subarray(row * grid.columns + columnStart, row * grid.columns + columnEnd), 1);
  };
  return { widthPx, heightPx: rows.length, writeScanline };
}
