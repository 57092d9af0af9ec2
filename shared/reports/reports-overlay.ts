// Storm reports as the shapes of an overlay: points with their size, each at the instant of its report.
import { overlayLimits, type OverlayContent, type OverlayShape } from "../overlays/overlay.ts";
import { mmPerInch } from "./report-fields.ts";
import type { StormReport } from "./storm-report.ts";

export function toReportsOverlay(
  reports: readonly StormReport[],
  format: "reports-csv" | "reports-geojson",
): OverlayContent {
  return { format, shapes: reports.map(toShape), notes: [], bounds: findBounds(reports) };
}

function toShape(report: StormReport): OverlayShape {
  const { atMs, coordinate, place, source, remark } = report;
  return {
    geometry: { type: "Point", coordinates: coordinate },
    fromMs: atMs,
    toMs: atMs,
    label: toLabel(report),
    text: [place, source, remark]
      .filter((part) => part !== undefined)
      .join(". ")
      .slice(0, overlayLimits.textLength),
    report,
  };
}

/** `1.75` for hail in inches, `52 kt` for a gust. */
function toLabel({ kind, sizeMm, windKt }: StormReport): string {
  if (sizeMm !== undefined) return (sizeMm / mmPerInch).toFixed(2);
  if (windKt !== undefined) return `${Math.round(windKt)} kt`;
  return kind === "other" ? "report" : kind;
}

function findBounds(reports: readonly StormReport[]): OverlayContent["bounds"] {
  if (reports.length === 0) return undefined;
  return reports.reduce(
    ([west, south, east, north], { coordinate: [lon, lat] }): [number, number, number, number] => [
      ...([Math.min(west, lon), Math.min(south, lat)] as const),
      ...([Math.max(east, lon), Math.max(north, lat)] as const),
    ],
    [180, 90, -180, -90],
  );
}
