// Reads KML: marks, lines and areas with their times and colors. Nothing that it names is fetched, run or opened:
// pictures over the ground, linked files and the markup of balloons are left out.
import { kmlGen, type F } from "@tmcw/togeojson";
import { DOMParser, onErrorStopParsing, type Document } from "@xmldom/xmldom";
import { toFeatures, type Properties } from "../../../shared/overlays/geojson/parse-features.ts";
import { toPlainOverlay } from "../../../shared/overlays/geojson/plain-geojson.ts";
import { overlayLimits, type OverlayContent } from "../../../shared/overlays/overlay.ts";
import { refuse, refuseManyPoints } from "../../../shared/overlays/reading/shape-gatherer.ts";
import { giveFolderTimes, toTimes } from "./kml-times.ts";

export interface KmlFile {
  readonly name: string;
  readonly format: "kml" | "kmz";
  readonly notes: readonly string[];
}

/** Elements of a document, both tags counted: each becomes an object in memory. */
const mostTags = 1_000_000;

const notDrawn = {
  GroundOverlay: "Pictures over the ground are not drawn",
  ScreenOverlay: "Pictures over the screen are not drawn",
  PhotoOverlay: "Photos are not drawn",
  NetworkLink: "Links to other files are not followed",
  Model: "Models are not drawn",
} as const;

export function readKml(text: string, { name, format, notes }: KmlFile): OverlayContent {
  refuseHostile(text, name);
  const document = parse(text, name);
  giveFolderTimes(document);
  const features: object[] = [];
  let hidden = 0;
  for (const feature of kmlGen(document, { skipNullGeometry: false })) {
    if ("@geometry-type" in (feature.properties ?? {})) continue;
    if (feature.properties?.visibility === false) hidden += 1;
    else features.push({ ...feature, properties: toProperties(feature) });
  }
  const skipped = Object.entries(notDrawn).flatMap(([tag, note]) =>
    Array.from(document.getElementsByTagName(tag), () => note),
  );
  const unseen = Array.from({ length: hidden }, () => "Features that the file hides are not drawn");
  return toPlainOverlay(name, format, {
    ...toFeatures(name, { type: "FeatureCollection", features, title: findTitle(document) }),
    notes: [...notes, ...skipped, ...unseen],
  });
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
