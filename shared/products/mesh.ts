// MESH, the Maximum Estimated Size of Hail. Identity and flags from NSSL's MRMS GRIB2 table, version 12.2; the stops
// are ours (no official table exists), with the National Weather Service's severe (1 in) and significant (2 in) lines.
import type { Product, ProductStop } from "./product.ts";

/** 1/32 inch is 0.79375 mm, or 79,375 units of 1/100,000 mm, so every edge is a whole number of units. */
const unitsPerMm = 100_000;
const unitsPerThirtySecond = 79_375;

const stopInches: readonly (readonly [inches: number, text: string])[] = [
  [0.125, "⅛"],
  [0.25, "¼"],
  [0.5, "½"],
  [0.75, "¾"],
  [1, "1"],
  [1.25, "1¼"],
  [1.5, "1½"],
  [1.75, "1¾"],
  [2, "2"],
  [2.5, "2½"],
  [2.75, "2¾"],
  [4, "4"],
];

function toMillimeters(inches: number): string {
  return (inches * 25.4).toFixed(1);
}

function toStops(): ProductStop[] {
  return stopInches.map(([inches, text], index) => {
    const next = stopInches[index + 1];
    const label = next
      ? `${text} to ${next[1]} in (${toMillimeters(inches)} to ${toMillimeters(next[0])} mm)`
      : `${text} in and above (${toMillimeters(inches)} mm and above)`;
    return {
      from: (inches * 32 * unitsPerThirtySecond) / unitsPerMm,
      label,
      shortLabel: next ? text : `${text}+`,
      threshold: inches === 1 || inches === 2,
    };
  });
}

/** Returns the class edges: in steps of 1/32 inch from 1/8 inch to 4 inches, then in steps of 1/8 inch to 8. */
function toEdgeUnits(): number[] {
  const units: number[] = [];
  for (let thirtySeconds = 4; thirtySeconds < 128; thirtySeconds += 1) {
    units.push(thirtySeconds * unitsPerThirtySecond);
  }
  for (let thirtySeconds = 128; thirtySeconds <= 256; thirtySeconds += 4) {
    units.push(thirtySeconds * unitsPerThirtySecond);
  }
  return units;
}

export const mesh: Product = {
  id: "mrms-mesh",
  grib: { discipline: 209, category: 3, parameter: 28 },
  fileStem: "MESH",
  label: "Hail size (MESH)",
  description:
    "Maximum Estimated Size of Hail: the largest hail that the storm above each point could produce.",
  caveat:
    "A radar estimate of the largest hail, not a report of hail on the ground. May be too high or too low. Not a warning source.",
  unit: "mm",
  opacity: 0.9,
  // Severe hail, one inch.
  markedFrom: 25.4,
  // Half an inch: smaller hail is common, harmless, and covers the cores that it falls from.
  overlayFrom: 12.7,
  flags: { missing: -1, noCoverage: -3 },
  edgeUnits: toEdgeUnits(),
  edgesPerUnit: unitsPerMm,
  stops: toStops(),
};
