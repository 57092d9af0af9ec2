// Reads KML: marks, lines and areas with their times and colors. Nothing that it names is fetched, run or opened:
// pictures over the ground, linked files and the markup of balloons are left out.
import { kmlGen, type F } from "@tmcw/togeojson";
import { DOMParser, onErrorStopParsing, type Document, type Element } from "@xmldom/xmldom";
import { toFeatures, type Properties } from "../../../shared/overlays/geojson/parse-features.ts";
import { toPlainOverlay } from "../../../shared/overlays/geojson/plain-geojson.ts";
import { overlayLimits, type OverlayContent } from "../../../shared/overlays/overlay.ts";
import { refuse, refuseManyPoints } from "../../../shared/overlays/reading/shape-gatherer.ts";
import { giveFolderTimes, toTimes } from "./kml-times.ts";

export interface KmlDocument {
  /** Path inside its archive; undefined for a document by itself. */
  readonly path?: string;
  readonly text: string;
}

/** Elements of a document, both tags counted: each becomes an object in memory. */
const mostTags = 500_000;

const notDrawn = {
  GroundOverlay: "Pictures over the ground are not drawn",
  ScreenOverlay: "Pictures over the screen are not drawn",
  PhotoOverlay: "Photos are not drawn",
  NetworkLink: "Links to other files are not followed",
  Model: "Models are not drawn",
} as const;

/** Reads a document, or those of one archive, which may link to each other. The first one has the title. */
export function readKml(
  name: string,
  format: "kml" | "kmz",
  documents: readonly KmlDocument[],
): OverlayContent {
  const paths = documents.map(({ path }) => path);
  const read = documents.map(({ text }) => {
    refuseHostile(text, name);
    return readDocument(parse(text, name), paths);
  });
  const features = read.flatMap((document) => document.features);
  return toPlainOverlay(name, format, {
    ...toFeatures(name, { type: "FeatureCollection", features, title: read[0]?.title }),
    notes: read.flatMap(({ notes }) => notes),
  });
}

interface ReadDocument {
  readonly title: string | undefined;
  readonly features: readonly object[];
  readonly notes: readonly string[];
}

function readDocument(document: Document, paths: readonly (string | undefined)[]): ReadDocument {
  giveFolderTimes(document);
  const features: object[] = [];
  const notes: string[] = [];
  for (const [tag, note] of Object.entries(notDrawn))
    for (const element of document.getElementsByTagName(tag))
      if (!paths.includes(findLink(element))) notes.push(note);
  for (const feature of kmlGen(document, { skipNullGeometry: false })) {
    if ("@geometry-type" in (feature.properties ?? {})) continue;
    if (feature.properties?.visibility === false) notes.push("Features that the file hides are not drawn");
    else features.push({ ...feature, properties: toProperties(feature) });
  }
  return { title: findTitle(document), features, notes };
}

/** Returns the address of a link; empty for other elements. */
function findLink(element: Element): string {
  return element.getElementsByTagName("href").item(0)?.textContent?.trim() ?? "";
}

/** Refuses what a parser must not see: entities, and more than it should have to hold. */
function refuseHostile(text: string, name: string): void {
  if (/<!ENTITY|<!DOCTYPE(?!\s+html\s*>)/i.test(text))
    throw refuse(name, "has a document type or entities, which are not read");
  if (count(text, "<") > mostTags) throw refuse(name, "has more elements than can be read");
  // A place has a comma or two; words have commas too.
  if (count(text, ",") > 2 * overlayLimits.points) throw refuseManyPoints(name);
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) found += 1;
  return found;
}

function parse(text: string, name: string): Document {
  let document: Document;
  try {
    document = new DOMParser({ onError: onErrorStopParsing }).parseFromString(text, "text/xml");
  } catch (cause) {
    throw refuse(name, "is not valid XML", cause);
  }
  if (document.documentElement?.localName !== "kml") throw refuse(name, "is not KML");
  return document;
}

function findTitle(document: Document): string | undefined {
  const top = document.documentElement?.getElementsByTagName("Document").item(0);
  const title = Array.from(top?.childNodes ?? []).find(({ nodeName }) => nodeName === "name");
  return title?.textContent ?? undefined;
}

/** Names that serve only the viewer of a KML file. */
const serving: readonly string[] = [
  "styleUrl",
  "visibility",
  "open",
  "icon",
  "timespan",
  "timestamp",
  "coordinateProperties",
];

/** Converts to the names that GeoJSON files use. */
function toProperties({ properties }: F): Properties {
  const { description, ...others } = properties ?? {};
  const plain = Object.entries(others).filter(
    ([name]) => !serving.includes(name) && !/^(?:icon|label)-(?!color$)/.test(name),
  );
  const words: unknown = (description as { value?: unknown } | undefined)?.value ?? description;
  return {
    ...Object.fromEntries(plain),
    ...toTimes(properties ?? {}),
    ...(words ? { description: words } : {}),
  };
}
