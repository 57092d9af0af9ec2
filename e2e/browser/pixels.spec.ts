// Tests that the map draws what was observed: colors at known places, for each revision, layer and probe.
import { expect, type Locator } from "@playwright/test";
import { basemapColors } from "../../renderer/basemap/basemap-colors.ts";
import { outlineColors } from "../../shared/frames/outlines.ts";
import { defaultPalette, paletteIds, stopColors, toRgba } from "../../shared/products/palettes.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { noCoverage, noEcho, noHail, observedAt, type KnownFile } from "../support/known-storm.ts";
import { shareOfColor, type ViewerPage } from "../support/viewer-page.ts";
import { shareStation, test } from "../support/viewer-test.ts";

const dbzColors = stopColors(getProduct("mrms-reflectivity"), defaultPalette);
const hailColors = stopColors(getProduct("mrms-mesh"), defaultPalette);
const colorOfDbz = (dbz: number): string => dbzColors[Math.floor(dbz / 5) - 1]!;
/** The second stop of hail size is 1/4 inch, the fifth is 1 inch. */
const colorOfQuarterInch = hailColors[1]!;
const colorOfOneInch = hailColors[4]!;
/** Less than half an inch. */
const smallHail = 8;

const offsetPx = 90;
const places = {
  northWest: { x: -offsetPx, y: -offsetPx },
  northEast: { x: offsetPx, y: -offsetPx },
  southWest: { x: -offsetPx, y: offsetPx },
  southEast: { x: offsetPx, y: offsetPx },
} as const;
const samplePx = 40;
/** Least share of the color, because lines and labels may cross a sample. */
const mostOf = 0.7;

// Large enough that nothing over the map covers a sample.
test.use({ viewport: { width: 1100, height: 700 } });

const known = shareStation(async (station) => {
  const files: KnownFile[] = [
    {
      product: "mrms-reflectivity",
      observedAt: observedAt(0),
      quadrants: { northWest: 22, northEast: 37.5, southWest: 52, southEast: 17 },
    },
    {
      product: "mrms-reflectivity",
      observedAt: observedAt(1),
      quadrants: { northWest: 62, northEast: noEcho, southWest: noCoverage, southEast: 47 },
    },
    {
      product: "mrms-mesh",
      observedAt: observedAt(1, 39),
      quadrants: { northWest: 25.4, northEast: noHail, southWest: noHail, southEast: smallHail },
    },
  ];
  const finished = await station.ingestKnown("known", files, ["--label", "Known storm"]);
  expect(finished.lines.map(({ sequence }) => sequence)).toEqual([1, 2, 2]);
  await station.start();
});

async function setToFull(slider: Locator): Promise<void> {
  await slider.focus();
  await slider.press("End");
}

async function openAtNorman(viewer: ViewerPage): Promise<void> {
  await viewer.page.emulateMedia({ reducedMotion: "reduce" });
  await viewer.page.goto(known.origin);
  await viewer.expectDrawn(2);
  await viewer.flyTo("Norman, Oklahoma", /^Norman/);
  await setToFull(viewer.page.getByRole("slider", { name: "Opacity of Composite reflectivity" }));
  await setToFull(viewer.page.getByRole("slider", { name: "Opacity of Hail size (MESH)" }));
}

/** Returns `#rrggbb` of a color with alpha over an opaque one. */
function blend(front: string, back: string): string {
  const [alpha, under] = [toRgba(front)[3] / 255, toRgba(back)];
  const channels = toRgba(front).map((value, at) => Math.round(value * alpha + under[at]! * (1 - alpha)));
  return `#${Buffer.from(channels.slice(0, 3)).toString("hex")}`;
}

async function pointAt(viewer: ViewerPage, place: keyof typeof places): Promise<void> {
  const box = (await viewer.map.boundingBox())!;
  const { x, y } = places[place];
  await viewer.page.mouse.move(box.x + box.width / 2 + x, box.y + box.height / 2 + y);
}

async function expectColor(viewer: ViewerPage, place: keyof typeof places, color: string): Promise<void> {
  await expect
    .poll(async () => shareOfColor(await viewer.readPixels(places[place], samplePx), color), {
      message: `${place} shows ${color}`,
    })
    .toBeGreaterThan(mostOf);
}

test("each quadrant has the color of its class, in the newest revision and after a step back @core", async ({
  viewer,
}) => {
  await openAtNorman(viewer);
  await expectColor(viewer, "northWest", colorOfOneInch);
  await expectColor(viewer, "southEast", colorOfDbz(47));
  for (const place of ["northEast", "southWest"] as const) {
    const pixels = await viewer.readPixels(places[place], samplePx);
    for (const color of [...dbzColors, ...hailColors]) expect(shareOfColor(pixels, color)).toBeLessThan(0.2);
  }

  await viewer.button("Previous revision").click();
  await viewer.expectDrawn(1);
  await expectColor(viewer, "northWest", colorOfDbz(22));
  await expectColor(viewer, "northEast", colorOfDbz(37.5));
  await expectColor(viewer, "southWest", colorOfDbz(52));
});

test("hiding the hail layer shows the reflectivity below it", async ({ page, viewer }) => {
  await openAtNorman(viewer);
  await page.getByRole("checkbox", { name: "Hail size (MESH)" }).uncheck();
  await expectColor(viewer, "northWest", colorOfDbz(62));
  await page.getByRole("checkbox", { name: "Hail size (MESH)" }).check();
  await expectColor(viewer, "northWest", colorOfOneInch);
});

test("small hail is hidden over reflectivity, and the person chooses what is shown", async ({
  page,
  viewer,
}) => {
  await openAtNorman(viewer);
  const threshold = page.getByRole("slider", { name: "Show Hail size (MESH) from" });
  await expect(threshold).toHaveAttribute("aria-valuetext", "½ in");
  await expect(page.getByText("Below ½ in hidden over reflectivity")).toBeVisible();
  await expectColor(viewer, "southEast", colorOfDbz(47));
  await viewer.button("Show all of Hail size (MESH)").click();
  await expect(page.getByText(/Below .* hidden/)).toHaveCount(0);
  await expectColor(viewer, "southEast", colorOfQuarterInch);

  await threshold.fill("5");
  await expect(page.getByText("Below 1¼ in hidden")).toBeVisible();
  await expectColor(viewer, "northWest", colorOfDbz(62));
  await pointAt(viewer, "northWest");
  await expect(page.getByText(/quarter.*hidden/).first()).toBeVisible();
  await page.getByRole("slider", { name: "Show Composite reflectivity from" }).fill("12");
  await expect(page.getByText("Below 65 dBZ hidden")).toBeVisible();
  await expect
    .poll(async () => shareOfColor(await viewer.readPixels(places.northWest, samplePx), colorOfDbz(62)))
    .toBe(0);
});

test("an inch of hail is outlined on its outer side, in a line of light and dark pixels", async ({
  viewer,
}) => {
  await openAtNorman(viewer);
  await expectColor(viewer, "northWest", colorOfOneInch);
  // The edge between two quadrants lies in the middle of the map.
  const pixels = await viewer.readPixels({ x: 0, y: -offsetPx }, samplePx);
  const colors = pixels.map((pixel) => `#${Buffer.from(pixel).toString("hex")}`);
  const rows = Array.from({ length: samplePx }, (_, row) =>
    colors.slice(row * samplePx, (row + 1) * samplePx),
  );
  const outlined = rows.filter((row) => {
    const last = row.lastIndexOf(colorOfOneInch);
    const { light, dark } = outlineColors;
    return last > 0 && row[last + 1] === light && row[last + 2] === dark && row.indexOf(light) > last;
  });
  expect(outlined.length).toBeGreaterThan(samplePx * mostOf);
});

test("every palette colors legend and map alike", async ({ page, viewer }) => {
  await openAtNorman(viewer);
  for (const palette of paletteIds) {
    await page.getByRole("combobox", { name: "Colors" }).selectOption(palette);
    await expectColor(viewer, "northWest", stopColors(getProduct("mrms-mesh"), palette)[4]!);
    await expectColor(viewer, "southEast", stopColors(getProduct("mrms-reflectivity"), palette)[8]!);
    for (const id of ["mrms-reflectivity", "mrms-mesh"] as const) {
      const product = getProduct(id);
      const cells = page.getByRole("list", { name: `${product.label} legend` }).getByRole("listitem");
      const [red, green, blue] = toRgba(stopColors(product, palette)[8]!);
      await expect(cells.nth(8)).toHaveCSS("background-color", `rgb(${red}, ${green}, ${blue})`);
    }
  }
});

test("in the light theme legend and map have the colors for light ground", async ({ page, viewer }) => {
  await openAtNorman(viewer);
  await viewer.button("Previous revision").click();
  await viewer.expectDrawn(1);
  await viewer.button("Map options").click();
  await page.getByRole("radio", { name: "Light" }).check();
  await viewer.button("Map options").click();
  const weak = stopColors(getProduct("mrms-reflectivity"), defaultPalette, "light")[2]!;
  await expectColor(viewer, "southEast", blend(weak, basemapColors.light.land));
  const legend = page.getByRole("list", { name: "Hail size (MESH) legend" });
  const [red, green, blue] = toRgba(stopColors(getProduct("mrms-mesh"), defaultPalette, "light").at(-1)!);
  await expect(legend.getByRole("listitem").last()).toHaveCSS(
    "background-color",
    `rgb(${red}, ${green}, ${blue})`,
  );
});

test("the probe gives the class, and distinguishes the kinds of missing data @core", async ({
  page,
  viewer,
}) => {
  await openAtNorman(viewer);
  await pointAt(viewer, "northWest");
  await expect(page.getByText("62–62.5 dBZ").first()).toBeVisible();
  await expect(page.getByText(/quarter/).first()).toBeVisible();
  await pointAt(viewer, "northEast");
  await expect(page.getByText(/below 5 dBZ or no echo/i).first()).toBeVisible();
  await pointAt(viewer, "southWest");
  await expect(page.getByText(/outside (radar )?coverage/i).first()).toBeVisible();

  await viewer.button("Previous revision").click();
  await viewer.expectDrawn(1);
  await pointAt(viewer, "northWest");
  await expect(page.getByText(/not received/i).first()).toBeVisible();
});

test("a pinned reading stands beside its point, follows the frames, and is unpinned by Escape", async ({
  page,
  viewer,
}) => {
  await openAtNorman(viewer);
  const pinned = page.getByRole("group", { name: "Pinned reading" });
  await pointAt(viewer, "northWest");
  await page.mouse.down();
  await page.mouse.up();
  await expect(pinned).toContainText("62–62.5 dBZ");
  await expect(pinned).toContainText(/N 97\.\d\d W · estimate/);
  const map = (await viewer.map.boundingBox())!;
  const box = (await pinned.boundingBox())!;
  const pointX = map.x + map.width / 2 + places.northWest.x;
  expect(box.height).toBeLessThan(56);
  expect(Math.min(Math.abs(box.x - pointX), Math.abs(box.x + box.width - pointX))).toBeGreaterThan(40);
  expect(pointX > box.x && pointX < box.x + box.width).toBe(false);

  await pointAt(viewer, "southWest");
  await expect(page.getByText("Outside radar coverage", { exact: true })).toBeVisible();
  await expect(pinned).toContainText("62–62.5 dBZ");
  await viewer.button("Previous revision").click();
  await viewer.expectDrawn(1);
  await expect(pinned).toContainText(/not received/i);
  await page.keyboard.press("Escape");
  await expect(pinned).toHaveCount(0);

  // The keyboard's crosshair is pinned by Enter, and Escape unpins it before it leaves the crosshair.
  await viewer.map.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(pinned).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(pinned).toHaveCount(0);
});
