// Files of overlays in the worker of a real browser: those that need libraries are drawn, hostile ones are refused by
// name with nothing of them shown.
import { expect } from "@playwright/test";
import { strToU8, zipSync } from "fflate";
import { shareStation, test } from "../support/viewer-test.ts";
import { noEcho, observedAt } from "../support/known-storm.ts";

const nothing = { northWest: noEcho, northEast: noEcho, southWest: noEcho, southEast: noEcho };
const storm = shareStation(async (station) => {
  await station.ingestKnown("storm", [
    { product: "mrms-reflectivity", observedAt: observedAt(0), quadrants: nothing },
  ]);
  await station.start();
});

const kml = (inner: string): string =>
  `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${inner}</Document></kml>`;
const mark = (name: string): string =>
  `<Placemark><name>${name}</name><Point><coordinates>-97.44,35.22</coordinates></Point></Placemark>`;
const line = (points: number): string =>
  `<Placemark><LineString><coordinates>${"0,0 ".repeat(points)}</coordinates></LineString></Placemark>`;

/** Writes a Shapefile with one point, after the ESRI Shapefile Technical Description (1998). */
function writePoint(longitude: number, latitude: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(128));
  view.setInt32(0, 9994);
  view.setInt32(24, 64);
  view.setInt32(32, 1, true);
  view.setInt32(100, 1);
  view.setInt32(104, 10);
  view.setInt32(108, 1, true);
  view.setFloat64(112, longitude, true);
  view.setFloat64(120, latitude, true);
  return new Uint8Array(view.buffer);
}

const drawn: Readonly<Record<string, Uint8Array>> = {
  "routes.kml": strToU8(
    kml(`${mark("<![CDATA[<script>document.title = 'run'</script>Camp]]>")}${mark("B")}`),
  ),
  "routes.kmz": zipSync({ "doc.kml": strToU8(kml(mark("A"))) }),
  "districts.zip": zipSync({ "districts.shp": writePoint(-97.44, 35.22) }),
};

const refused: Readonly<Record<string, readonly [Uint8Array, string]>> = {
  "entities.kml": [
    strToU8(`<!DOCTYPE kml [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${kml(mark("&b;"))}`),
    "has a document type or entities, which are not read",
  ],
  "bomb.kmz": [zipSync({ "doc.kml": strToU8(kml(line(10_000_000))) }), "has more than 32 MB inside"],
  "points.kmz": [zipSync({ "doc.kml": strToU8(kml(line(7_000_000))) }), "has more than 1,000,000 points"],
  "path.zip": [
    zipSync({ "../districts.shp": writePoint(-97, 35) }),
    "has a file inside whose path leads out of it",
  ],
  "broken.geojson": [new Uint8Array([0x7b, 0xff, 0x7d]), "is damaged, or not UTF-8 text"],
  "cut.txt": [strToU8("Line: 2, 0\n35, -97\n"), "ends in the middle of its last statement, line"],
};

test("files that need libraries are drawn, hostile ones refused by name", async ({ page, viewer }) => {
  test.slow();
  await page.goto(storm.origin);
  await viewer.expectSomethingDrawn();
  const chooser = page.waitForEvent("filechooser");
  await viewer.button("Add overlay").click();
  await (
    await chooser
  ).setFiles(
    [
      ...Object.entries(drawn),
      ...Object.entries(refused).map(([name, [bytes]]) => [name, bytes] as const),
    ].map(([name, bytes]) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) })),
  );
  const list = page.getByRole("list", { name: "Overlays", exact: true });
  const row = (name: string) =>
    list.getByRole("listitem").filter({ has: page.getByRole("checkbox", { name, exact: true }) });
  for (const [name, count] of [
    ["routes.kml", 2],
    ["routes.kmz", 1],
    ["districts.zip", 1],
  ] as const)
    await expect(row(name)).toContainText(`${count} shown`, { timeout: 60_000 });
  for (const [name, [, reason]] of Object.entries(refused)) {
    await expect(row(name)).toContainText(`${name} ${reason}.`, { timeout: 60_000 });
    await expect(row(name)).not.toContainText("shown");
  }
  await expect(page).not.toHaveTitle("run");
});
