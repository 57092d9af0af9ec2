// Bytes of a file with its name to an overlay. The content decides the format, then the name. Whatever goes wrong is an
// AppError with a sentence that names the file; nothing of a refused file is drawn.
import { isAppError } from "../../shared/app-error.ts";
import { readGeoJson } from "../../shared/overlays/geojson/geojson-overlay.ts";
import { overlayLimits, type OverlayContent } from "../../shared/overlays/overlay.ts";
import { isPlacefile, readPlacefile } from "../../shared/overlays/placefile/placefile.ts";
import { toLabel } from "../../shared/overlays/reading/plain-text.ts";
import { refuse } from "../../shared/overlays/reading/shape-gatherer.ts";
import { isReportsFile, readReports } from "../../shared/reports/read-reports.ts";
import { toReportsOverlay } from "../../shared/reports/reports-overlay.ts";
import { readArchive } from "./archives/read-archive.ts";
import { isZip } from "./archives/zip-archive.ts";
import { decodeText } from "./decode-text.ts";

export async function readOverlay(bytes: Uint8Array, fileName: string): Promise<OverlayContent> {
  const name = toLabel(fileName) ?? "The file";
  try {
    if (bytes.length > overlayLimits.bytes) throw refuse(name, "is larger than 5 MB");
    return await read(bytes, name);
  } catch (error) {
    throw isAppError(error) ? error : refuse(name, "cannot be read", error);
  }
}

async function read(bytes: Uint8Array, name: string): Promise<OverlayContent> {
  if (isZip(bytes)) return readArchive(bytes, name);
  const text = decodeText(bytes, name);
  const file = { name, text };
  const isJson = /^\s*[[{]/.test(text);
  if (isReportsFile(text))
    return toReportsOverlay(readReports(text, name), isJson ? "reports-geojson" : "reports-csv");
  if (isJson) return readGeoJson(file);
  if (isKml(text)) {
    const { readKml } = await import("./kml/read-kml.ts");
    return readKml(name, "kml", [{ text }]);
  }
  if (isPlacefile(text)) return readPlacefile(file);
  throw refuse(name, "is of no format that can be shown");
}

/** Markup of any kind: the reader of KML says what it is not. */
function isKml(text: string): boolean {
  return /^\s*<[?!a-z]/i.test(text);
}
