// The values at which a layer is outlined: class edges of our products, far enough apart to be read.
import type { ProductId } from "../contract/primitives.ts";

export interface ContourLevel {
  /** Lower edge in the product's unit. */
  readonly lower: number;
  readonly label: string;
}

const highestDbz = 80;
const highestHalfInches = 16;
const tenthsMmPerHalfInch = 127;

const levels: Readonly<Record<ProductId, readonly ContourLevel[]>> = {
  "mrms-reflectivity": toDbzLevels(),
  "mrms-mesh": toHailLevels(),
};

/** Returns a product's levels, ascending. */
export function contourLevels(product: ProductId): readonly ContourLevel[] {
  return levels[product];
}

/** From 20 dBZ, where rain begins, in steps of ten. */
function toDbzLevels(): ContourLevel[] {
  const list: ContourLevel[] = [];
  for (let lower = 20; lower <= highestDbz; lower += 10) {
    list.push({ lower, label: `${lower} dBZ and above` });
  }
  return list;
}

/** From half an inch in steps of half an inch. */
function toHailLevels(): ContourLevel[] {
  return Array.from({ length: highestHalfInches }, (_, index) => {
    const halves = index + 1;
    const whole = Math.floor(halves / 2);
    const inches = `${whole === 0 ? "" : whole}${halves % 2 === 0 ? "" : "½"}`;
    const lower = (halves * tenthsMmPerHalfInch) / 10;
    return { lower, label: `${inches} in and above (${lower.toFixed(1)} mm and above)` };
  });
}
