// Outlines of the largest of a day over the whole CONUS grid, from the plane of classes in a file to GeoJSON in a file,
// beside `gdal_contour -p` on the same plane at the same classes. GDAL runs as a process of its own and draws smooth
// bands; ours runs in this process and draws the cells themselves, as cumulative polygons.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { areInstalled } from "../../electron/support/engines/engine-parts.ts";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import type { ContourFacts } from "../../shared/contours/contour-facts.ts";
import { contourLevels } from "../../shared/contours/contour-levels.ts";
import { toGeoJson } from "../../shared/contours/geojson.ts";
import { makeContours } from "../../shared/contours/make-contours.ts";
import { classEdges } from "../../shared/products/product.ts";
import { mesh } from "../../shared/products/mesh.ts";
import { reflectivity } from "../../shared/products/reflectivity.ts";
import { decodeCells } from "../../renderer/frames/source-cells.ts";
import { toCellRaster } from "../../shared/rasters/cell-raster.ts";
import type { BenchRow } from "./bench-row.ts";
import { conus } from "./conus-files.ts";
import { conusFrameBounds, createConusFrame } from "./conus-frame.ts";
import { median, runTimed } from "./timed-process.ts";

const rounds = 3;
const targetRatio = 5;
/** Cells that a storm goes east in its life: three and a half hours at a cell each two minutes. */
const trackCells = 105;
const tool = "gdal_contour";
const looks = { hail: mesh, echo: reflectivity } as const;

const facts: ContourFacts = {
  event: { id: "bench", label: "Bench", nature: "benchmark" },
  revisionIds: [],
  observed: { from: "2024-05-20T00:00:00Z", to: "2024-05-20T23:58:00Z" },
  attribution: "",
  disclosure: "",
};

export async function run(): Promise<BenchRow[]> {
  const directory = makeTemporaryDirectory("bench-contours");
  try {
    const rows: BenchRow[] = [];
    for (const look of ["hail", "echo"] as const) rows.push(await measure(look, directory));
    return rows;
  } finally {
    removeDirectory(directory);
  }
}

async function measure(look: keyof typeof looks, directory: string): Promise<BenchRow> {
  const product = looks[look];
  const classes = { product: product.id, unit: product.unit, edges: classEdges(product) };
  const plane = join(directory, `${look}.bin`);
  const day = await makeDay(look);
  writeFileSync(plane, day);
  writeFileSync(join(directory, `${look}.hdr`), toEnviHeader());
  const block = { rowStart: 0, rowEnd: conus.rows, columnStart: 0, columnEnd: conus.columns };
  const ourFile = join(directory, "ours.geojson");
  const runOurs = (): number => {
    const startedMs = performance.now();
    const highest = Uint8Array.from(readFileSync(plane));
    const contours = makeContours({ classes, cells: conus, block, highest });
    writeFileSync(ourFile, toGeoJson(contours, facts).join(""));
    return performance.now() - startedMs;
  };
  const hasPeer = areInstalled([tool]);
  const levels = contourLevels(product.id).map(({ lower }) => classes.edges.indexOf(lower) + 0.5);
  const peerArgs = [...["-q", "-p", "-amin", "lower", "-f", "GeoJSON", "-fl"], ...levels.map(String)];
  const ours: number[] = [];
  const peer: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const ourMs = runOurs();
    const out = join(directory, `${look}-${round}.geojson`);
    const peerMs = hasPeer ? (await runTimed(tool, [...peerArgs, plane, out], directory)).wallMs : 0;
    // The first round warms up files and code.
    if (round === 0) continue;
    ours.push(ourMs);
    peer.push(peerMs);
  }
  const [ourMs, peerMs] = [median(ours), hasPeer ? median(peer) : null];
  const ratio = peerMs === null ? null : peerMs / ourMs;
  const drawn = day.reduce((count, index) => count + (index > 0 ? 1 : 0), 0);
  return {
    row: 0,
    name: `contours, ${look}`,
    metric: "ms (median)",
    ...{ ours: ourMs, peer: peerMs, peerName: hasPeer ? `${tool} -p` : `${tool} is not installed`, ratio },
    ...{ target: `≥ ${targetRatio} ×`, met: ratio === null ? null : ratio >= targetRatio },
    note: `7000 × 3500 cells, ${drawn} of them with a class; ${(readFileSync(ourFile).length / 1e6).toFixed(1)} MB of GeoJSON`,
  };
}

/** Returns the highest class of each cell of a frame's storms on their way east. */
async function makeDay(look: keyof typeof looks): Promise<Uint8Array> {
  const bounds = [...conusFrameBounds] as [number, number, number, number];
  const cells = await decodeCells(createConusFrame(720, look), bounds);
  const { indices } = toCellRaster(cells!, { bounds, palette: new Uint8Array(1024) });
  const highest = new Uint8Array(indices.length);
  for (let row = 0; row < conus.rows; row++) {
    const start = row * conus.columns;
    for (let column = 0; column < conus.columns; column++) {
      const index = indices[start + column]!;
      const end = index > 0 ? Math.min(conus.columns, column + trackCells) : column;
      for (let at = column; at < end; at++) {
        if (highest[start + at]! < index) highest[start + at] = index;
      }
    }
  }
  return highest;
}

function toEnviHeader(): string {
  return [
    "ENVI",
    `samples = ${conus.columns}`,
    `lines = ${conus.rows}`,
    ...["bands = 1", "header offset = 0", "data type = 1", "interleave = bsq", "byte order = 0"],
    "map info = {Geographic Lat/Lon, 1, 1, -130, 55, 0.01, 0.01, WGS-84}",
    "",
  ].join("\n");
}
