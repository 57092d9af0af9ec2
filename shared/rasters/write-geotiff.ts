// A layer of a revision as GeoTIFF (OGC 19-008r4): EPSG:4326, a pixel a cell, palette indices as in the frame. The rest
// is in the metadata items that GDAL reads.
import { identity } from "../identity.ts";
import { escapeXml } from "../kml/kml-text.ts";
import { defaultPalette, paletteNames } from "../products/palettes.ts";
import type { CellRaster } from "./cell-raster.ts";
import type { Deflate } from "./deflate.ts";
import type { ExportedLayer } from "./exported-layer.ts";
import { writeTiff, type TiffField } from "./tiff-file.ts";

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}

/** Encodes base64; browsers, workers and Node have it, but `shared/` has no DOM types. */
declare const btoa: (binary: string) => string;

/** Approximate bytes of a strip. */
const stripBytes = 1 << 18;

const zlibCompression = 8;
const noPredictor = 1;
const differencing = 2;
const paletteColors = 3;

/** Keys of GeoTIFF: version 1.1, geographic coordinates, pixels are areas, WGS 84, in degrees. */
const geoKeys = [
  ...[1, 1, 0, 4],
  ...[1024, 0, 1, 2],
  ...[1025, 0, 1, 1],
  ...[2048, 0, 1, 4326],
  ...[2054, 0, 1, 9102],
];

export async function writeGeotiff(
  raster: CellRaster,
  layer: ExportedLayer,
  deflate: Deflate,
): Promise<Uint8Array<ArrayBuffer>> {
  const rowsPerStrip = Math.max(1, Math.min(raster.rows, Math.floor(stripBytes / raster.columns)));
  const predictor = await choosePredictor(raster, rowsPerStrip, deflate);
  const strips: Uint8Array[] = [];
  for (let row = 0; row < raster.rows; row += rowsPerStrip) {
    strips.push(await deflate(toStrip(raster, row, { rowsPerStrip, predictor })));
  }
  const fields: TiffField[] = [
    ...toPictureFields(raster, { rowsPerStrip, predictor }),
    ...toPlaceFields(raster),
    ...toTextFields(layer),
    toText(42112, toMetadata(raster, layer, await encodeCoverage(raster, deflate))),
    // Index 0 is no data.
    toText(42113, "0"),
  ];
  return writeTiff(fields, strips);
}

interface Packing {
  readonly rowsPerStrip: number;
  readonly predictor: number;
}

/** Returns the one that packs the middle of the picture smaller. */
async function choosePredictor(raster: CellRaster, rowsPerStrip: number, deflate: Deflate): Promise<number> {
  const middle = Math.floor(raster.rows / rowsPerStrip / 2) * rowsPerStrip;
  const [plain, differences] = await Promise.all(
    [noPredictor, differencing].map(async (predictor) => {
      const packed = await deflate(toStrip(raster, middle, { rowsPerStrip, predictor }));
      return packed.length;
    }),
  );
  return differences! < plain! ? differencing : noPredictor;
}

function toStrip(
  { indices, columns }: CellRaster,
  row: number,
  { rowsPerStrip, predictor }: Packing,
): Uint8Array<ArrayBuffer> {
  const strip = indices.slice(row * columns, (row + rowsPerStrip) * columns);
  if (predictor === noPredictor) return strip;
  for (let start = 0; start < strip.length; start += columns) {
    for (let at = start + columns - 1; at > start; at--) strip[at]! -= strip[at - 1]!;
  }
  return strip;
}

function toPictureFields({ columns, rows, palette }: CellRaster, packing: Packing): TiffField[] {
  const short = (tag: number, ...values: number[]): TiffField => ({ tag, type: "short", values });
  const colors = [0, 1, 2].flatMap((channel) =>
    Array.from({ length: 256 }, (_, entry) => palette[entry * 4 + channel]! * 257),
  );
  return [
    { tag: 256, type: "long", values: [columns] },
    { tag: 257, type: "long", values: [rows] },
    short(258, 8),
    short(259, zlibCompression),
    short(262, paletteColors),
    short(277, 1),
    { tag: 278, type: "long", values: [packing.rowsPerStrip] },
    short(284, 1),
    short(317, packing.predictor),
    short(320, ...colors),
  ];
}

/** The corner in the northwest and the size of a pixel. */
function toPlaceFields({ bounds: [west, south, east, north], columns, rows }: CellRaster): TiffField[] {
  const [width, height] = [toUdeg(east) - toUdeg(west), toUdeg(north) - toUdeg(south)];
  return [
    { tag: 33550, type: "double", values: [width / columns / 1e6, height / rows / 1e6, 0] },
    { tag: 33922, type: "double", values: [0, 0, 0, west, north, 0] },
    { tag: 34735, type: "short", values: geoKeys },
  ];
}

function toUdeg(degrees: number): number {
  return Math.round(degrees * 1e6);
}

function toTextFields({ revision, label, observedAt }: ExportedLayer): TiffField[] {
  const { event, sequence, attribution, disclosure } = revision;
  return [
    toText(270, `${event.label}: ${label}, observed ${observedAt}, revision ${sequence}. ${disclosure}`),
    toText(305, identity.productName),
    // A date of TIFF has no zone: it is that of the observation, in UTC.
    toText(306, observedAt.slice(0, 19).replace("T", " ").replace(/-/g, ":")),
    toText(33432, attribution),
  ];
}

function toText(tag: number, text: string): TiffField {
  return { tag, type: "ascii", values: [...new TextEncoder().encode(text), 0] };
}

function toMetadata({ classes }: CellRaster, layer: ExportedLayer, coverage: string): string {
  const { revision } = layer;
  const values: Readonly<Record<string, string>> = {
    ECHOTOP_CLASS_EDGES: JSON.stringify(classes.edges),
    ECHOTOP_UNIT: classes.unit,
    ECHOTOP_COLOR_TABLE: paletteNames[defaultPalette],
    ECHOTOP_INDEX_0: "nothing: below the first class, no echo, or outside radar coverage (ECHOTOP_COVERAGE)",
    ECHOTOP_LAYER: layer.id,
    ECHOTOP_EVENT_ID: revision.event.id,
    ECHOTOP_EVENT_LABEL: revision.event.label,
    ECHOTOP_EVENT_NATURE: revision.event.nature,
    ECHOTOP_REVISION_ID: revision.revisionId,
    ECHOTOP_SEQUENCE: String(revision.sequence),
    ECHOTOP_FRAME_ID: layer.frameId,
    ECHOTOP_OBSERVED_AT: layer.observedAt,
    ...(revision.publishedAt !== undefined && { ECHOTOP_PUBLISHED_AT: revision.publishedAt }),
    ECHOTOP_ATTRIBUTION: revision.attribution,
    ECHOTOP_DISCLOSURE: revision.disclosure,
    ECHOTOP_CAVEAT: layer.caveat,
    ECHOTOP_COVERAGE: coverage,
  };
  const items = Object.entries(values).map(
    ([name, value]) => `<Item name="${name}">${escapeTwice(value)}</Item>`,
  );
  const band = `<Item name="DESCRIPTION" sample="0" role="description">${escapeTwice(`${layer.label}, class index`)}</Item>`;
  return `<GDALMetadata>\n${[...items, band].join("\n")}\n</GDALMetadata>`;
}

/** GDAL resolves entities twice. */
function escapeTwice(text: string): string {
  return escapeXml(text.replaceAll("&", "&amp;"));
}

/** Returns the radar coverage as a frame has it: the JSON of its `echotop:coverage`. */
async function encodeCoverage({ coverage }: CellRaster, deflate: Deflate): Promise<string> {
  const packed = await deflate(coverage.bits);
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return JSON.stringify({ ...coverage, bits: btoa(binary) });
}
