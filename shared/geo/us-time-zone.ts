// The time zone that clocks show at a place of the U.S., from coarse lines between the zones: within about 60 km of one
// the neighbor's may be the legal one. A time always stands with its zone's name, so that it is right in either case.
import type { Coordinate } from "../contract/primitives.ts";

/** Points of a line from north to south, `[latitude, longitude]`; east of it is the eastern zone. */
type ZoneLine = readonly (readonly [latitudeDeg: number, longitudeDeg: number])[];

const easternCentral: ZoneLine = [
  [48.5, -90.4],
  [46.6, -90.4],
  [46, -88.1],
  [45.4, -87.7],
  [44, -87],
  [41.8, -87],
  [41.7, -86.5],
  [40.9, -86.6],
  [40.8, -87.5],
  [38.5, -87.5],
  [38, -86.4],
  [37, -85.5],
  [36, -84.9],
  [35, -85.4],
  [32.8, -85.2],
  [31, -85],
  [29.5, -85.2],
];
const centralMountain: ZoneLine = [
  [49, -104],
  [47.6, -103],
  [46.6, -101],
  [45.9, -100.5],
  [43, -100.8],
  [42, -101],
  [41, -101.7],
  [39.6, -101.5],
  [38.3, -101.8],
  [37, -102.04],
  [36.5, -103.03],
  [32, -103.06],
  [31.9, -104.9],
  [29.7, -104.9],
];
const mountainPacific: ZoneLine = [
  [49, -116.05],
  [47.5, -115.7],
  [46.6, -114.5],
  [45.6, -114.5],
  [45.3, -117],
  [44.4, -117.2],
  [44.3, -118],
  [42.4, -118],
  [42, -114.04],
  [37, -114.04],
  [36, -114.7],
  [32.5, -114.7],
];

/** Returns the IANA name of the zone, or undefined outside the U.S. and its surroundings. */
export function findUsTimeZone([longitudeDeg, latitudeDeg]: Coordinate): string | undefined {
  if (latitudeDeg >= 51 && longitudeDeg <= -129) return "America/Anchorage";
  if (latitudeDeg < 24 && longitudeDeg < -150) return "Pacific/Honolulu";
  if (latitudeDeg < 20 || latitudeDeg > 55 || longitudeDeg < -130 || longitudeDeg > -60) return undefined;
  if (longitudeDeg >= longitudeAt(easternCentral, latitudeDeg)) return "America/New_York";
  if (longitudeDeg >= longitudeAt(centralMountain, latitudeDeg)) return "America/Chicago";
  if (longitudeDeg < longitudeAt(mountainPacific, latitudeDeg)) return "America/Los_Angeles";
  const inArizona = latitudeDeg < 37 && longitudeDeg < -109.05 && latitudeDeg > 31;
  return inArizona ? "America/Phoenix" : "America/Denver";
}

/** Returns the line's longitude at a latitude; beyond its ends that of the end. */
function longitudeAt(line: ZoneLine, latitudeDeg: number): number {
  const below = line.findIndex(([latitude]) => latitude <= latitudeDeg);
  if (below <= 0) return line.at(below)![1];
  const [south, north] = [line[below]!, line[below - 1]!];
  return south[1] + ((latitudeDeg - south[0]) / (north[0] - south[0])) * (north[1] - south[1]);
}
