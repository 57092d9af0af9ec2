// Data saved from the dialog Export, read by GDAL: the same cells, classes and words as the command line writes.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Download, type Locator } from "@playwright/test";
import { unzipSync } from "fflate";
import { runCommand } from "../../electron/support/host-process.ts";
import { ask, gdalNeeds, hasGdal, readBand, readInfo } from "../support/geo/gdal.ts";
import { noEcho, noHail, observedAt, type KnownFile, type Quadrants } from "../support/known-storm.ts";
import type { ViewerPage } from "../support/viewer-page.ts";
import { shareStation, test } from "../support/viewer-test.ts";

test.use({ viewport: { width: 1280, height: 800 } });

const inch = 25.4;
const windows = [
  { hail: { northWest: 1.1 * inch, northEast: noHail, southWest: noHail, southEast: noHail }, dbz: 52 },
  { hail: { northWest: noHail, northEast: 2.2 * inch, southWest: noHail, southEast: noHail }, dbz: 47 },
] as const;

const station = shareStation(async (shared) => {
  for (const [window, { hail, dbz }] of windows.entries()) {
    await shared.ingestKnown(
      "storm",
      [toFile("mrms-mesh", window, hail), toFile("mrms-reflectivity", window, echoOf(dbz))],
      ["--label", "Known & storm"],
    );
  }
  await shared.start();
});

function toFile(product: KnownFile["product"], window: number, quadrants: Quadrants): KnownFile {
  return { product, observedAt: observedAt(window), quadrants };
}

function echoOf(dbz: number): Quadrants {
  return { northWest: dbz, northEast: dbz, southWest: noEcho, southEast: 22 };
}

async function openData(viewer: ViewerPage): Promise<Locator> {
  await viewer.page.goto(station.origin);
  await viewer.expectDrawn(2);
  await viewer.button("Export").click();
  return viewer.page.getByRole("dialog", { name: "Export" }).getByRole("region", { name: "Data" });
}

async function save(viewer: ViewerPage, section: Locator, name: string): Promise<Download> {
  const [download] = await Promise.all([
    viewer.page.waitForEvent("download"),
    section.getByRole("button", { name, exact: true }).click(),
  ]);
  await expect(section.getByText(`Saved ${download.suggestedFilename()}`)).toBeVisible();
  return download;
}

/** Saves a download into a folder of the test and returns its path. */
async function keep(download: Download): Promise<string> {
  const path = test.info().outputPath(download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

/** Runs a command on the station's stores; returns its lines. */
async function run(...args: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const { status, lines, stderr } = await runCommand([...args, ...(await station.stores())]);
  expect(status, stderr).toBe(0);
  return lines;
}

/** Expects two GeoTIFFs to be the same to GDAL; how the coverage is packed is left to the platform. */
async function expectSameRaster(first: string, second: string): Promise<void> {
  const [one, other] = [await readInfo(first), await readInfo(second)];
  expect(one.geoTransform).toEqual(other.geoTransform);
  expect(one.bands).toEqual(other.bands);
  const withoutCoverage = ({ metadata }: typeof one) => ({ ...metadata[""], ECHOTOP_COVERAGE: "" });
  expect(withoutCoverage(one)).toEqual(withoutCoverage(other));
  expect(await readBand(first)).toEqual(await readBand(second));
}

test.describe(() => {
  test.skip(!hasGdal, `GeoTIFF, KMZ and contours${gdalNeeds}`);

  test("GeoTIFF has the cells of the revision on screen, both layers in an archive @core", async ({
    viewer,
  }) => {
    const section = await openData(viewer);
    const out = test.info().outputPath("cells");
    await run("export", "storm", "--format", "geotiff", "--revisions", "2", "--out", out);
    const download = await save(viewer, section, "GeoTIFF");
    expect(download.suggestedFilename()).toBe("echotop-storm-rev2-geotiff.zip");
    const files = Object.entries(unzipSync(readFileSync(await keep(download))));
    expect(files.map(([name]) => name)).toEqual([
      "echotop-storm-rev2-mrms-reflectivity.tif",
      "echotop-storm-rev2-mrms-mesh.tif",
    ]);
    for (const [name, bytes] of files) {
      const path = test.info().outputPath(name);
      writeFileSync(path, bytes);
      await expectSameRaster(path, join(out, name));
    }
    await viewer.page.getByRole("checkbox", { name: "Composite reflectivity" }).click();
    const single = await save(viewer, section, "GeoTIFF");
    expect(single.suggestedFilename()).toBe("echotop-storm-rev2-mrms-mesh.tif");
    await expectSameRaster(await keep(single), join(out, "echotop-storm-rev2-mrms-mesh.tif"));
  });

  test("KMZ has the loop's revisions with their times, and pictures that open", async ({ viewer }) => {
    const section = await openData(viewer);
    const download = await save(viewer, section, "KMZ");
    expect(download.suggestedFilename()).toBe("echotop-storm-rev1-2.kmz");
    const path = await keep(download);
    const text = await ask("ogr2ogr", "-f", "GeoJSON", "/vsistdout/", path, "Hail size (MESH)");
    const { features } = JSON.parse(text) as {
      features: { properties: { begin: string; end: string; icon: string } }[];
    };
    expect(features.map(({ properties: { begin, end } }) => [Date.parse(begin), Date.parse(end)])).toEqual([
      [Date.parse(observedAt(0)), Date.parse(observedAt(1))],
      [Date.parse(observedAt(1)), Date.parse(observedAt(2))],
    ]);
    const archive = unzipSync(readFileSync(path));
    const document = Buffer.from(archive["doc.kml"]!).toString();
    expect(document).toContain("<name>Known &amp; storm</name>");
    mkdirSync(test.info().outputPath("pictures"));
    for (const [name, bytes] of Object.entries(archive)) {
      if (!name.endsWith(".png")) continue;
      const picture = test.info().outputPath(name);
      writeFileSync(picture, bytes);
      expect((await readInfo(picture)).size[0]).toBeGreaterThan(1);
    }
  });

  test("contours are those of the command line, and valid", async ({ viewer }) => {
    const section = await openData(viewer);
    const path = await keep(await save(viewer, section, "Contours"));
    const ours = test.info().outputPath("ours.geojson");
    await run("swath", "storm", "--layer", "mrms-mesh", "--format", "geojson", "--out", ours);
    expect(readFileSync(path, "utf8")).toBe(readFileSync(ours, "utf8"));
    const kml = await save(viewer, section, "KML");
    expect(kml.suggestedFilename()).toBe("echotop-storm-rev2-mrms-mesh-so-far.kml");
    const oursKml = test.info().outputPath("ours.kml");
    await run("swath", "storm", "--layer", "mrms-mesh", "--format", "kml", "--out", oursKml);
    expect(readFileSync(await keep(kml), "utf8")).toBe(readFileSync(oursKml, "utf8"));
    const sql = `SELECT ST_IsValid(geometry) AS valid FROM "${download(path)}"`;
    const text = await ask(
      "ogr2ogr",
      "-f",
      "GeoJSON",
      "/vsistdout/",
      path,
      "-dialect",
      "SQLite",
      "-sql",
      sql,
    );
    const { features } = JSON.parse(text) as { features: { properties: { valid: number } }[] };
    expect(features.map(({ properties }) => properties.valid)).toEqual([1, 1, 1, 1]);
  });
});

/** Returns the name of GDAL's layer in a file. */
function download(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.geojson$/, "");
}

test("CSV is the story of the chosen pin, and off with the reason without one", async ({ viewer }) => {
  const section = await openData(viewer);
  const csv = section.getByRole("button", { name: "CSV", exact: true });
  await expect(csv).toHaveAttribute("aria-disabled", "true");
  await expect(csv).toHaveAttribute("title", "Pin a place first: the file is its story");
  await viewer.page.keyboard.press("Escape");
  await viewer.flyTo("Norman", /Norman/);
  await viewer.page.getByRole("button", { name: /^Pin .*: its story$/ }).click();
  await viewer.button("Export").click();
  await expect(csv).toHaveAttribute("aria-disabled", "false");
  const file = readFileSync(await keep(await save(viewer, section, "CSV")), "utf8");
  expect(file.split("\r\n")[0]).toBe("observedAt,publishedAt,sequence,layer,lower,upper,nothing");
  expect(file.split("\r\n")).toHaveLength(1 + 4 + 1);
});

test("original files are those that the command gives, one alone or both in an archive", async ({
  viewer,
}) => {
  const section = await openData(viewer);
  const out = test.info().outputPath("originals");
  const lines = await run("export", "storm", "--format", "source", "--revisions", "2", "--out", out);
  const expected = new Set(lines.map(({ sha256 }) => sha256));
  const both = await save(viewer, section, "GRIB2");
  expect(both.suggestedFilename()).toBe("echotop-storm-rev2-source.zip");
  const files = Object.values(unzipSync(readFileSync(await keep(both))));
  expect(new Set(files.map((bytes) => createHash("sha256").update(bytes).digest("hex")))).toEqual(expected);
  await viewer.page.getByRole("checkbox", { name: "Composite reflectivity" }).click();
  const single = await keep(await save(viewer, section, "GRIB2"));
  expect(expected).toContain(createHash("sha256").update(readFileSync(single)).digest("hex"));
});
