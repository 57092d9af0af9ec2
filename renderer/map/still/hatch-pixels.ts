// Paints the hatch outside radar coverage on pixels.
import type { CoverageGrid } from "../../../shared/frames/coverage-grid.ts";
import { isSameCoverage, toCoverageMask, type CoverageMask } from "../coverage-mask.ts";
import { hatchColor, hatchOpacity, toHatchPattern } from "../hatch-pattern.ts";
import { findCellView } from "../../frames/screen/screen-geometry.ts";
import { findCells } from "../../frames/screen/class-pixels.ts";
import { blendSparse, toPixel, type SparsePixels } from "./pixel-blend.ts";
import type { StillView } from "./still-view.ts";

export class HatchPixels {
  /** Frames of an event seldom differ in coverage, and a loop stays in its place. */
  #last: { readonly grid: CoverageGrid; readonly view: StillView; readonly hatch: SparsePixels } | undefined;

  /** The same as the shader of the hatch. */
  paint(pixels: Uint32Array, grid: CoverageGrid, view: StillView): void {
    if (this.#last?.view !== view || !isSameCoverage(grid, this.#last.grid))
      this.#last = { grid, view, hatch: findHatch(toCoverageMask(grid), view) };
    blendSparse(pixels, this.#last.hatch);
  }
}

function findHatch(mask: CoverageMask, { transform, screen, pixelRatio }: StillView): SparsePixels {
  const { widthPx, heightPx } = screen;
  const cells = findCellView(mask, transform, screen);
  const columns = findCells(cells, 0, widthPx);
  const rows = findCells(cells, 1, heightPx);
  const lines = findLines(widthPx + heightPx, toHatchPattern(transform, screen, pixelRatio));
  const places = new Uint32Array(widthPx * heightPx);
  const pixels = new Uint32Array(widthPx * heightPx);
  let count = 0;
  for (let y = 0; y < heightPx; y++) {
    const row = rows[y]!;
    const isRow = row >= 0 && row < mask.heightPx;
    const start = (heightPx - 1 - y) * widthPx;
    for (let x = 0; x < widthPx; x++) {
      const line = lines[x + y]!;
      if (line === 0) continue;
      const column = columns[x]!;
      if (isRow && column >= 0 && column < mask.widthPx && mask.cells[row * mask.widthPx + column] !== 0)
        continue;
      places[count] = start + x;
      pixels[count++] = line;
    }
  }
  return { places: places.slice(0, count), pixels: pixels.slice(0, count) };
}

/** Returns the pixel of the lines for each diagonal, from the lower left; 0 between them. */
function findLines(
  diagonals: number,
  [distancePx, offsetPx]: readonly [distancePx: number, offsetPx: number],
): Uint32Array {
  const [red, green, blue] = hatchColor;
  return Uint32Array.from({ length: diagonals }, (_, sum) => {
    const line = 1.5 - Math.abs(((sum + 1 + offsetPx) % distancePx) - distancePx / 2);
    const opacity = Math.min(Math.max(line, 0), 1) * hatchOpacity;
    return toPixel(255 * red, 255 * green, 255 * blue, opacity);
  });
}
