// Paints the hatch outside radar coverage on pixels.
import type { CoverageGrid } from "../../../shared/frames/coverage-grid.ts";
import { findCells } from "../../frames/screen/class-pixels.ts";
import { findCellView } from "../../frames/screen/screen-geometry.ts";
import { isSameCoverage, toCoverageMask, type CoverageMask } from "../coverage-mask.ts";
import { hatchColor, hatchOpacity, toHatchPattern } from "../hatch-pattern.ts";
import { blend, toPixel } from "./pixel-blend.ts";
import type { StillView } from "./still-view.ts";

export class HatchPixels {
  #lastMask: { readonly grid: CoverageGrid; readonly mask: CoverageMask } | undefined;
  #lastGround:
    | { readonly ground: Uint32Array; readonly view: StillView; readonly hatched: Uint32Array }
    | undefined;

  /** Paints the ground, and the hatch over it as the shader does. */
  paint(pixels: Uint32Array, ground: Uint32Array, grid: CoverageGrid, view: StillView): void {
    const mask = this.#findMask(grid);
    const hatched = this.#findHatched(ground, view);
    const { widthPx, heightPx } = view.screen;
    const cells = findCellView(mask, view.transform, view.screen);
    const edges = findEdges(findCells(cells, 0, widthPx), mask.widthPx);
    const rows = findCells(cells, 1, heightPx);
    pixels.set(ground);
    let spans: readonly Span[] = [];
    for (let y = 0; y < heightPx; y++) {
      if (y === 0 || rows[y] !== rows[y - 1]) spans = findUncovered(mask, rows[y]!, edges, widthPx);
      const start = (heightPx - 1 - y) * widthPx;
      for (const { from, to } of spans) pixels.set(hatched.subarray(start + from, start + to), start + from);
    }
  }

  #findMask(grid: CoverageGrid): CoverageMask {
    if (!this.#lastMask || !isSameCoverage(grid, this.#lastMask.grid))
      this.#lastMask = { grid, mask: toCoverageMask(grid) };
    return this.#lastMask.mask;
  }

  /** Returns the ground with the hatch on all of it. */
  #findHatched(ground: Uint32Array, view: StillView): Uint32Array {
    if (this.#lastGround?.ground !== ground || this.#lastGround.view !== view)
      this.#lastGround = { ground, view, hatched: toHatched(ground, view) };
    return this.#lastGround.hatched;
  }
}

function toHatched(ground: Uint32Array, { transform, screen, pixelRatio }: StillView): Uint32Array {
  const { widthPx, heightPx } = screen;
  const lines = findLines(widthPx + heightPx, toHatchPattern(transform, screen, pixelRatio));
  const hatched = ground.slice();
  for (let y = 0; y < heightPx; y++) {
    const start = (heightPx - 1 - y) * widthPx;
    for (let x = 0; x < widthPx; x++) {
      const line = lines[x + y]!;
      if (line !== 0) hatched[start + x] = blend(hatched[start + x]!, line);
    }
  }
  return hatched;
}

/** Pixels of a row, half open. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the first pixel at or beyond the west edge of each column, and of the one after the last. */
function findEdges(columnsOfPixels: Int32Array, columns: number): Int32Array {
  const edges = new Int32Array(columns + 1);
  let pixel = 0;
  for (let column = 0; column <= columns; column++) {
    while (pixel < columnsOfPixels.length && columnsOfPixels[pixel]! < column) pixel += 1;
    edges[column] = pixel;
  }
  return edges;
}

/** Returns the pixels outside coverage where a screen of `widthPx` shows a row of the mask. */
function findUncovered(mask: CoverageMask, row: number, edges: Int32Array, widthPx: number): Span[] {
  if (row < 0 || row >= mask.heightPx) return [{ from: 0, to: widthPx }];
  const { cells, widthPx: columns } = mask;
  const spans: Span[] = [];
  let from = 0;
  for (let column = 0, cell = row * columns; column < columns; column++, cell++) {
    if (cells[cell] === 0) continue;
    if (from < edges[column]!) spans.push({ from, to: edges[column]! });
    from = edges[column + 1]!;
  }
  if (from < widthPx) spans.push({ from, to: widthPx });
  return spans;
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
