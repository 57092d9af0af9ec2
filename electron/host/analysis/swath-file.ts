// A swath as a file: its picture, or its outlines as GeoJSON or KML.
import type { ContourFacts } from "../../../shared/contours/contour-facts.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import { AppError } from "../../../shared/app-error.ts";
import type { ReadableCatalog } from "../../catalog/catalog.ts";
import { parseManifest } from "../../catalog/plans/compose-manifest.ts";
import { encodeSwath } from "./swath-picture.ts";
import type { SwathReport } from "./swath-report.ts";

export type SwathFormat = "png" | "geojson" | "kml";

type Catalog = Pick<ReadableCatalog, "findEvent" | "findRevision">;

/** Returns the file, or undefined if no frame was usable. @throws AppError `not-found` for a revision that is gone */
export async function toSwathFile(
  { swath, used }: SwathReport,
  {
    catalog,
    eventId,
    format,
  }: { readonly catalog: Catalog; readonly eventId: string; readonly format: SwathFormat },
): Promise<Uint8Array | undefined> {
  if (!swath) return undefined;
  if (format === "png") return encodeSwath(swath);
  const { makeContours } = await import("../../../shared/contours/make-contours.ts");
  const contours = makeContours(swath);
  const facts = await readFacts(catalog, eventId, used);
  if (format === "kml") {
    const { toContourKml } = await import("../../../shared/contours/contour-kml.ts");
    return Buffer.from(toContourKml(contours, facts));
  }
  const { toGeoJson } = await import("../../../shared/contours/geojson.ts");
  return Buffer.concat(toGeoJson(contours, facts).map((piece) => Buffer.from(piece)));
}

/** @param used at least one */
async function readFacts(
  catalog: Catalog,
  eventId: string,
  used: SwathReport["used"],
): Promise<ContourFacts> {
  const event = await catalog.findEvent(eventId);
  const newest = used.at(-1)!;
  const record = await catalog.findRevision(eventId, newest.revisionId);
  if (!event || !record) throw new AppError("not-found", `Revision ${newest.revisionId} was just removed.`);
  const { attribution, disclosure } = parseManifest(record.manifest);
  return {
    event: { id: eventId, label: event.label, nature: natureOf(event) },
    revisionIds: [...new Set(used.map(({ revisionId }) => revisionId))],
    observed: { from: used[0]!.observedAt, to: newest.observedAt },
    attribution,
    disclosure,
  };
}
