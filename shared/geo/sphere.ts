// Lengths, directions and areas on the earth as a sphere.

/** Mean radius of the earth (IUGG). */
export const earthRadiusKm = 6371.0088;
export const kmPerMile = 1.609344;
export const kmPerNauticalMile = 1.852;
export const radPerDeg = Math.PI / 180;

type Point = readonly [longitudeDeg: number, latitudeDeg: number];

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

/** Returns the area between two latitudes over `widthDeg` of longitude. */
export function boxAreaKm2(widthDeg: number, southDeg: number, northDeg: number): number {
  const height = Math.sin(northDeg * radPerDeg) - Math.sin(southDeg * radPerDeg);
  return earthRadiusKm ** 2 * widthDeg * radPerDeg * height;
}
