// Composes the sheets of an event: what never changes is drawn once, then layers and head of each frame. The same input
// gives the same pixels.
import type { default as SharpFactory } from "sharp";
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import type { CoverageGrid } from "../../../../shared/frames/coverage-grid.ts";
import { mercatorX, mercatorY } from "../../../../shared/geo/mercator.ts";
import type { BriefingMap } from "../atlas/load-map.ts";
import { findHatched } from "../frames/hatch.ts";
import { blendPixel, openLayer, type LayerSource } from "../frames/paint-layers.ts";
import { toLandSvg, toOverlay } from "../ground/base-map.ts";
import { createMapView, placeView, type MapView } from "../ground/map-view.ts";
import { createTypesetter, type Typesetter } from "../ground/typesetter.ts";
import { hatching } from "../still-look.ts";
import { drawFoot, type DrawnFoot } from "./sheet-foot.ts";
import { HeadDrawer } from "./sheet-head.ts";
import {
  noteColors,
  sheetColors,
  toBox,
  toDocument,
  toSheetLook,
  type SheetLook,
  type SheetSize,
} from "./sheet-look.ts";
import type { SheetFoot, SheetHead } from "./sheet-words.ts";

/** Middle and zoom as the viewer's map has them: the world is 512 pixels wide at zoom 0. */
export interface Camera {
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
}

export interface SheetOptions {
  readonly map: BriefingMap;
  readonly size: SheetSize;
  /** A camera, or the area that lies between head and foot. */
  readonly view: Camera | Bounds;
  readonly foot: SheetFoot;
  /** Those of all frames. */
  readonly heads: readonly SheetHead[];
}

export interface SheetComposer {
  /**
   * Returns opaque RGBA of the sheet, row-major from the top left. Layers are in drawing order, lowest first.
   * @throws AppError `stored-data-invalid` for a frame that cannot be read
   */
  readonly compose: (head: SheetHead, layers: readonly LayerSource[]) => Promise<Uint8Array>;
}

/** Width of the viewer's world at zoom 0. */
const worldPx = 512;

export async function createSheetComposer({
  map,
  size,
  view: wanted,
  foot,
  heads,
}: SheetOptions): Promise<SheetComposer> {
  const look = toSheetLook(size);
  const typesetter = createTypesetter(map.fonts);
  const headDrawer = new HeadDrawer(look, typesetter, heads);
  const drawnFoot = drawFoot(foot, look, typesetter);
  const [topPx, bottomPx] = [headDrawer.bottomPx, drawnFoot.topPx];
  // On a low sheet the notes may cover a part of the area: it would be too small without.
  const view = toView(wanted, size, { topPx: look.isLow ? headDrawer.factsBottomPx : topPx, bottomPx });
  const land = await rasterize(toLandSvg(map, view), size);
  const overlay = findDrawn(
    await rasterize(
      toStaticSvg({ map, view, look, typesetter, foot: drawnFoot, headPx: topPx, heads }),
      size,
    ),
  );
  const hatchedGround = createHatchedGround(land, view, look);
  return {
    async compose(head, layers) {
      const open = await Promise.all(layers.map(openLayer));
      const rgba = hatchedGround(open.find(({ coverage }) => coverage)?.coverage).slice();
      for (const layer of open) await layer.paint({ view, rgba, pixelRatio: look.pixelRatio });
      blendDrawn(rgba, overlay, 0);
      const { svg } = headDrawer.draw(head);
      const headSize = { widthPx: size.widthPx, heightPx: Math.ceil(topPx) };
      blendDrawn(rgba, findDrawn(await rasterize(toDocument(headSize, [svg]), headSize)), 0);
      if (head.message !== undefined)
        await drawMessage(rgba, head.message, { look, typesetter, topPx, bottomPx });
      return rgba;
    },
  };
}

interface FreeArea {
  readonly topPx: number;
  readonly bottomPx: number;
}

function toView(wanted: Camera | Bounds, size: SheetSize, { topPx, bottomPx }: FreeArea): MapView {
  if ("zoom" in wanted) {
    const unitsPerPx = 1 / (worldPx * 2 ** wanted.zoom);
    return placeView({ x: mercatorX(wanted.longitude), y: mercatorY(wanted.latitude), unitsPerPx }, size);
  }
  const { westX, northY, unitsPerPx } = createMapView(wanted, {
    widthPx: size.widthPx,
    heightPx: bottomPx - topPx,
  });
  const x = westX + (unitsPerPx * size.widthPx) / 2;
  const y = northY + unitsPerPx * (size.heightPx / 2 - topPx);
  return placeView({ x, y, unitsPerPx }, size);
}

interface StaticParts {
  readonly map: BriefingMap;
  readonly view: MapView;
  readonly look: SheetLook;
  readonly typesetter: Typesetter;
  readonly foot: DrawnFoot;
  readonly headPx: number;
  readonly heads: readonly SheetHead[];
}

/** Lines, names, scale, foot, and the colored edge of an event that is not live weather. */
function toStaticSvg({ map, view, look, typesetter, foot, headPx, heads }: StaticParts): string {
  const { widthPx, heightPx, unitPx, mapScale } = look;
  const taken: Bounds[] = [
    [0, 0, widthPx, headPx],
    [0, foot.topPx, widthPx, heightPx],
  ];
  const scaleBarAt = [12 * unitPx, foot.topPx - 12 * unitPx] as const;
  const overlay = toOverlay({ map, view, typesetter, taken, scale: mapScale, scaleBarAt });
  const tone = heads[0]!.notes.find((note) => note.tone === "synthetic" || note.tone === "replay")?.tone;
  const edge = tone
    ? `<rect x="${unitPx}" y="${unitPx}" width="${widthPx - 2 * unitPx}" height="${heightPx - 2 * unitPx}" fill="none" stroke="${noteColors[tone].border}" stroke-width="${2 * unitPx}"/>`
    : "";
  return toDocument(look, [overlay.svg, foot.svg, edge]);
}

/** Keeps the hatch of the last coverage, which rarely changes from frame to frame. */
function createHatchedGround(
  land: Uint8Array,
  view: MapView,
  { mapScale }: SheetLook,
): (coverage: CoverageGrid | undefined) => Uint8Array {
  let last: { readonly coverage: CoverageGrid; readonly ground: Uint8Array } | undefined;
  return (coverage) => {
    if (!coverage) return land;
    if (last && isSame(last.coverage, coverage)) return last.ground;
    const ground = land.slice();
    findHatched(coverage, view, mapScale, (at) => {
      blendPixel(ground, at, hatchColor, 0);
    });
    last = { coverage, ground };
    return ground;
  };
}

const hatchColor = Uint8Array.from(hatching.rgba);

function isSame(a: CoverageGrid, b: CoverageGrid): boolean {
  const isAligned =
    a.width === b.width && a.height === b.height && a.bounds.every((edge, at) => edge === b.bounds[at]);
  return isAligned && Buffer.compare(a.bits, b.bits) === 0;
}

interface MessagePlace extends FreeArea {
  readonly look: SheetLook;
  readonly typesetter: Typesetter;
}

async function drawMessage(
  rgba: Uint8Array,
  message: string,
  { look, typesetter, topPx, bottomPx }: MessagePlace,
): Promise<void> {
  const { widthPx, unitPx } = look;
  const size = { sizePx: 18 * unitPx, weight: "semibold" } as const;
  const lines = typesetter.wrap(message, widthPx - 64 * unitPx, size, 3);
  const width = Math.max(...lines.map((line) => typesetter.measure(line, size))) + 40 * unitPx;
  const heightPx = Math.ceil((lines.length * 25 + 24) * unitPx);
  const box = { left: (widthPx - width) / 2, top: 0, width, height: heightPx };
  const style = { ...size, fill: sheetColors.text, anchor: "middle" } as const;
  const texts = lines.map((line, index) =>
    typesetter.set(line, widthPx / 2, (12 + (index + 0.74) * 25) * unitPx, style),
  );
  const messageSize = { widthPx, heightPx };
  const svg = toDocument(messageSize, [toBox(box, sheetColors.line, unitPx), ...texts]);
  const middle = Math.round((topPx + bottomPx - heightPx) / 2);
  const top = Math.min(Math.max(0, middle), look.heightPx - heightPx);
  blendDrawn(rgba, findDrawn(await rasterize(svg, messageSize)), top * widthPx);
}

/** The pixels of a sheet that are not transparent. */
interface DrawnPixels {
  readonly rgba: Uint8Array;
  /** Positions of the pixels, opaque ones apart. */
  readonly opaque: Uint32Array;
  readonly translucent: Uint32Array;
}

function findDrawn(rgba: Uint8Array): DrawnPixels {
  const [opaque, translucent] = [new Uint32Array(rgba.length / 4), new Uint32Array(rgba.length / 4)];
  let [opaqueCount, translucentCount] = [0, 0];
  for (let pixel = 0; pixel < opaque.length; pixel++) {
    const opacity = rgba[pixel * 4 + 3]!;
    if (opacity === 255) opaque[opaqueCount++] = pixel;
    else if (opacity > 0) translucent[translucentCount++] = pixel;
  }
  return { rgba, opaque: opaque.slice(0, opaqueCount), translucent: translucent.slice(0, translucentCount) };
}

/** @param offset pixels of `rgba` before the first one */
function blendDrawn(
  rgba: Uint8Array,
  { rgba: over, opaque, translucent }: DrawnPixels,
  offset: number,
): void {
  const under = new Uint32Array(rgba.buffer);
  const plain = new Uint32Array(over.buffer);
  for (const pixel of opaque) under[offset + pixel] = plain[pixel]!;
  for (const pixel of translucent) blendPixel(rgba, (offset + pixel) * 4, over, pixel * 4);
}

/** Returns RGBA, not premultiplied. */
async function rasterize(svg: string, { widthPx, heightPx }: SheetSize): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const pixels = await sharp(Buffer.from(svg), { limitInputPixels: widthPx * heightPx, unlimited: true })
    .ensureAlpha()
    .raw()
    .toBuffer();
  // A copy of its own is aligned.
  return new Uint8Array(pixels);
}

async function loadSharp(): Promise<typeof SharpFactory> {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  return sharp;
}
