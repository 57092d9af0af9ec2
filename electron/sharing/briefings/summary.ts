// A layer of a revision in words: its highest value and where that is, and the ground that the storm covers.
import { getProduct } from "../../../shared/products/registry.ts";
import type { ProductId } from "../../../shared/contract/primitives.ts";
import type { MapPlace } from "./atlas/load-map.ts";
import type { FrameFacts } from "./frames/frame-facts.ts";
import { describeNearest, toCoordinates } from "./places-near.ts";
import { wordsOf } from "./product-words.ts";

/** Undefined facts are those of a picture that carries no classes. */
export function summarize(
  productId: ProductId,
  facts: FrameFacts | undefined,
  places: readonly MapPlace[],
): string {
  const { highest: name, emptiness, thresholds, toValue } = wordsOf(productId);
  if (!facts) {
    return "The picture carries colours and no values, so nothing is said of them here.";
  }
  if (!facts.highest) return `${emptiness} within radar coverage.`;
  const { longitude, latitude } = facts.highest;
  const coordinates = toCoordinates(longitude, latitude);
  const near = describeNearest(places, longitude, latitude);
  const where = near === undefined ? `at ${coordinates}` : `${near} (${coordinates})`;
  const areas = thresholds.map(({ from, name: words }) => {
    const area = areaFrom(productId, facts, from);
    return area === 0 ? `nowhere ${words}` : `about ${toArea(area)} have ${words}`;
  });
  const [first = "", ...others] = areas;
  const sentence = [first.charAt(0).toUpperCase() + first.slice(1), ...others].join("; ");
  return `${name}: ${toValue(facts.highest)}, ${where}. ${sentence}.`;
}

/** The ground under this value and more, in km². */
function areaFrom(productId: ProductId, { stopAreasKm2 }: FrameFacts, from: number): number {
  const { stops } = getProduct(productId);
  return stopAreasKm2.reduce((sum, area, index) => (stops[index]!.from >= from ? sum + area : sum), 0);
}

/** In square kilometres, to the two or three figures that the grid can tell. */
export function toArea(km2: number): string {
  if (km2 === 0) return "0 km²";
  if (km2 < 1) return "under 1 km²";
  const digits = km2 < 100 ? 2 : 3;
  const rounded = Number(km2.toPrecision(digits));
  return `${rounded.toLocaleString("en-US", { maximumFractionDigits: 1 })} km²`;
}
