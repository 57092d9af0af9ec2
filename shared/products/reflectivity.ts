// MergedReflectivityQCComposite: the strongest quality-controlled echo of the column. Identity and flags come from
// NSSL's MRMS GRIB2 table, version 12.2; the stops are the National Weather Service's 5 dBZ steps.
import type { Product, ProductStop } from "./product.ts";

const firstDbz = 5;
const lastDbz = 80;
const lastStopDbz = 75;

function stops(): ProductStop[] {
  const list: ProductStop[] = [];
  for (let from = firstDbz; from <= lastStopDbz; from += 5) {
    const open = from === lastStopDbz;
    list.push({
      from,
      label: open ? `${from} dBZ and above` : `${from} to ${from + 5} dBZ`,
      shortLabel: open ? `${from}+` : String(from),
      threshold: false,
    });
  }
  return list;
}

export const reflectivity: Product = {
  id: "mrms-reflectivity",
  grib: { discipline: 209, category: 10, parameter: 0 },
  fileStem: "MergedReflectivityQCComposite",
  label: "Composite reflectivity",
  description: "The strongest radar echo at any height above each point, quality controlled.",
  caveat:
    "Strongest echo at any height: it may be rain or hail that never reaches the ground. Not a warning source.",
  unit: "dBZ",
  opacity: 0.85,
  markedFrom: undefined,
  overlayFrom: undefined,
  flags: { missing: -99, noCoverage: -999 },
  // Half-dBZ classes: 10, 11, 12 … in units of 0.5 dBZ.
  edgeUnits: Array.from({ length: (lastDbz - firstDbz) * 2 + 1 }, (_, index) => firstDbz * 2 + index),
  edgesPerUnit: 2,
  stops: stops(),
};
