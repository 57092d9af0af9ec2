// Seeded frames of CONUS size as the service publishes them: 7000 × 4296 palette indices, all inside coverage. A tenth
// of the cells has echo, as rough from cell to cell as real echo; one in hundreds has hail.
import { deflateSync } from "node:zlib";
import { createRandom } from "../../electron/pipeline/demo/random.ts";
import { encodePng } from "../../electron/platform/png/write.ts";
import { frameCoverageKeyword } from "../../shared/contract/frame-format.ts";
import type { FrameCoverage } from "../../shared/contract/frame-metadata.ts";
import { mesh } from "../../shared/products/mesh.ts";
import { classEdges, stopOfClass, type Product } from "../../shared/products/product.ts";
import { defaultPalette, stopColors, toRgba } from "../../shared/products/palettes.ts";
import { reflectivity } from "../../shared/products/reflectivity.ts";

export const conusFrameBounds = [-130, 20, -60, 55] as const;
const widthPx = 7000;
const heightPx = 4296;
/** Width in cells of one patch of the smooth field that the storms are cut from. */
const patchPx = 180;

/** The product, and the level of the smooth field from which a cell has a class. */
const looks = {
  echo: { product: reflectivity, from: 0.68 },
  hail: { product: mesh, from: 0.93 },
} as const;

/** Returns one frame as PNG bytes; each seed gives different weather. */
export function createConusFrame(seed: number, look: keyof typeof looks = "echo"): Uint8Array {
  const { product, from } = looks[look];
  const random = createRandom(seed);
  const columns = Math.ceil(widthPx / patchPx) + 2;
  const field = Float32Array.from({ length: columns * (Math.ceil(heightPx / patchPx) + 2) }, random);
  const edges = classEdges(product);
  const rows = new Uint8Array(widthPx * heightPx);
  for (let row = 0; row < heightPx; row++) {
    const y = row / patchPx;
    for (let column = 0; column < widthPx; column++) {
      const level = interpolate(field, columns, column / patchPx, y);
      if (level < from) continue;
      const index = 1 + (level - from) * 320 + random() * 3;
      rows[row * widthPx + column] = Math.min(edges.length, index);
    }
  }
  return encodePng({
    widthPx,
    heightPx,
    bitDepth: 8,
    colorType: "palette",
    rows,
    palette: createPalette(product),
    transparency: Uint8Array.of(0),
    texts: [
      {
        keyword: "echotop:classes",
        text: JSON.stringify({ product: product.id, unit: product.unit, edges }),
      },
      { keyword: frameCoverageKeyword, text: JSON.stringify(wholeCoverage()) },
    ],
    filter: "sub",
    strategy: "rle",
  });
}

/** The whole grid at a tenth of a degree, every cell covered. */
function wholeCoverage(): FrameCoverage {
  const [width, height] = [700, 350];
  const bits = new Uint8Array((width * height) / 8).fill(0xff);
  return { bounds: [...conusFrameBounds], width, height, bits: deflateSync(bits).toString("base64") };
}

function createPalette(product: Product): Uint8Array {
  const stops = stopOfClass(product);
  const colors = stopColors(product, defaultPalette).map(toRgba);
  const palette = new Uint8Array((stops.length + 1) * 3);
  stops.forEach((stop, index) => {
    palette.set(colors[stop]!.slice(0, 3), (index + 1) * 3);
  });
  return palette;
}

function interpolate(field: Float32Array, columns: number, x: number, y: number): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const right = smooth(x - column);
  const down = smooth(y - row);
  const at = row * columns + column;
  const top = field[at]! * (1 - right) + field[at + 1]! * right;
  const bottom = field[at + columns]! * (1 - right) + field[at + columns + 1]! * right;
  return top * (1 - down) + bottom * down;
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t);
}
