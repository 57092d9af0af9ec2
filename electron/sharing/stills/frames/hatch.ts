// The hatch where no radar sees: diagonal lines on the pixels of a still.
import {
  coverageColumn,
  coverageRow,
  isCellCovered,
  type CoverageGrid,
} from "../../../../shared/frames/coverage-grid.ts";
import { latitudeOfY, longitudeOfX } from "../../../../shared/geo/mercator.ts";
import type { MapView } from "../ground/map-view.ts";
import { hatching } from "../still-look.ts";

/**
 * Calls `visit` with the offset in RGBA of each pixel of the lines.
 * @param scale size of the pattern; 1 is that of a briefing's still
 */
export function findHatched(
  coverage: CoverageGrid,
  { widthPx, heightPx, westX, northY, unitsPerPx }: MapView,
  scale: number,
  visit: (at: number) => void,
): void {
  const distancePx = Math.max(2, Math.round(hatching.distancePx * scale));
  const linePx = Math.max(1, Math.round(hatching.widthPx * scale));
  const columns = Int32Array.from({ length: widthPx }, (_, x) =>
    coverageColumn(coverage, longitudeOfX(westX + (x + 0.5) * unitsPerPx)),
  );
  for (let y = 0; y < heightPx; y++) {
    const row = coverageRow(coverage, latitudeOfY(northY + (y + 0.5) * unitsPerPx));
    for (let x = 0; x < widthPx; x++) {
      const isLine = (x + y) % distancePx < linePx;
      if (isLine && !isCellCovered(coverage, columns[x]!, row)) visit((y * widthPx + x) * 4);
    }
  }
}
