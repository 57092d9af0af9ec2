// The part of the earth that the stills of an event show, the same for every revision, so that nothing jumps between them.
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import { latitudeOfY, longitudeOfX, mercatorX, mercatorY } from "../../../../shared/geo/mercator.ts";

export interface MapView {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Outer edges, in degrees. */
  readonly bounds: Bounds;
  /** Of the unit square of Web Mercator. */
  readonly westX: number;
  readonly northY: number;
  readonly unitsPerPx: number;
  /** Pixels from the left and the upper edge. */
  readonly toPx: (longitude: number, latitude: number) => readonly [x: number, y: number];
}

/** So much of the drawn area's extent is left free on each side. */
const marginShare = 0.06;
/** A storm of a few cells is not blown up further: about 50 km of map from north to south. */
const leastUnits = 0.45 / 360;

/** Shows `bounds` as large as the size allows, in the middle, with a margin. */
export function createMapView(
  bounds: Bounds,
  { widthPx, heightPx }: Pick<MapView, "widthPx" | "heightPx">,
): MapView {
  const [west, south, east, north] = bounds;
  const [left, right] = [mercatorX(west), mercatorX(east)];
  const [top, bottom] = [mercatorY(north), mercatorY(south)];
  const room = 1 + 2 * marginShare;
  const unitsPerPx = Math.max(
    ((right - left) * room) / widthPx,
    ((bottom - top) * room) / heightPx,
    leastUnits / heightPx,
  );
  const westX = (left + right) / 2 - (unitsPerPx * widthPx) / 2;
  const northY = (top + bottom) / 2 - (unitsPerPx * heightPx) / 2;
  return {
    widthPx,
    heightPx,
    westX,
    northY,
    unitsPerPx,
    bounds: [
      longitudeOfX(westX),
      latitudeOfY(northY + unitsPerPx * heightPx),
      longitudeOfX(westX + unitsPerPx * widthPx),
      latitudeOfY(northY),
    ],
    toPx: (longitude, latitude) => [
      (mercatorX(longitude) - westX) / unitsPerPx,
      (mercatorY(latitude) - northY) / unitsPerPx,
    ],
  };
}
