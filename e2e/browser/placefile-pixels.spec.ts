// Placefiles and GeoJSON on the map, by their pixels: colors, widths, places, thresholds and the order of drawing are
// those of the file, as in the programs that such files are for.
import { expect, type Locator, type Page } from "@playwright/test";
import { noEcho, observedAt } from "../support/known-storm.ts";
import type { Rgb, ViewerPage } from "../support/viewer-page.ts";
import { shareStation, test } from "../support/viewer-test.ts";

// Large enough that nothing over the map covers what is read.
test.use({ viewport: { width: 1280, height: 800 } });

const nothing = { northWest: noEcho, northEast: noEcho, southWest: noEcho, southEast: noEcho };
const storm = shareStation(async (station) => {
  await station.ingestKnown("storm", [
    { product: "mrms-reflectivity", observedAt: observedAt(0), quadrants: nothing },
  ]);
  await station.start();
});

/** Half the width of the square that is read around Norman, which is in the middle of the map. */
const halfPx = 200;

/** Position of a color around Norman, in pixels east and south of it. */
interface Found {
  /** 0 if it is nowhere. */
  readonly count: number;
  readonly west: number;
  readonly east: number;
  readonly heightPx: number;
  readonly middle: readonly [x: number, y: number];
}

async function findColor(viewer: ViewerPage, isColor: (pixel: Rgb) => boolean): Promise<Found> {
  const pixels = await viewer.readPixels({ x: 0, y: 0 }, 2 * halfPx);
  let [count, west, east, north, south] = [0, Infinity, -Infinity, Infinity, -Infinity];
  pixels.forEach((pixel, index) => {
    if (!isColor(pixel)) return;
    const x = (index % (2 * halfPx)) - halfPx;
    const y = Math.floor(index / (2 * halfPx)) - halfPx;
    [west, east] = [Math.min(west, x), Math.max(east, x)];
    [north, south] = [Math.min(north, y), Math.max(south, y)];
    count++;
  });
  const middle = [(west + east) / 2, (north + south) / 2] as const;
  return { count, west, east, heightPx: south - north + 1, middle };
}

const isNear =
  (...wanted: Rgb) =>
  (pixel: Rgb): boolean =>
    pixel.every((channel, at) => Math.abs(channel - wanted[at]!) <= 12);

/** Areas let the ground and what is below them shine through. */
const isGreen = ([red, green, blue]: Rgb): boolean => green > 100 && green > 2 * red && green > 2 * blue;
const isRed = ([red, green, blue]: Rgb): boolean => red > 100 && red > 1.5 * green && red > 5 * blue;

/** A few pixels for smooth edges and for Norman's own place. */
function expectNear(found: readonly number[], wanted: readonly number[]): void {
  found.forEach((px, at) => {
    expect(Math.abs(px - wanted[at]!), `${found.join(", ")} near ${wanted.join(", ")}`).toBeLessThanOrEqual(
      4,
    );
  });
}

function rowOf(page: Page, name: string): Locator {
  return page
    .getByRole("list", { name: "Overlays", exact: true })
    .getByRole("listitem")
    .filter({ has: page.getByRole("checkbox", { name, exact: true }) });
}

async function addFile(page: Page, viewer: ViewerPage, name: string, text: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(storm.origin);
  await viewer.expectSomethingDrawn();
  await viewer.flyTo("Norman", /Norman/);
  const chooser = page.waitForEvent("filechooser");
  await viewer.button("Add overlay").click();
  await (await chooser).setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await expect(rowOf(page, name)).toContainText(/\d shown/, { timeout: 60_000 });
}

const magenta = isNear(255, 0, 255);
const cyan = isNear(0, 255, 255);
const blue = isNear(0, 128, 255);
const yellow = isNear(255, 255, 0);

/** Around Norman, with a pixel of about 1/728 degree of longitude. */
const placefile = `Refresh: 5
Color: 255 0 255
Line: 5, 0, "A front"
 35.30, -97.70
 35.30, -97.20
End:
Threshold: 60
Color: 255 255 0
Line: 5, 0
 35.26, -97.70
 35.26, -97.20
End:
Threshold: 999
Polygon:
 35.10, -97.60, 0, 255, 0
 35.18, -97.60
 35.18, -97.50
 35.10, -97.50
 35.10, -97.60
End:
Polygon:
 35.12, -97.58, 255, 0, 0
 35.16, -97.58
 35.16, -97.54
 35.12, -97.54
 35.12, -97.58
End:
Font: 1, 30, 1, "Arial"
Object: 35.22, -97.44
 Color: 0 255 255
 Text: 100, -60, 1, "HHHH"
End:
Color: 0 128 255
Text: 35.10, -97.34, 1, "HHHH"
IconFile: 1, 32, 32, 16, 16, "http://example.org/icons.png"
Icon: 35.10, -97.24, 0, 1, 1, "Spotter"
`;

test("a placefile has the colors, widths, words and thresholds of its author", async ({ page, viewer }) => {
  test.slow();
  await addFile(page, viewer, "map.txt", placefile);
  await expect(rowOf(page, "map.txt")).toContainText("7 shown");
  await expect(async () => {
    const line = await findColor(viewer, magenta);
    expect(line.heightPx).toBeGreaterThanOrEqual(4);
    expect(line.heightPx).toBeLessThanOrEqual(5);
    // Its ends are 0.26 degrees west and 0.24 degrees east of Norman.
    expectNear([line.west, line.east], [-189, 175]);
    expect((await findColor(viewer, yellow)).count).toBeGreaterThan(0);
    // Areas have no outline: no green is beyond the corners. The later one lies on top.
    const area = await findColor(viewer, isGreen);
    expectNear([area.west, area.east], [-117, -44]);
    const inner = await findColor(viewer, isRed);
    expectNear([inner.west, inner.east], [-102, -73]);
    expectNear((await findColor(viewer, cyan)).middle, [100, 60]);
    expectNear((await findColor(viewer, blue)).middle, [73, 107]);
  }).toPass({ timeout: 60_000 });

  await viewer.button("Zoom out").click();
  await expect(rowOf(page, "map.txt")).toContainText("6 shown");
  await expect(async () => {
    expect((await findColor(viewer, yellow)).count).toBe(0);
    const far = await findColor(viewer, magenta);
    expectNear([far.west, far.east], [-95, 87]);
    expect(far.heightPx).toBeGreaterThanOrEqual(4);
    expectNear((await findColor(viewer, cyan)).middle, [100, 60]);
  }).toPass({ timeout: 60_000 });

  await viewer.button("Zoom in").click();
  await expect
    .poll(async () => (await findColor(viewer, yellow)).count, { timeout: 60_000 })
    .toBeGreaterThan(0);
});

const geojson = {
  type: "FeatureCollection",
  features: [
    {
      type: "Feature",
      properties: { stroke: "#ff00ff", "stroke-width": 4, "stroke-opacity": 1 },
      geometry: {
        type: "GeometryCollection",
        geometries: [
          {
            type: "LineString",
            coordinates: [
              [-97.7, 35.3, 400],
              [-97.2, 35.3, 410],
            ],
          },
        ],
      },
    },
    {
      type: "Feature",
      properties: { stroke: "#ffff00", "stroke-opacity": 0, fill: "#0f0", "fill-opacity": 0.5 },
      geometry: {
        type: "MultiPolygon",
        coordinates: [[square(-97.55, 35.14, 0.05), square(-97.55, 35.14, 0.02)]],
      },
    },
    { type: "Feature", properties: { name: "Nowhere" }, geometry: null },
  ],
};

function square(longitude: number, latitude: number, halfDeg: number): [number, number][] {
  return (
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
      [-1, -1],
    ] as const
  ).map(([x, y]) => [longitude + x * halfDeg, latitude + y * halfDeg]);
}

test("GeoJSON has the strokes, fills and holes of simplestyle", async ({ page, viewer }) => {
  test.slow();
  await addFile(page, viewer, "map.geojson", JSON.stringify(geojson));
  await expect(async () => {
    const line = await findColor(viewer, magenta);
    expectNear([line.west, line.east], [-189, 175]);
    expect(line.heightPx).toBeGreaterThanOrEqual(3);
    expect(line.heightPx).toBeLessThanOrEqual(4);
    const area = await findColor(viewer, isGreen);
    expectNear([area.west, area.east], [-117, -44]);
    // The hole has 0.16 of the area; names of towns cover some of the rest.
    const share = area.count / ((area.east - area.west + 1) * area.heightPx);
    expect(share).toBeGreaterThan(0.6);
    expect(share).toBeLessThan(0.85);
    expect((await findColor(viewer, yellow)).count).toBe(0);
  }).toPass({ timeout: 60_000 });
});
