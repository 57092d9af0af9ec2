// Shared by the readers of official warnings: their notes, their words, and the shapes of one feature.
import type { OverlayShape, OverlayWarning, WarningKind } from "../overlay.ts";
import { toLabel } from "../reading/plain-text.ts";
import type { ShapeGatherer } from "../reading/shape-gatherer.ts";
import type { Feature } from "./parse-features.ts";

const kindsByEvent: ReadonlyMap<string, WarningKind> = new Map([
  ["tornado warning", "tornado"],
  ["severe thunderstorm warning", "severe-thunderstorm"],
  ["flash flood warning", "flash-flood"],
  ["special marine warning", "special-marine"],
]);

export function toWarning(title: string, office: string | undefined): OverlayWarning {
  return { kind: kindsByEvent.get(title.toLowerCase()) ?? "other", title, office };
}

/** Reads words of a property; undefined if it has none. */
export function toWords(value: unknown): string | undefined {
  return typeof value === "string" ? toLabel(value) : undefined;
}

type Warned = Pick<OverlayShape, "fromMs" | "toMs" | "text"> & { readonly warning: OverlayWarning };

/** Adds the areas of a warning; one without both times or without a polygon is not drawn, but told. */
export function addWarning(gatherer: ShapeGatherer, { geometries }: Feature, shape: Warned): void {
  const { fromMs, toMs } = shape;
  const areas = geometries.filter(({ type }) => type === "Polygon");
  if (fromMs === undefined || toMs === undefined || toMs < fromMs)
    gatherer.note("Warnings without the times of their validity are left out");
  else if (areas.length === 0)
    gatherer.note("Warnings without a polygon, for whole counties or zones, are not drawn");
  else for (const geometry of areas) gatherer.add({ geometry, label: shape.warning.title, ...shape });
}
