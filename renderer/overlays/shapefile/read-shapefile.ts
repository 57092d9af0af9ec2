// Reads Shapefiles in a ZIP archive: each .shp with the .dbf, .prj and .cpg of its name.
import { parseDbf, parseShp } from "shpjs";
import { toOverlay } from "../../../shared/overlays/geojson/geojson-overlay.ts";
import { toFeatures } from "../../../shared/overlays/geojson/parse-features.ts";
import type { OverlayContent } from "../../../shared/overlays/overlay.ts";
import { refuse } from "../../../shared/overlays/reading/shape-gatherer.ts";
import type { ZipEntry } from "../archives/zip-archive.ts";
import { checkShapes, checkTable } from "./check-shapes.ts";

/** Bytes of a .prj file; real ones have a few hundred. */
const longestProjection = 16_384;

export function readShapefile(
  name: string,
  entries: readonly ZipEntry[],
  unpack: (entry: ZipEntry) => Uint8Array<ArrayBuffer>,
): OverlayContent {
  const notes: string[] = [];
  const features = entries
    .filter((entry) => /\.shp$/i.test(entry.name))
    .flatMap((layer) => {
      const find = (extension: string): Uint8Array<ArrayBuffer> | undefined => {
        const wanted = `${layer.name.slice(0, -3)}${extension}`.toLowerCase();
        const part = entries.find((entry) => entry.name.toLowerCase() === wanted);
        return part && unpack(part);
      };
      const parts = { shp: unpack(layer), dbf: find("dbf"), prj: find("prj"), cpg: find("cpg") };
      if (!parts.prj) notes.push("Without a .prj file its places are taken as longitudes and latitudes");
      return readLayer(name, parts);
    });
  return toOverlay(name, "shapefile", {
    ...toFeatures(name, { type: "FeatureCollection", features }),
    notes,
  });
}

interface LayerParts {
  readonly shp: Uint8Array<ArrayBuffer>;
  readonly dbf: Uint8Array<ArrayBuffer> | undefined;
  readonly prj: Uint8Array<ArrayBuffer> | undefined;
  readonly cpg: Uint8Array<ArrayBuffer> | undefined;
}

function readLayer(name: string, { shp, dbf, prj, cpg }: LayerParts): object[] {
  checkShapes(shp, name);
  if (dbf) checkTable(dbf, name);
  if (prj && prj.length > longestProjection) throw refuse(name, "has a .prj file that cannot be read");
  const rows = dbf ? parseDbf(dbf, cpg ?? new Uint8Array()) : [];
  return parseShp(shp, prj && new TextDecoder().decode(prj)).map((geometry, index) => ({
    type: "Feature",
    geometry,
    properties: toProperties(rows[index] ?? {}),
  }));
}

/** Days become text; the reader makes them of a machine's own time zone. */
function toProperties(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]: [string, unknown]) => [
      column,
      value instanceof Date ? toDay(value) : value,
    ]),
  );
}

function toDay(date: Date): string | null {
  if (Number.isNaN(date.getTime())) return null;
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0"));
  return `${date.getFullYear()}-${month}-${day}`;
}
