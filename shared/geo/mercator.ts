// Web Mercator (EPSG:3857) in the unit square of web maps: x from 0 (180 W) to 1 (180 E), y from 0 (north) to 1
// (south).

/** The northern edge of the square, in degrees of latitude. */
export const mercatorMaxLatitude = 85.0511287798066;

const degToRad = Math.PI / 180;

export function mercatorX(longitudeDeg: number): number {
  return longitudeDeg / 360 + 0.5;
}

/** Returns y in the square. `latitudeDeg` must be strictly between the poles. */
export function mercatorY(latitudeDeg: number): number {
  return 0.5 - Math.asinh(Math.tan(latitudeDeg * degToRad)) / (2 * Math.PI);
}

export function longitudeOfX(x: number): number {
  return (x - 0.5) * 360;
}

export function latitudeOfY(y: number): number {
  return Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) / degToRad;
}
