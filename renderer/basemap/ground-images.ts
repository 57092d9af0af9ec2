// The map's small images, drawn in both themes: the dot of a place, the marks of airports and radars, and the shield
// of a highway. At two pixels per CSS pixel.
import type { StyleImageMetadata } from "maplibre-gl";
import { basemapColors } from "./basemap-colors.ts";
import type { MapTheme } from "./ground-parts.ts";

export const groundImages = {
  place: "place-dot",
  airport: "airport-mark",
  radar: "radar-mark",
  shield: "highway-shield",
} as const;
type GroundImageId = (typeof groundImages)[keyof typeof groundImages];

export interface GroundImage {
  readonly id: GroundImageId;
  readonly image: { readonly width: number; readonly height: number; readonly data: Uint8ClampedArray };
  readonly options: Partial<StyleImageMetadata>;
}

export function createGroundImages(theme: MapTheme): GroundImage[] {
  const colors = basemapColors[theme];
  const mark = { front: colors.site, back: colors.halo };
  return [
    toImage(groundImages.place, 12, { front: colors.label, back: colors.halo }, (x, y) => {
      const distance = Math.hypot(x, y);
      return { front: 3.2 - distance, back: 5 - distance };
    }),
    toImage(groundImages.airport, 18, mark, (x, y) => {
      const distance = Math.max(Math.abs(x), Math.abs(y)) - 4;
      return { front: 1.2 - Math.abs(distance), back: 2.6 - Math.abs(distance) };
    }),
    toImage(groundImages.radar, 20, mark, (x, y) => {
      const distance = Math.hypot(x, y);
      const ring = Math.abs(distance - 6);
      return {
        front: Math.max(1.1 - ring, 2.2 - distance),
        back: Math.max(2.5 - ring, 3.6 - distance),
      };
    }),
    {
      ...toImage(groundImages.shield, 20, { front: colors.shield, back: colors.shieldLabel }, (x, y) => {
        const inside = roundedBox(x, y, 9, 4);
        return { front: inside - 1.6, back: inside };
      }),
      options: { pixelRatio: 2, stretchX: [[8, 12]], stretchY: [[8, 12]], content: [4, 4, 16, 16] },
    },
  ];
}

interface Ink {
  readonly front: string;
  readonly back: string;
}

/** Draws a square; `shape` returns the distance of a point from the edge of each ink, positive inside. */
function toImage(
  id: GroundImageId,
  sizePx: number,
  { front, back }: Ink,
  shape: (x: number, y: number) => { readonly front: number; readonly back: number },
): GroundImage {
  const data = new Uint8ClampedArray(sizePx * sizePx * 4);
  const [frontColor, backColor] = [toChannels(front), toChannels(back)];
  for (let row = 0; row < sizePx; row++) {
    for (let column = 0; column < sizePx; column++) {
      const inside = shape(column + 0.5 - sizePx / 2, row + 0.5 - sizePx / 2);
      const top = clamp01(inside.front + 0.5);
      const below = clamp01(inside.back + 0.5) * (1 - top);
      const alpha = top + below;
      const mixed = frontColor.map((channel, at) =>
        alpha === 0 ? 0 : (channel * top + backColor[at]! * below) / alpha,
      );
      data.set([...mixed, alpha * 255], (row * sizePx + column) * 4);
    }
  }
  return { id, image: { width: sizePx, height: sizePx, data }, options: { pixelRatio: 2 } };
}

/** Returns how far inside a square with round corners a point is. */
function roundedBox(x: number, y: number, halfPx: number, cornerPx: number): number {
  const [dx, dy] = [Math.abs(x) - halfPx + cornerPx, Math.abs(y) - halfPx + cornerPx];
  return cornerPx - Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) - Math.min(Math.max(dx, dy), 0);
}

/** Converts `#rrggbb` to red, green and blue of 0 to 255. */
function toChannels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function clamp01(value: number): number {
  return Math.min(1, Math.max(0, value));
}
