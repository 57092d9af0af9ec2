// The scale bar: a round distance in miles, with kilometers, at the middle of the map.
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import { latitudeOfY } from "../../../../shared/geo/mercator.ts";
import { kmPerMile } from "../../../../shared/geo/sphere.ts";
import { colors, edgePx } from "../still-look.ts";
import type { MapView } from "./map-view.ts";
import type { Typesetter } from "./typesetter.ts";

const equatorKm = 40_075.017;
const roundMiles = [500, 250, 200, 100, 50, 25, 20, 10, 5, 2] as const;
const longestPx = 240;

export interface ScaleBar {
  readonly svg: string;
  /** `[left, top, right, bottom]` in pixels. */
  readonly box: Bounds;
}

export function toScaleBar(view: MapView, typesetter: Typesetter): ScaleBar {
  const latitude = latitudeOfY(view.northY + (view.unitsPerPx * view.heightPx) / 2);
  const kmPerPx = view.unitsPerPx * equatorKm * Math.cos((latitude * Math.PI) / 180);
  const miles = roundMiles.find((length) => (length * kmPerMile) / kmPerPx <= longestPx) ?? 2;
  const km = miles * kmPerMile;
  const lengthPx = Math.round(km / kmPerPx);
  const [x, y] = [edgePx, view.heightPx - 28];
  const line = `M${x} ${y - 9}v9h${lengthPx}v-9`;
  const text = `${miles} mi · ${Math.round(km)} km`;
  const style = { sizePx: 19, weight: "medium" } as const;
  const halo = { color: colors.casing, widthPx: 3 };
  return {
    svg:
      `<path d="${line}" fill="none" stroke="${colors.casing}" stroke-width="7" stroke-opacity="0.7"/>` +
      `<path d="${line}" fill="none" stroke="${colors.text}" stroke-width="2.5"/>` +
      typesetter.set(text, x, y - 18, { ...style, fill: colors.text, halo }),
    box: [x - 8, y - 44, x + Math.max(lengthPx, typesetter.measure(text, style)) + 12, y + 10],
  };
}
