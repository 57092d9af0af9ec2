// The picture of a map off screen in three parts: what lies under the storm, the storm, and what lies over it. The
// first and the last stay from revision to revision, and are read anew only when MapLibre has drawn something else.
import type { Map as MapLibreMap } from "maplibre-gl";
import { blend, divideByAlpha } from "./pixel-blend.ts";
import type { StillLayer } from "./still-layer.ts";

export type PaintPicture = (context: CanvasRenderingContext2D) => void;

/** Pixels of the map of which few are drawn. */
interface SparsePixels {
  readonly places: Uint32Array;
  readonly pixels: Uint32Array;
}

export class MapParts {
  readonly #map: MapLibreMap;
  readonly #layer: StillLayer;
  readonly #isOpaque: boolean;
  readonly #scratch = document.createElement("canvas");
  #under = new Uint32Array();
  #over: SparsePixels = toSparse(new Uint32Array());
  #image = new ImageData(1, 1);
  #isStale = true;

  constructor(map: MapLibreMap, layer: StillLayer, isOpaque: boolean) {
    this.#map = map;
    this.#layer = layer;
    this.#isOpaque = isOpaque;
    map.on("render", () => {
      this.#isStale = true;
    });
    for (const change of ["move", "resize"] as const) {
      map.on(change, () => {
        layer.move();
      });
    }
  }

  /** Takes the picture of now, and returns what paints it over all of a canvas. */
  take(): PaintPicture {
    if (this.#isStale) this.#split();
    const paintStorm = this.#layer.takePicture();
    return (context) => {
      const image = this.#image;
      const pixels = new Uint32Array(image.data.buffer);
      paintStorm(pixels, this.#under);
      const { places, pixels: over } = this.#over;
      for (let at = 0; at < places.length; at++) {
        const place = places[at]!;
        pixels[place] = blend(pixels[place]!, over[at]!);
      }
      if (!this.#isOpaque) divideByAlpha(image.data);
      this.#put(context);
    };
  }

  #put(context: CanvasRenderingContext2D): void {
    const image = this.#image;
    const { width, height } = context.canvas;
    if (image.width === width && image.height === height) {
      context.putImageData(image, 0, 0);
      return;
    }
    // MapLibre rounds the size of its canvas down.
    this.#scratch.width = image.width;
    this.#scratch.height = image.height;
    this.#scratch.getContext("2d")!.putImageData(image, 0, 0);
    context.clearRect(0, 0, width, height);
    context.drawImage(this.#scratch, 0, 0, width, height);
  }

  /** Has MapLibre draw the map once; halfway, where the storm would be drawn, its canvas starts anew. */
  #split(): void {
    const { width, height } = this.#map.getCanvas();
    let readOver = (): Uint32Array<ArrayBuffer> => new Uint32Array(width * height);
    this.#layer.inPlace = (gl) => {
      this.#under = readPixels(gl, width, height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      readOver = () => readPixels(gl, width, height);
    };
    this.#map.redraw();
    this.#layer.inPlace = undefined;
    this.#over = toSparse(readOver());
    if (this.#image.width !== width || this.#image.height !== height)
      this.#image = new ImageData(width, height);
    this.#isStale = false;
  }
}

/** Returns the rows from the north. */
function readPixels(gl: WebGL2RenderingContext, widthPx: number, heightPx: number): Uint32Array<ArrayBuffer> {
  const upward = new Uint32Array(widthPx * heightPx);
  gl.readPixels(0, 0, widthPx, heightPx, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(upward.buffer));
  const pixels = new Uint32Array(upward.length);
  for (let row = 0; row < heightPx; row++) {
    const start = (heightPx - 1 - row) * widthPx;
    pixels.set(upward.subarray(start, start + widthPx), row * widthPx);
  }
  return pixels;
}

function toSparse(all: Uint32Array): SparsePixels {
  const places = new Uint32Array(all.length);
  let count = 0;
  // A plain loop: there are millions.
  for (let place = 0; place < all.length; place++) if (all[place] !== 0) places[count++] = place;
  const drawn = places.slice(0, count);
  return { places: drawn, pixels: drawn.map((place) => all[place]!) };
}
