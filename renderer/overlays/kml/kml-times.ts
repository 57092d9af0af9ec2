// The times of KML features: spans, stamps, tracks, and those of the folders around them.
import type { Document, Node } from "@xmldom/xmldom";
import type { Properties } from "../../../shared/overlays/geojson/parse-features.ts";

const timeTags: readonly string[] = ["TimeSpan", "TimeStamp"];

/** A placemark without a time has that of the innermost folder with one. */
export function giveFolderTimes(document: Document): void {
  const folders = [...document.getElementsByTagName("Folder"), ...document.getElementsByTagName("Document")];
  if (!folders.some((folder) => findTime(folder))) return;
  // A copy: the list follows the document, which changes here.
  for (const placemark of [...document.getElementsByTagName("Placemark")]) {
    if (findTime(placemark)) continue;
    for (let around = placemark.parentNode; around; around = around.parentNode) {
      const time = findTime(around);
      if (!time) continue;
      placemark.appendChild(time.cloneNode(true));
      break;
    }
  }
}

function findTime(node: Node): Node | undefined {
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (timeTags.includes(child.nodeName)) return child;
  return undefined;
}

/** Converts what the reader of KML found to `begin`, `end` and `time`. */
export function toTimes(properties: Properties): Properties {
  const { timespan, timestamp, coordinateProperties } = properties;
  if (isSpan(timespan)) return { begin: timespan.begin || null, end: timespan.end || null };
  if (typeof timestamp === "string") return { time: timestamp };
  const times = (coordinateProperties as { times?: unknown } | undefined)?.times;
  const stamps = Array.isArray(times) ? times.flat() : [];
  return stamps.length > 0 ? { begin: stamps[0], end: stamps.at(-1) } : {};
}

function isSpan(value: unknown): value is { readonly begin: string; readonly end: string } {
  return typeof value === "object" && value !== null && "begin" in value && "end" in value;
}
