// Decides whether a view shows little enough of the ground for shapes with a threshold, as placefiles have it. Pure.
import type { Bounds } from "../../../shared/contract/primitives.ts";
import { latitudeOfY, mercatorY } from "../../../shared/geo/mercator.ts";
import { earthRadiusKm, kmPerNauticalMile, radPerDeg } from "../../../shared/geo/sphere.ts";
import type { OverlayShape } from "../../../shared/overlays/overlay.ts";

/** Returns the mean of a view's width and height in nautical miles, at the latitude of its middle. */
export function toReachNm([west, south, east, north]: Bounds): number {
  const [top, bottom] = [mercatorY(north), mercatorY(south)];
  const share = ((east - west) / 360 + (bottom - top)) / 2;
  const equatorNm = (2 * Math.PI * earthRadiusKm) / kmPerNauticalMile;
  return equatorNm * Math.cos(latitudeOfY((top + bottom) / 2) * radPerDeg) * share;
}

export function isInReach({ thresholdNm }: OverlayShape, reachNm: number): boolean {
  return thresholdNm === undefined || reachNm <= thresholdNm;
}
