// Contours as GeoJSON (RFC 7946): one feature a level, with a MultiPolygon in degrees.
import type { ContourFacts } from "./contour-facts.ts";
import { createPointWriter, type WritePoint } from "./grid-points.ts";
import type { Contour, Contours } from "./make-contours.ts";
import type { CellRing } from "./trace-rings.ts";

/** Returns the file in pieces: one text would be too long for a large one. */
export function toGeoJson(contours: Contours, facts: ContourFacts): string[] {
  const head = '{"type":"FeatureCollection","features":[\n';
  const { cells } = contours;
  const features = cells
    ? contours.contours.map((contour) => toFeature(contour, contours, facts, createPointWriter(cells)))
    : [];
  return [head, ...features.flatMap((feature, at) => (at === 0 ? feature : [",\n", ...feature])), "\n]}\n"];
}

function toFeature(
  { lower, label, color, polygons }: Contour,
  { layer, unit }: Contours,
  { event, revisionIds, observed, attribution, disclosure }: ContourFacts,
  toPoint: WritePoint,
): string[] {
  const properties = {
    ...{ lower, upper: null, unit, label, layer },
    ...{ event: event.id, eventLabel: event.label, nature: event.nature },
    ...{ revisions: revisionIds, observedFrom: observed.from, observedTo: observed.to },
    ...{ attribution, disclosure },
    ...{ stroke: color.slice(0, 7), fill: color.slice(0, 7) },
  };
  const head = `{"type":"Feature","properties":${JSON.stringify(properties)},"geometry":{"type":"MultiPolygon","coordinates":[`;
  const shapes = polygons.map(({ shell, holes }, at) => {
    const rings = [shell, ...holes].map((ring) => toRing(ring, toPoint));
    return `${at === 0 ? "" : ",\n"}[${rings.join(",")}]`;
  });
  return [head, ...shapes, "]}}"];
}

function toRing(ring: CellRing, toPoint: WritePoint): string {
  const points: string[] = [];
  for (let at = 0; at < ring.length; at += 2) points.push(`[${toPoint(ring[at]!, ring[at + 1]!)}]`);
  points.push(points[0]!);
  return `[${points.join(",")}]`;
}
