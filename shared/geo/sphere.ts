// Lengths, directions and areas on the earth as a sphere.

/** Mean radius of the earth (IUGG). */
export const earthRadiusKm = 6371.0088;
export const kmPerMile = 1.609344;
export const kmPerNauticalMile = 1.852;
export const radPerDeg = Math.PI / 180;

export type Point = readonly [longitudeDeg: number, latitudeDeg: number];

/** Returns the length of the great circle between two points. */
export function distanceKm(from: Point, to: Point): number {
  return earthRadiusKm * centralAngleRad(from, to);
}

/** Returns the angle between two points as seen from the center of the earth, by haversines. */
export function centralAngleRad(from: Point, to: Point): number {
  const northRad = (to[1] - from[1]) * radPerDeg;
  const eastRad = (to[0] - from[0]) * radPerDeg;
  const cosines = Math.cos(from[1] * radPerDeg) * Math.cos(to[1] * radPerDeg);
  const haversine = Math.sin(northRad / 2) ** 2 + cosines * Math.sin(eastRad / 2) ** 2;
  return 2 * Math.asin(Math.sqrt(haversine));
}

/** Returns the initial direction of the great circle from one point to another, in degrees: 0 is north, 90 east. */
export function bearingDeg(from: Point, to: Point): number {
  const [fromRad, toRad] = [from[1] * radPerDeg, to[1] * radPerDeg];
  const eastRad = (to[0] - from[0]) * radPerDeg;
  const east = Math.sin(eastRad) * Math.cos(toRad);
  const north = Math.cos(fromRad) * Math.sin(toRad) - Math.sin(fromRad) * Math.cos(toRad) * Math.cos(eastRad);
  return (Math.atan2(east, north) / radPerDeg + 360) % 360;
}

/** Returns the point at a distance along the great circle that leaves `from` in a direction. */
export function destination(from: Point, bearing: number, km: number): [number, number] {
  const [latitudeRad, bearingRad, arc] = [from[1] * radPerDeg, bearing * radPerDeg, km / earthRadiusKm];
  const sine =
    Math.sin(latitudeRad) * Math.cos(arc) + Math.cos(latitudeRad) * Math.sin(arc) * Math.cos(bearingRad);
  const eastRad = Math.atan2(
    Math.sin(bearingRad) * Math.sin(arc) * Math.cos(latitudeRad),
    Math.cos(arc) - Math.sin(latitudeRad) * sine,
  );
  return [from[0] + eastRad / radPerDeg, Math.asin(sine) / radPerDeg];
}

/** Returns points of the great circle between two points, both ends included, at most `stepKm` apart. */
export function greatCircle(from: Point, to: Point, stepKm = 25): [number, number][] {
  const km = distanceKm(from, to);
  const steps = Math.max(1, Math.ceil(km / stepKm));
  const bearing = bearingDeg(from, to);
  const points = Array.from({ length: steps }, (_, step) => destination(from, bearing, (km * step) / steps));
  // Beyond 180 degrees where the line crosses that meridian, so that it is drawn in one piece.
  const last = points.at(-1)![0];
  return [...points, [to[0] + 360 * Math.round((last - to[0]) / 360), to[1]]];
}

/** Place of a point beside a great circle. */
export interface Beside {
  /** Distance along the circle to where it is nearest to the point; negative behind its start. */
  readonly alongKm: number;
  /** Distance from the circle; positive at its right. */
  readonly acrossKm: number;
}

/** Measures a point from the great circle that leaves `start` in a direction. */
export function toBeside(start: Point, bearing: number, point: Point): Beside {
  const arc = distanceKm(start, point) / earthRadiusKm;
  const angle = (bearingDeg(start, point) - bearing) * radPerDeg;
  return {
    alongKm: earthRadiusKm * Math.atan2(Math.sin(arc) * Math.cos(angle), Math.cos(arc)),
    acrossKm: earthRadiusKm * Math.asin(Math.sin(arc) * Math.sin(angle)),
  };
}

/** Returns the area between two latitudes over `widthDeg` of longitude. */
export function boxAreaKm2(widthDeg: number, southDeg: number, northDeg: number): number {
  const height = Math.sin(northDeg * radPerDeg) - Math.sin(southDeg * radPerDeg);
  return earthRadiusKm ** 2 * widthDeg * radPerDeg * height;
}
