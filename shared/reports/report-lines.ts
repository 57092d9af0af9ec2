// Verified reports as lines: of JSON as `echotop reports` prints them, and as cells of a table.
import type { ClassRange } from "../analysis/cell-frame.ts";
import { reachesKm } from "./around-reading.ts";
import type { VerifiedReport, Verdict } from "./report-verification.ts";

export interface NearestLine {
  readonly withinKm: (typeof reachesKm)[number];
  /** Lower and upper edge in millimeters, the upper null for the open class; null if there is no class. */
  readonly class: readonly [lower: number, upper: number | null] | null;
  readonly distanceKm: number | null;
  readonly observedAt: string | null;
  readonly sequence: number | null;
}

export interface ReportLine {
  readonly at: string;
  readonly lon: number;
  readonly lat: number;
  readonly sizeMm: number | null;
  readonly nearest: readonly NearestLine[];
  readonly verdict: Verdict;
}

export function toReportLine({ report, nearest, verdict }: VerifiedReport): ReportLine {
  const [lon, lat] = report.coordinate;
  return {
    at: new Date(report.atMs).toISOString().replace(".000Z", "Z"),
    lon,
    lat,
    sizeMm: report.sizeMm ?? null,
    nearest: reachesKm.map((withinKm, index) => {
      const found = nearest[index];
      if (!found) return { withinKm, class: null, distanceKm: null, observedAt: null, sequence: null };
      const { range, distanceKm, observedAt, sequence } = found;
      return { withinKm, class: toPair(range), distanceKm: toMeters(distanceKm), observedAt, sequence };
    }),
    verdict,
  };
}

/** The order of a table's columns, which is part of its format. */
export const reportColumns: readonly string[] = [
  ...["at", "lon", "lat", "sizeMm"],
  ...reachesKm.flatMap((km) =>
    ["lower", "upper", "distanceKm", "observedAt", "sequence"].map((name) => `${name}${km}`),
  ),
  "verdict",
];

/** Returns the cells of a line in the order of `reportColumns`; undefined ones are empty. */
export function toReportCells({
  at,
  lon,
  lat,
  sizeMm,
  nearest,
  verdict,
}: ReportLine): readonly (string | number | undefined)[] {
  const found = nearest.flatMap((line) => {
    const { distanceKm, observedAt, sequence } = line;
    return [line.class?.[0], line.class?.[1], distanceKm, observedAt, sequence].map(
      (cell) => cell ?? undefined,
    );
  });
  return [at, lon, lat, sizeMm ?? undefined, ...found, verdict];
}

function toPair({ lower, upper }: ClassRange): readonly [number, number | null] {
  return [lower, upper ?? null];
}

/** A cell is a kilometer wide: more than whole meters would be noise. */
function toMeters(distanceKm: number): number {
  return Math.round(distanceKm * 1000) / 1000;
}
