// Contours as KML 2.2: one placemark a level in its legend's color, with the span of observation.
import { escapeXml, toExtendedData, toKmlColor, toKmlDocument, toTimeSpan } from "../kml/kml-text.ts";
import type { ContourFacts } from "./contour-facts.ts";
import { createPointWriter, type WritePoint } from "./grid-points.ts";
import type { Contour, Contours } from "./make-contours.ts";
import type { CellPolygon, CellRing } from "./trace-rings.ts";

/** A lower level shows through a higher one. */
const fillOpacity = 0.45;

export function toContourKml(contours: Contours, facts: ContourFacts): string {
  const { cells } = contours;
  const { event, attribution, disclosure } = facts;
  const head = [
    `<name>${escapeXml(`${event.label}: largest so far`)}</name>`,
    `<description>${escapeXml(`${disclosure} ${attribution}`)}</description>`,
    ...contours.contours.map(toStyle),
  ];
  const placemarks = cells
    ? contours.contours.map((contour, order) =>
        toPlacemark(contour, contours, facts, { toPoint: createPointWriter(cells), order }),
      )
    : [];
  return toKmlDocument([...head, ...placemarks, ""].join("\n"));
}

function toStyle({ color }: Contour, order: number): string {
  return `<Style id="level-${order}"><LineStyle><color>${toKmlColor(color)}</color><width>1.5</width></LineStyle><PolyStyle><color>${toKmlColor(color, fillOpacity)}</color></PolyStyle></Style>`;
}

function toPlacemark(
  { lower, label, polygons }: Contour,
  { layer, unit }: Contours,
  { event, revisionIds, observed, attribution, disclosure }: ContourFacts,
  { toPoint, order }: { readonly toPoint: WritePoint; readonly order: number },
): string {
  const data = {
    ...{ lower, upper: "", unit, layer, event: event.id, nature: event.nature },
    ...{ revisions: revisionIds.join(" "), attribution, disclosure },
  };
  return [
    `<Placemark><name>${escapeXml(label)}</name><description>${escapeXml(disclosure)}</description>`,
    toTimeSpan(observed.from, observed.to),
    `<styleUrl>#level-${order}</styleUrl>${toExtendedData(data)}<MultiGeometry>`,
    ...polygons.map((polygon) => toPolygon(polygon, toPoint)),
    "</MultiGeometry></Placemark>",
  ].join("\n");
}

function toPolygon({ shell, holes }: CellPolygon, toPoint: WritePoint): string {
  const inner = holes.map((hole) => `<innerBoundaryIs>${toRing(hole, toPoint)}</innerBoundaryIs>`);
  return `<Polygon><outerBoundaryIs>${toRing(shell, toPoint)}</outerBoundaryIs>${inner.join("")}</Polygon>`;
}

function toRing(ring: CellRing, toPoint: WritePoint): string {
  const points: string[] = [];
  for (let at = 0; at < ring.length; at += 2) points.push(toPoint(ring[at]!, ring[at + 1]!));
  points.push(points[0]!);
  return `<LinearRing><coordinates>${points.join(" ")}</coordinates></LinearRing>`;
}
