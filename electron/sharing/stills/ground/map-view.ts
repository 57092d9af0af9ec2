// The area that stills show: the same for every revision of an event, so that nothing jumps between them.
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import { latitudeOfY, longitudeOfX, mercatorX, mercatorY } from "../../../../shared/geo/mercator.ts";

export interface MapView {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Outer edges, in degrees. */
  readonly bounds: Bounds;
  /** In units of the Web Mercator square. */
  readonly westX: number;
  readonly northY: number;
  readonly unitsPerPx: number;
  /** Returns pixels from the left and the upper edge. */
  readonly toPx: (longitude: number, latitude: number) => readonly [x: number, y: number];
}

/** Free margin on each side, as a share of the drawn area. */
const marginShare = 0.06;
/** Least height of the map, about 50 km: limits how far a small storm is enlarged. */
const leastUnits = 0.45 / 360;

type Size = Pick<MapView, "widthPx" | "heightPx">;

/** Centers `bounds` as large as the size allows. */
export function createMapView(bounds: Bounds, { widthPx, heightPx }: Size): MapView {
  const [west, south, east, north] = bounds;
  const [left, right] = [mercatorX(west), mercatorX(east)];
  const [top, bottom] = [mercatorY(north), mercatorY(south)];
  const room = 1 + 2 * marginShare;
  const unitsPerPx = Math.max(
    ((right - left) * room) / widthPx,
    ((bottom - top) * room) / heightPx,
    leastUnits / heightPx,
  );
  return placeView({ x: (left + right) / 2, y: (top + bottom) / 2, unitsPerPx }, { widthPx, heightPx });
}

interface Placement {
  /** Middle of the picture, in units of the Web Mercator square. */
  readonly x: number;
  readonly y: number;
  readonly unitsPerPx: number;
}

export function placeView({ x, y, unitsPerPx }: Placement, { widthPx, heightPx }: Size): MapView {
  const westX = x - (unitsPerPx * widthPx) / 2;
  const northY = y - (unitsPerPx * heightPx) / 2;
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
