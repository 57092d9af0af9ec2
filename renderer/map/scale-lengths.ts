// Lengths of the map's scale bar: round numbers of two units at a latitude and zoom.
import { kmPerUnit, type DistanceUnit } from "../../shared/geo/distance-words.ts";
import { earthRadiusKm, radPerDeg } from "../../shared/geo/sphere.ts";

export interface ScaleLength {
  /** Round number of units. */
  readonly count: number;
  readonly unit: DistanceUnit;
  readonly widthPx: number;
}

/** Width of the world at zoom 0 in MapLibre. */
export const worldPx = 512;
const steps = [1, 2, 5];

/** Returns the longest round lengths that fit into `mostPx`: of the first unit, and of km, or of miles beside km. */
export function toScaleLengths(
  latitudeDeg: number,
  zoom: number,
  mostPx: number,
  first: DistanceUnit = "mi",
): [ScaleLength, ScaleLength] {
  const equatorKm = 2 * Math.PI * earthRadiusKm;
  const kmPerPx = (equatorKm * Math.cos(latitudeDeg * radPerDeg)) / (worldPx * 2 ** zoom);
  return [toLength(first, kmPerPx, mostPx), toLength(first === "km" ? "mi" : "km", kmPerPx, mostPx)];
}

function toLength(unit: DistanceUnit, kmPerPx: number, mostPx: number): ScaleLength {
  const unitsPerPx = kmPerPx / kmPerUnit[unit];
  const most = unitsPerPx * mostPx;
  const power = 10 ** Math.floor(Math.log10(most));
  const count = Math.max(...steps.map((step) => step * power).filter((length) => length <= most));
  return { count: Number(count.toPrecision(1)), unit, widthPx: count / unitsPerPx };
}
