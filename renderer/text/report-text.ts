// Words for storm reports and their comparison with estimates.
import { bearingDeg } from "../../shared/geo/sphere.ts";
import { positionErrorKm } from "../../shared/geo/storm-motion.ts";
import type { ClassRange } from "../../shared/analysis/cell-frame.ts";
import type { Coordinate } from "../../shared/contract/index.ts";
import type { PlaceReading } from "../../shared/analysis/place-reading.ts";
import type { ReportTotals, NearestEstimate, Verdict } from "../../shared/reports/report-verification.ts";
import type { StormReport } from "../../shared/reports/storm-report.ts";
import type { LengthUnit } from "../state/tools/tools-slice.ts";
import { classRange, counted, hailName, clockMinute, type HailUnits } from "./format.ts";
import { lengthWords } from "./tool-text.ts";

export const verdictWords: Readonly<Record<Verdict, string>> = {
  hit: "Hit",
  miss: "Miss",
  "not-covered": "Not covered",
};

export const verdictPlurals: Readonly<Record<Verdict, string>> = {
  hit: "Hits",
  miss: "Misses",
  "not-covered": "Not covered",
};

export const verdictMeanings: Readonly<Record<Verdict, string>> = {
  hit: "An estimate beyond 1 in within 20 km and 15 min",
  miss: "No estimate beyond 1 in within 20 km and 15 min",
  "not-covered": "No frame within 15 min, or outside radar coverage in all of them",
};

/** `9 reports: 4 hits, 3 misses, 2 not covered` */
export function totalsWords(totals: ReportTotals): string {
  const { reports, hit, miss, "not-covered": notCovered } = totals;
  return `${counted(reports, "report", "reports")}: ${counted(hit, "hit", "hits")}, ${counted(miss, "miss", "misses")}, ${notCovered} not covered`;
}

/** `1.75 in`, in the unit that the person prefers. */
export function reportSize({ sizeMm }: Pick<StormReport, "sizeMm">, units: HailUnits): string {
  if (sizeMm === undefined) return "size not told";
  return units === "in" ? `${(sizeMm / 25.4).toFixed(2)} in` : `${sizeMm.toFixed(1)} mm`;
}

/** `quarter size, trained spotter, Blanchard` */
export function reportFacts({ sizeMm, place, source }: StormReport): string {
  const name = sizeMm === undefined ? undefined : hailName(sizeMm);
  return [name, source?.toLowerCase(), place].filter((part) => part !== undefined).join(", ");
}

const points = [
  ...["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE"],
  ...["S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"],
];

/** `3.7 mi ENE`, or `less than 1 mi` within a cell, whose direction says nothing. */
export function awayWords(
  from: Coordinate,
  { distanceKm, center }: NearestEstimate,
  unit: LengthUnit,
): string {
  const length = lengthWords(distanceKm, unit);
  if (distanceKm < positionErrorKm) return length;
  return `${length} ${points[Math.round(bearingDeg(from, center) / 22.5) % 16]!}`;
}

/** `2 min after the report` */
export function apartWords(atMs: number, observedAt: string): string {
  const minutes = toMinutes(atMs, observedAt);
  if (minutes === 0) return "at the time of the report";
  return `${Math.abs(minutes)} min ${minutes > 0 ? "after" : "before"} the report`;
}

/** `2 min after` */
export function apartShort(atMs: number, observedAt: string): string {
  const minutes = toMinutes(atMs, observedAt);
  if (minutes === 0) return "same time";
  return `${Math.abs(minutes)} min ${minutes > 0 ? "after" : "before"}`;
}

function toMinutes(atMs: number, observedAt: string): number {
  return Math.round((Date.parse(observedAt) - atMs) / 60_000);
}

/** `1.00–1.03 in` */
export function estimateWords({ lower, upper }: ClassRange, units: HailUnits): string {
  return classRange({ from: lower, to: upper, unit: "mm" }, units)[0]!;
}

/** `At the report itself: below ⅛ in or none` */
export function atPlaceWords(reading: PlaceReading | undefined, units: HailUnits): string {
  switch (reading?.kind) {
    case undefined:
      return "No frame within 15 minutes of the report";
    case "class":
      return `At the report itself: ${estimateWords(reading.range, units)}`;
    case "below":
      return `At the report itself: below ${units === "in" ? "1/8 in" : "3.2 mm"} or none`;
    case "outside-coverage":
      return "At the report itself: outside radar coverage";
  }
}

/** One sentence for a screen reader. */
export function spokenReport(report: StormReport, units: HailUnits): string {
  const size = reportSize(report, units).replace(" in", " inch").replace(" mm", " millimeters");
  return ["Report", size, clockMinute(report.atMs), report.place]
    .filter((part) => part !== undefined)
    .join(", ");
}
