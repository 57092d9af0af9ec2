// Describes a layer in words: its highest value and where that is, and the area of the storm.
import type { Coordinate, ProductId } from "../../../shared/contract/primitives.ts";
import { findNearestPlace, toPlaceWords } from "../../../shared/geo/nearest-place.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import type { MapPlace } from "../stills/atlas/load-map.ts";
import { toLatitude, toLongitude } from "./briefing-words.ts";
import type { FrameFacts } from "../stills/frames/still-facts.ts";
import { wordsOf } from "./product-words.ts";

/** A well-known place within this distance is named even if a smaller place is nearer. */
const wellKnown = { leastPopulation: 5_000, withinKm: 40 };

/** `facts` are undefined for a picture without classes. */
export function summarize(
  productId: ProductId,
  facts: FrameFacts | undefined,
  places: readonly MapPlace[],
): string {
  const { highest: name, emptiness, thresholds, toValue } = wordsOf(productId);
  if (!facts) {
    return "The picture has colors but no values, so it is not described here.";
  }
  if (!facts.highest) return `${emptiness} within radar coverage.`;
  const { longitude, latitude } = facts.highest;
  const coordinates = `${toLatitude(latitude)}, ${toLongitude(longitude)}`;
  const near = describePlace(places, [longitude, latitude]);
  const where = near === undefined ? `at ${coordinates}` : `${near} (${coordinates})`;
  const areas = thresholds.map(({ from, name: words }) => {
    const area = areaFrom(productId, facts, from);
    return area === 0 ? `nowhere ${words}` : `about ${toArea(area)} have ${words}`;
  });
  const [first = "", ...others] = areas;
  const sentence = [first.charAt(0).toUpperCase() + first.slice(1), ...others].join("; ");
  return `${name}: ${toValue(facts.highest)}, ${where}. ${sentence}.`;
}

/** Returns `9 mi (14 km) NE of Norman, OK`, or undefined far from every place. */
function describePlace(places: readonly MapPlace[], point: Coordinate): string | undefined {
  const { withinKm, leastPopulation } = wellKnown;
  const isCandidate = ({ population }: MapPlace): boolean => population >= leastPopulation;
  const nearest =
    findNearestPlace(places, point, { withinKm, isCandidate }) ?? findNearestPlace(places, point);
  return nearest && toPlaceWords(nearest, `${nearest.place.name}, ${nearest.place.region}`);
}

/** Returns the area in km² where the value is at least `from`. */
function areaFrom(productId: ProductId, { stopAreasKm2 }: FrameFacts, from: number): number {
  const { stops } = getProduct(productId);
  return stopAreasKm2.reduce((sum, area, index) => (stops[index]!.from >= from ? sum + area : sum), 0);
}

/** Rounds to the two or three digits that the grid supports: `1,230 km²`. */
export function toArea(km2: number): string {
  if (km2 === 0) return "0 km²";
  if (km2 < 1) return "under 1 km²";
  const digits = km2 < 100 ? 2 : 3;
  const rounded = Number(km2.toPrecision(digits));
  return `${rounded.toLocaleString("en-US", { maximumFractionDigits: 1 })} km²`;
}
