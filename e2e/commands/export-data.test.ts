// Data that leaves by the command line, opened with somebody else's readers. The truth of a cell is the source file as
// GDAL's own GRIB2 reader has it.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasRealFiles, loadRealFile } from "../../electron/support/grib2-fixtures/load.ts";
import { writeGribFile } from "../../electron/support/grib-files.ts";
import { runCommand } from "../../electron/support/host-process.ts";
import { stopColors, toRgba } from "../../shared/products/palettes.ts";
import { getProduct } from "../../shared/products/registry.ts";
import {
  ask,
  askPython,
  gdalNeeds,
  hasGdal,
  hasPythonReaders,
  hasXmllint,
  pythonNeeds,
  readBand,
  readInfo,
  xmllintNeeds,
} from "../support/geo/gdal.ts";
import { echo, hail, StormToExport, times, valuesOf, type ExportedFile } from "../support/storm-to-export.ts";

const schema = new URL("../support/geo/kml-2.2-used.xsd", import.meta.url).pathname;
const storm = new StormToExport();
const { root, data, sources } = storm;
const run = storm.run.bind(storm);

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

beforeAll(() => storm.publish());

afterAll(() => {
  storm.remove();
});

/** Compares every cell of a GeoTIFF with the source file as GDAL reads it. */
async function expectClassesOf(tiff: string, grib: string): Promise<void> {
  const info = await readInfo(tiff);
  const source = await readInfo(grib);
  const [west, width, , north, , height] = info.geoTransform;
  const [sourceWest, sourceWidth, , sourceNorth, , sourceHeight] = source.geoTransform;
  // MRMS rounds the last point of its grids, from which GDAL takes the step.
  expect(width).toBeCloseTo(sourceWidth, 6);
  expect(height).toBeCloseTo(sourceHeight, 6);
  const firstColumn = Math.round((west - sourceWest) / width);
  expect(sourceWest + firstColumn * width).toBeCloseTo(west, 6);
  const firstRow = Math.round((north - sourceNorth) / height);
  expect(sourceNorth + firstRow * height).toBeCloseTo(north, 6);
  const [values, indices] = [await readBand(grib), await readBand(tiff)];
  const edges = JSON.parse(info.metadata[""]!.ECHOTOP_CLASS_EDGES!) as number[];
  const [columns, rows] = source.size;
  let wrong = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [x, y] = [column - firstColumn, row - firstRow];
      const isInside = x >= 0 && x < info.size[0] && y >= 0 && y < info.size[1];
      const index = isInside ? indices[y * info.size[0] + x]! : 0;
      // MRMS has tenths of a unit.
      const value = Math.round(values[row * columns + column]! * 10) / 10;
      const isRight =
        index === 0
          ? value < edges[0]!
          : value >= edges[index - 1]! && !(value >= (edges[index] ?? Infinity));
      if (!isRight) wrong += 1;
    }
  }
  expect(wrong).toBe(0);
}

describe.skipIf(!hasGdal)(`GeoTIFF${gdalNeeds}`, () => {
  let files: ExportedFile[];
  const find = (name: string): string => files.find(({ file }) => basename(file) === name)!.file;

  beforeAll(async () => {
    files = await run(
      "export",
      "storm",
      "--format",
      "geotiff",
      "--revisions",
      "all",
      "--out",
      join(root, "cells"),
    );
  });

  test("is a file for each revision and layer, with its hash", () => {
    expect(files.map(({ file }) => basename(file))).toEqual(
      [1, 2, 3, 4].flatMap((sequence) =>
        [echo, hail].map((layer) => `echotop-storm-rev${sequence}-${layer}.tif`),
      ),
    );
    for (const { file, format, sha256, revisionIds } of files) {
      expect(format).toBe("geotiff");
      expect(revisionIds).toHaveLength(1);
      expect(sha256).toBe(hashOf(file));
    }
    expect(readdirSync(join(root, "cells"))).toHaveLength(files.length);
  });

  test("has the class of every cell of the source, and no cell beyond the crop has one", async () => {
    await expectClassesOf(find("echotop-storm-rev1-mrms-mesh.tif"), sources.get(`first ${hail} 0`)!);
    await expectClassesOf(find("echotop-storm-rev2-mrms-reflectivity.tif"), sources.get(`first ${echo} 1`)!);
    await expectClassesOf(find("echotop-storm-rev4-mrms-mesh.tif"), sources.get(`again ${hail} 0`)!);
  });

  test("says what it is in gdalinfo: coordinates, colors, no data, and what its classes mean", async () => {
    const info = await readInfo(find("echotop-storm-rev4-mrms-mesh.tif"));
    expect(info.stac["proj:epsg"]).toBe(4326);
    const [band] = info.bands;
    expect(band).toMatchObject({
      type: "Byte",
      noDataValue: 0,
      description: "Hail size (MESH), class index",
    });
    const items = info.metadata[""]!;
    const edges = JSON.parse(items.ECHOTOP_CLASS_EDGES!) as number[];
    const severe = toRgba(stopColors(getProduct(hail), "echotop")[4]!);
    expect(band!.colorTable.entries[edges.indexOf(25.4) + 1]!.slice(0, 3)).toEqual(severe.slice(0, 3));
    expect(items).toMatchObject({
      AREA_OR_POINT: "Area",
      ECHOTOP_EVENT_ID: "storm",
      ECHOTOP_EVENT_LABEL: "Hail & echo (test)",
      ECHOTOP_LAYER: hail,
      ECHOTOP_OBSERVED_AT: times[0],
      ECHOTOP_REVISION_ID: files.at(-1)!.revisionIds[0],
      ECHOTOP_SEQUENCE: "4",
      ECHOTOP_UNIT: "mm",
      ECHOTOP_COLOR_TABLE: "Echotop",
    });
    expect(items.ECHOTOP_ATTRIBUTION).toContain("NOAA/NSSL MRMS");
    expect(items.ECHOTOP_DISCLOSURE).toContain("not a warning source");
    const coverage = JSON.parse(items.ECHOTOP_COVERAGE!) as { width: number; bounds: number[] };
    expect(coverage).toMatchObject({ width: 7, bounds: [-98, 35.5, -97.3, 36] });
  });

  test("gives gdallocationinfo the class at a place", async () => {
    const path = find("echotop-storm-rev2-mrms-reflectivity.tif");
    const edges = JSON.parse((await readInfo(path)).metadata[""]!.ECHOTOP_CLASS_EDGES!) as number[];
    const [row, column] = [10, 3];
    const value = Math.round(valuesOf(echo, 6)(row, column) * 10) / 10;
    const place = [String(-98 + (column + 0.5) * 0.01), String(36 - (row + 0.5) * 0.01)];
    const found = await ask("gdallocationinfo", "-valonly", "-wgs84", path, ...place);
    expect(Number(found)).toBe(edges.findLastIndex((edge) => edge <= value) + 1);
    expect(Number(found)).toBeGreaterThan(0);
  });

  test("of a frame that draws nothing is one pixel without data", async () => {
    const info = await readInfo(find("echotop-storm-rev3-mrms-mesh.tif"));
    expect(info.size).toEqual([1, 1]);
    expect([...(await readBand(find("echotop-storm-rev3-mrms-mesh.tif")))]).toEqual([0]);
  });

  test.skipIf(!hasRealFiles)(
    "has the class of every cell of real files of the whole country",
    async () => {
      for (const [event, name] of [
        ["real-hail", "conus/MRMS_MESH_00.50_20240228-025239.grib2"],
        ["real-echo", "conus/MRMS_MergedReflectivityQCComposite_00.50_20220704-110040.grib2"],
      ] as const) {
        const grib = join(root, basename(name));
        writeFileSync(grib, loadRealFile(name));
        await run("ingest", "--event", event, "--no-keep", grib);
        const [tiff] = await run("export", event, "--format", "geotiff", "--out", join(root, event));
        await expectClassesOf(tiff!.file, grib);
      }
    },
    120_000,
  );
});

describe("KMZ", () => {
  let file: string;
  let archive: Record<string, Uint8Array>;

  beforeAll(async () => {
    const [written, ...others] = await run(
      ...["export", "storm", "--format", "kmz", "--revisions", "1-4", "--out", join(root, "globe")],
    );
    expect(others).toEqual([]);
    expect(written!.revisionIds).toHaveLength(4);
    file = written!.file;
    expect(basename(file)).toBe("echotop-storm-rev1-4.kmz");
    archive = unzipSync(readFileSync(file));
    for (const [name, bytes] of Object.entries(archive)) {
      mkdirSync(join(root, "open", "pictures"), { recursive: true });
      writeFileSync(join(root, "open", name), bytes);
    }
  });

  test("begins with the document, which names each revision and its frame", () => {
    expect(Object.keys(archive)[0]).toBe("doc.kml");
    const document = Buffer.from(archive["doc.kml"]!).toString();
    expect(document).toContain("<name>Hail &amp; echo (test)</name>");
    expect(document.match(/<GroundOverlay>/g)).toHaveLength(8);
    expect(document.match(/<Data name="revisionId">/g)).toHaveLength(8);
    expect(document.match(/<Data name="frameId"><value>[0-9a-f]{64}</g)).toHaveLength(8);
    expect(document.match(/<Data name="colorTable"><value>Echotop</g)).toHaveLength(8);
    expect(document).toContain("not a warning source");
    for (const picture of document.matchAll(/<href>([^<]+)</g)) expect(archive[picture[1]!]).toBeDefined();
  });

  test.skipIf(!hasXmllint)(`is valid against the schema of KML 2.2${xmllintNeeds}`, async () => {
    await ask("xmllint", "--noout", "--schema", schema, join(root, "open", "doc.kml"));
  });

  test.skipIf(!hasGdal)(
    `shows each picture from its observation to the next, and at first not a corrected one${gdalNeeds}`,
    async () => {
      const text = await ask("ogr2ogr", "-f", "GeoJSON", "/vsistdout/", file, "Hail size (MESH)");
      const { features } = JSON.parse(text) as {
        features: {
          properties: { begin: string; end: string; icon: string; visibility: number };
          geometry: { coordinates: number[][][] };
        }[];
      };
      const shown = features.map(({ properties: { begin, end, icon, visibility } }) => [
        icon,
        visibility,
        Date.parse(begin),
        Date.parse(end),
      ]);
      const [first, second, third] = times.map((time) => Date.parse(time));
      expect(shown).toEqual([
        ["pictures/rev1-mrms-mesh.png", 0, first, second],
        ["pictures/rev2-mrms-mesh.png", 1, second, third],
        ["pictures/rev3-mrms-mesh.png", 1, third, third! + 120_000],
        ["pictures/rev4-mrms-mesh.png", 1, first, second],
      ]);
    },
  );

  test.skipIf(!hasPythonReaders)(`has the color of its class in every pixel${pythonNeeds}`, async () => {
    const path = join(root, "open", "pictures", "rev4-mrms-mesh.png");
    const picture = (await askPython(
      "import json,sys,PIL.Image as I; i=I.open(sys.argv[1]); print(json.dumps([i.size, sorted(set(i.convert('RGBA').getdata()))]))",
      path,
    )) as [[number, number], number[][]];
    const [size, colors] = picture;
    const allowed = new Set(stopColors(getProduct(hail), "echotop").map((color) => toRgba(color).join(" ")));
    const drawn = colors.filter(([, , , alpha]) => alpha !== 0);
    expect(drawn.length).toBeGreaterThan(4);
    for (const color of drawn) expect(allowed).toContain(color.join(" "));
    // A pixel a cell: none is blended or moved.
    const [tiff] = await run(
      ...["export", "storm", "--format", "geotiff", "--revisions", "4", "--layers", hail],
      ...["--out", join(root, "one")],
    );
    expect(readFileSync(tiff!.file).readUInt32LE(8 + 2 + 8)).toBe(size[0]);
  });
});

describe("source", () => {
  test("gives the files back as they were, under their names, a correction in its folder", async () => {
    const out = join(root, "originals");
    const files = await run("export", "storm", "--format", "source", "--revisions", "all", "--out", out);
    expect(files).toHaveLength(7);
    for (const source of sources.values()) {
      expect(files.map(({ sha256 }) => sha256)).toContain(hashOf(source));
    }
    for (const { file, sha256 } of files) expect(hashOf(file)).toBe(sha256);
    const again = basename(sources.get(`again ${hail} 0`)!);
    expect(files.filter(({ file }) => basename(file) === again).map(({ file }) => file)).toEqual([
      join(out, again),
      join(out, "rev4", again),
    ]);
  });

  test("refuses a file that was not kept or is damaged, and leaves nothing", async () => {
    const path = writeGribFile(root, { product: hail, observedAt: times[0], fill: 40 });
    await run("ingest", "--event", "unkept", "--no-keep", path);
    const out = join(root, "nothing");
    const missing = await runCommand([
      "export",
      "unkept",
      "--format",
      "source",
      "--out",
      out,
      "--data",
      data,
    ]);
    expect(missing.status).toBe(1);
    expect(missing.stderr).toContain("The source file of mrms-mesh in revision 1 was not kept.");
    await run("ingest", "--event", "spoiled", path);
    const kept = join(data, "sources", hashOf(path).slice(0, 2), `${hashOf(path)}.grib2.gz`);
    const bytes = readFileSync(kept);
    bytes[40]! ^= 1;
    writeFileSync(kept, bytes);
    const damaged = await runCommand([
      "export",
      "spoiled",
      "--format",
      "source",
      "--out",
      out,
      "--data",
      data,
    ]);
    expect(damaged.status).toBe(1);
    expect(existsSync(out)).toBe(false);
  });
});

test("a wrong command line exits 2, an unknown event or revision 1, and no file is left", async () => {
  const out = join(root, "none");
  await run("ingest", "--event", "hail-alone", sources.get(`first ${hail} 0`)!);
  for (const [status, ...args] of [
    [2, "export", "storm", "--format", "shapefile"],
    [2, "export", "storm", "--format", "geotiff", "--layers", "mrms-rain"],
    [2, "export", "storm", "--format", "kmz", "--size", "1920x1080"],
    [2, "export", "hail-alone", "--format", "geotiff", "--layers", echo],
    [2, "export", "hail-alone", "--format", "png", "--layers", echo],
    [2, "swath", "storm", "--layer", hail, "--format", "shp"],
    [1, "export", "nowhere", "--format", "geotiff"],
    [1, "export", "storm", "--format", "kmz", "--revisions", "4,5"],
    [1, "swath", "nowhere", "--layer", hail, "--format", "kml"],
  ] as const) {
    const ended = await runCommand([...args, "--out", out, "--data", data]);
    expect([args.join(" "), ended.status]).toEqual([args.join(" "), status]);
    expect(existsSync(out)).toBe(false);
  }
  const without = await runCommand(["swath", "storm", "--layer", hail, "--format", "kml", "--data", data]);
  expect(without.status).toBe(2);
});
