// Composes the stills of an event: the base map once, then frame, lines and furniture of each. The same input gives the same
// bytes on the same version.
import type { default as SharpFactory, Sharp } from "sharp";
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import type { BriefingMap, MapPlace } from "../atlas/load-map.ts";
import { drawFrame, type FrameSource } from "../frames/draw-frame.ts";
import type { ClassRange, FrameFacts } from "../frames/frame-facts.ts";
import { toLandSvg, toOverlay } from "./base-map.ts";
import { signBox, sourcesWidthPx, toFurnitureSvg } from "./furniture.ts";
import type { StillWords } from "./still-words.ts";
import { headPx, mapSize, stillSize } from "./look.ts";
import { createMapView, type MapView } from "./map-view.ts";
import { createTypesetter } from "./typesetter.ts";

export interface StillRequest {
  readonly frame: FrameSource;
  readonly words: Omit<StillWords, "emptiness" | "hasCoverage" | "highest">;
  /** What is said where the frame draws nothing. */
  readonly emptiness: string;
  /** The words for a class, such as `68.5 to 69 dBZ`. */
  readonly toValue: (value: ClassRange) => string;
}

export interface ComposedStill {
  readonly png: Uint8Array;
  /** Undefined for a picture of another service that carries no classes. */
  readonly facts: FrameFacts | undefined;
}

export interface StillComposer {
  /** The places that the stills name, the most important first. */
  readonly places: readonly MapPlace[];
  /** @throws AppError `stored-data-invalid` for a frame that cannot be read */
  readonly compose: (request: StillRequest) => Promise<ComposedStill>;
}

export interface ComposerOptions {
  readonly map: BriefingMap;
  /** What every still shows, in degrees. */
  readonly bounds: Bounds;
  /** Of an event that did not happen, or not now. */
  readonly mark: string | undefined;
}

interface Raster {
  readonly input: Buffer;
  readonly raw: { width: number; height: number; channels: 4 };
}

/** The box of the line of sources at the lower right, in pixels of the map. */
const sourcesBox: Bounds = [
  mapSize.widthPx - sourcesWidthPx,
  mapSize.heightPx - 40,
  mapSize.widthPx,
  mapSize.heightPx,
];

export function createStillComposer({ map, bounds, mark }: ComposerOptions): StillComposer {
  const view = createMapView(bounds, mapSize);
  const typesetter = createTypesetter(map.fonts);
  const taken: Bounds[] = [sourcesBox];
  if (mark !== undefined) taken.push([...signBox(mark, typesetter)]);
  const overlay = toOverlay(map, view, typesetter, taken);
  let sheets: Promise<{ land: Raster; lines: Raster }> | undefined;
  return {
    places: overlay.places,
    async compose({ frame, words, emptiness, toValue }) {
      // Drawn when the first still is: a publication in which nothing changed draws none.
      sheets ??= drawSheets(toLandSvg(map, view), overlay.svg);
      const { land, lines } = await sheets;
      const { rgba, facts, hasCoverage } = await drawFrame(frame, view);
      const furniture = toFurnitureSvg(
        {
          ...words,
          hasCoverage,
          emptiness: facts?.highest === null ? emptiness : undefined,
          highest: facts?.highest ? toCallout(facts.highest, toValue, view) : undefined,
        },
        typesetter,
      );
      const storm: Raster = { input: Buffer.from(rgba.buffer), raw: mapRaw };
      const still = (await openBlank())
        .composite([
          ...[land, storm, lines].map((layer) => ({ ...layer, left: 0, top: headPx })),
          { input: Buffer.from(furniture) },
        ])
        .removeAlpha()
        .png({ compressionLevel: 9 });
      return { png: await still.toBuffer(), facts };
    },
  };
}

function toCallout(
  highest: NonNullable<FrameFacts["highest"]>,
  toValue: StillRequest["toValue"],
  view: MapView,
): { x: number; y: number; text: string } {
  const [x, y] = view.toPx(highest.longitude, highest.latitude);
  return { x, y, text: `Highest: ${toValue(highest)}` };
}

const mapRaw = { width: mapSize.widthPx, height: mapSize.heightPx, channels: 4 } as const;

async function openBlank(): Promise<Sharp> {
  const sharp = await loadSharp();
  const background = { r: 0, g: 0, b: 0, alpha: 1 };
  const { widthPx: width, heightPx: height } = stillSize;
  return sharp({ create: { width, height, channels: 4, background } });
}

async function drawSheets(land: string, lines: string): Promise<{ land: Raster; lines: Raster }> {
  const sharp = await loadSharp();
  const draw = async (svg: string): Promise<Raster> => ({
    input: await sharp(Buffer.from(svg), {
      limitInputPixels: mapSize.widthPx * mapSize.heightPx,
      unlimited: true,
    })
      .ensureAlpha()
      .raw()
      .toBuffer(),
    raw: mapRaw,
  });
  return { land: await draw(land), lines: await draw(lines) };
}

/** Loaded when it is needed: whoever publishes nothing does not wait for a native library, nor fail without it. */
async function loadSharp(): Promise<typeof SharpFactory> {
  const { default: sharp } = await import("sharp");
  // Two stills at a time are work enough for a machine that shows a storm meanwhile.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}
