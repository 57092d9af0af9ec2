// A ZIP archive is a KMZ if it has KML, and a Shapefile if it has one of its parts.
import type { OverlayContent } from "../../../shared/overlays/overlay.ts";
import { refuse } from "../../../shared/overlays/reading/shape-gatherer.ts";
import { decodeText } from "../decode-text.ts";
import { isZip, openZip, type ZipEntry } from "./zip-archive.ts";

export async function readArchive(bytes: Uint8Array, name: string): Promise<OverlayContent> {
  const entries = openZip(bytes, name);
  const find = (extension: RegExp): ZipEntry[] => entries.filter((entry) => extension.test(entry.name));
  const documents = find(/\.kml$/i);
  const layers = find(/\.shp$/i);
  const unpack = (entry: ZipEntry): Uint8Array<ArrayBuffer> => {
    const unpacked = entry.unpack();
    if (isZip(unpacked)) throw refuse(name, "has another archive inside");
    return unpacked;
  };
  if (documents.length > 0 && layers.length === 0) {
    const { readKml } = await import("../kml/read-kml.ts");
    const read = documents.map((entry) => ({ path: entry.name, text: decodeText(unpack(entry), name) }));
    return readKml(name, "kmz", read);
  }
  if (layers.length > 0 && documents.length === 0) {
    const { readShapefile } = await import("../shapefile/read-shapefile.ts");
    return readShapefile(name, entries, unpack);
  }
  throw refuse(name, "has neither KML nor a Shapefile inside, or both");
}
