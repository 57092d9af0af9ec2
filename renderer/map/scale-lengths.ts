// Lengths of the map's scale bar: round numbers of miles and of kilometers at a latitude and zoom.
import { earthRadiusKm, kmPerMile, radPerDeg } from "../../shared/geo/sphere.ts";

export interface ScaleLength {
  /** Round number of units. */
  readonly count: number;
  readonly unit: "mi" | "km";
  readonly widthPx: number;
}

/** Width of the world at zoom 0 in MapLibre. */
export const worldPx = 512;
const steps = [1, 2, 5];

/** Returns the longest round length of each unit that fits into `mostPx`, miles first. */
export function toScaleLengths(
  latitudeDeg: number,
  zoom: number,
  mostPx: number,
): [ScaleLength, ScaleLength] {
  const equatorKm = 2 * Math.PI * earthRadiusKm;
  const kmPerPx = (equatorKm * Math.cos(latitudeDeg * radPerDeg)) / (worldPx * 2 ** zoom);
  return [toLength("mi", kmPerPx / kmPerMile, mostPx), toLength("km", kmPerPx, mostPx)];
}

function toLength(unit: ScaleLength["unit"], unitsPerPx: number, mostPx: number): ScaleLength {
  const most = unitsPerPx * mostPx;
  const power = 10 ** Math.floor(Math.log10(most));
  const count = Math.max(...steps.map((step) => step * power).filter((length) => length <= most));
  return { count: Number(count.toPrecision(1)), unit, widthPx: count / unitsPerPx };
}
