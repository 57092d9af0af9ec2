// Composes the stills of an event: draws the base map once, then frame, lines and furniture of each still. The same
// input and version give the same bytes.
import type { default as SharpFactory, Sharp } from "sharp";
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import type { BriefingMap, MapPlace } from "../../stills/atlas/load-map.ts";
import { drawFrame, type FrameSource } from "../../stills/frames/draw-frame.ts";
import type { ClassRange, FrameFacts } from "../../stills/frames/still-facts.ts";
import { toLandSvg, toOverlay } from "../../stills/ground/base-map.ts";
import { signBox, sourcesWidthPx, toFurnitureSvg } from "./furniture.ts";
import type { StillWords } from "./still-words.ts";
import { edgePx } from "../../stills/still-look.ts";
import { headPx, mapSize, stillSize } from "./look.ts";
import { createMapView, type MapView } from "../../stills/ground/map-view.ts";
import { createTypesetter } from "../../stills/ground/typesetter.ts";

export interface StillRequest {
  readonly frame: FrameSource;
  readonly words: Omit<StillWords, "emptiness" | "hasCoverage" | "highest">;
  /** Text for a frame that draws nothing. */
  readonly emptiness: string;
  /** Returns the words for a class: `68.5 to 69 dBZ`. */
  readonly toValue: (value: ClassRange) => string;
}

export interface ComposedStill {
  readonly png: Uint8Array;
  /** Undefined for another service's picture without classes. */
  readonly facts: FrameFacts | undefined;
}

export interface StillComposer {
  /** Places that the stills name, most important first. */
  readonly places: readonly MapPlace[];
  /** @throws AppError `stored-data-invalid` for a frame that cannot be read */
  readonly compose: (request: StillRequest) => Promise<ComposedStill>;
}

export interface ComposerOptions {
  readonly map: BriefingMap;
  /** Area that every still shows. */
  readonly bounds: Bounds;
  /** Mark of an event that is synthetic or replayed. */
  readonly mark: string | undefined;
}

interface Raster {
  readonly input: Buffer;
  readonly raw: { width: number; height: number; channels: 4 };
}

/** Box of the line of sources, in pixels of the map. */
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
  const overlay = toOverlay({
    ...{ map, view, typesetter, taken },
    scale: 1,
    scaleBarAt: [edgePx, mapSize.heightPx - 28],
  });
  let sheets: Promise<{ land: Raster; lines: Raster }> | undefined;
  return {
    places: overlay.places,
    async compose({ frame, words, emptiness, toValue }) {
      // Not drawn until the first still is: an unchanged briefing has none.
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

/** Loads the native library on first use, so that nothing else waits for it or fails without it. */
async function loadSharp(): Promise<typeof SharpFactory> {
  const { default: sharp } = await import("sharp");
  // One thread per still.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}
