// The scale bar: a round distance in miles, with kilometers, true at the middle of the map.
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import { latitudeOfY } from "../../../../shared/geo/mercator.ts";
import { kmPerMile } from "../../../../shared/geo/sphere.ts";
import { colors } from "../still-look.ts";
import type { MapView } from "./map-view.ts";
import type { Typesetter } from "./typesetter.ts";

const equatorKm = 40_075.017;
const roundMiles = [2000, 1000, 500, 250, 200, 100, 50, 25, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05] as const;
const longestPx = 240;

export interface ScaleBar {
  readonly svg: string;
  /** `[left, top, right, bottom]` in pixels. */
  readonly box: Bounds;
}

export interface ScaleBarPlace {
  /** Left end and baseline, in pixels. */
  readonly at: readonly [x: number, y: number];
  /** Size; 1 is that of a briefing's still. */
  readonly scale: number;
}

export function toScaleBar(view: MapView, typesetter: Typesetter, { at, scale }: ScaleBarPlace): ScaleBar {
  const latitude = latitudeOfY(view.northY + (view.unitsPerPx * view.heightPx) / 2);
  const kmPerPx = view.unitsPerPx * equatorKm * Math.cos((latitude * Math.PI) / 180);
  const miles = roundMiles.find((length) => (length * kmPerMile) / kmPerPx <= longestPx * scale) ?? 0.05;
  const km = miles * kmPerMile;
  const lengthPx = Math.round(km / kmPerPx);
  const [x, y] = at;
  const tick = 9 * scale;
  const line = `M${x} ${y - tick}v${tick}h${lengthPx}v-${tick}`;
  const text = `${miles} mi · ${km < 2 ? Number(km.toPrecision(2)) : Math.round(km)} km`;
  const style = { sizePx: 19 * scale, weight: "medium" } as const;
  const halo = { color: colors.casing, widthPx: 3 * scale };
  return {
    svg:
      `<path d="${line}" fill="none" stroke="${colors.casing}" stroke-width="${7 * scale}" stroke-opacity="0.7"/>` +
      `<path d="${line}" fill="none" stroke="${colors.text}" stroke-width="${2.5 * scale}"/>` +
      typesetter.set(text, x, y - 18 * scale, { ...style, fill: colors.text, halo }),
    box: [
      x - 8 * scale,
      y - 44 * scale,
      x + Math.max(lengthPx, typesetter.measure(text, style)) + 12 * scale,
      y + 10 * scale,
    ],
  };
}
