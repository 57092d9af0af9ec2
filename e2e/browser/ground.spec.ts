// The ground under the storm: what loads when it is seen, its switches, the light theme, and a map file of one's own.
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { createPmtiles } from "../support/pmtiles-file.ts";
import type { Rgb, ViewerPage } from "../support/viewer-page.ts";
import { shareStorm, test } from "../support/viewer-test.ts";

const stormy = shareStorm({ northWest: 20, northEast: 30, southWest: 40, southEast: 50 });
/** Away from the storm, so that nothing but the ground is in view. */
const georgia = [-83.5, 32.8] as const;

/** Opens the viewer over Georgia. The first visit alone finds this view. */
async function openAt(page: Page, viewer: ViewerPage, zoom: number): Promise<void> {
  await page.addInitScript(
    ([center, level]) => {
      if (localStorage.getItem("echotop.view") !== null) return;
      const view = {
        ...{ version: 1, layers: {}, palette: "echotop", hailUnits: "in", leftPanelOpen: true },
        ...{ characterKeys: true, speed: 4, loop: "all", eventId: "storm" },
        camera: { eventId: "storm", center, zoom: level },
      };
      localStorage.setItem("echotop.view", JSON.stringify(view));
    },
    [georgia, zoom] as const,
  );
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(stormy.origin);
  await viewer.expectDrawn(1);
}

const readMap = (viewer: ViewerPage): Promise<Rgb[]> => viewer.readPixels({ x: -160, y: 60 }, 240);

/** Returns the share of pixels that are nearly black, as the dark ground is and no storm. */
function shareOfDark(pixels: readonly Rgb[]): number {
  return pixels.filter((pixel) => pixel.every((value) => value < 60)).length / pixels.length;
}

/** Returns the share of pixels that differ. */
function differenceOf(one: readonly Rgb[], other: readonly Rgb[]): number {
  const different = one.filter((pixel, at) => pixel.some((value, channel) => value !== other[at]![channel]));
  return different.length / one.length;
}

/** Returns the map's pixels once nothing more appears: labels fade in after their data have loaded. */
async function readSettled(viewer: ViewerPage): Promise<Rgb[]> {
  let pixels = await readMap(viewer);
  await expect(async () => {
    const before = pixels;
    pixels = await readMap(viewer);
    expect(differenceOf(before, pixels)).toBe(0);
  }).toPass({ intervals: [500], timeout: 20_000 });
  return pixels;
}

test("detail loads when it is seen, and each part can be switched off and on", async ({ page, viewer }) => {
  const loaded = new Set<string>();
  page.on("response", (response) => {
    const name = /basemap-([a-z-]+)-[\w-]{8}\.json$/.exec(response.url())?.[1];
    if (name !== undefined) loaded.add(name);
  });
  await openAt(page, viewer, 4);
  await expect(page.getByRole("img", { name: /^Scale: 200 mi, \d+ km$/ })).toBeVisible();
  await expect.poll(() => [...loaded].toSorted()).toEqual(["land", "places"]);
  for (let zoom = 4; zoom < 8; zoom++) await viewer.button("Zoom in").click();
  await expect.poll(() => [...loaded].filter((name) => name !== "sites").length, { timeout: 20_000 }).toBe(6);
  await expect(page.getByRole("img", { name: /^Scale: (10|20) mi, / })).toBeVisible();

  await viewer.button("Map options").click();
  const counties = page.getByRole("checkbox", { name: "Counties" });
  await counties.uncheck();
  await page.getByRole("checkbox", { name: "Warning areas (CWA)" }).uncheck();
  await page.getByRole("checkbox", { name: "Interstates" }).uncheck();
  await page.getByRole("checkbox", { name: "Cities and towns" }).uncheck();
  await page.getByRole("checkbox", { name: "Lakes and rivers" }).uncheck();
  const bare = await readSettled(viewer);
  await counties.check();
  await expect.poll(async () => differenceOf(bare, await readMap(viewer))).toBeGreaterThan(0.004);
  await counties.uncheck();
  await expect.poll(async () => differenceOf(bare, await readMap(viewer))).toBe(0);

  await page.getByRole("checkbox", { name: "Radars (WSR-88D)" }).check();
  await expect.poll(() => loaded.has("sites")).toBe(true);
  await page.reload();
  await viewer.expectDrawn(1);
  await viewer.button("Map options").click();
  await expect(page.getByRole("checkbox", { name: "Radars (WSR-88D)" })).toBeChecked();
  await expect(counties).not.toBeChecked();
});

test("the light theme covers map and screen, is remembered, and has no accessibility fault @core", async ({
  page,
  viewer,
}) => {
  await openAt(page, viewer, 6.5);
  expect(shareOfDark(await readMap(viewer))).toBeGreaterThan(0.2);
  await viewer.button("Map options").click();
  await page.getByRole("radio", { name: "Light" }).check();
  await expect.poll(async () => shareOfDark(await readMap(viewer))).toBeLessThan(0.1);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`)).toEqual([]);
  await page.reload();
  await viewer.expectDrawn(1);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await expect.poll(async () => shareOfDark(await readMap(viewer))).toBeLessThan(0.1);
});

test("theme, parts and map file may change while the graphics are lost", async ({ page, viewer }) => {
  const errors: Error[] = [];
  page.on("pageerror", (error) => errors.push(error));
  await openAt(page, viewer, 6.5);
  await viewer.button("Map options").click();
  const input = page.getByLabel("Map file");
  const file = {
    name: "lines.pmtiles",
    mimeType: "application/octet-stream",
    buffer: createPmtiles("lines"),
  };
  await input.setInputFiles(file);
  await expect(page.getByText("lines.pmtiles")).toBeVisible();
  const graphics = await viewer.map
    .locator("canvas")
    .first()
    .evaluateHandle((canvas: HTMLCanvasElement) =>
      canvas.getContext("webgl2")!.getExtension("WEBGL_lose_context")!,
    );
  await graphics.evaluate((extension) => {
    extension.loseContext();
  });
  const problem = page.getByText("The graphics were lost.");
  await expect(problem).toBeVisible();
  await page.getByRole("radio", { name: "Light" }).check();
  await page.getByRole("checkbox", { name: "Counties" }).uncheck();
  await viewer.button("Remove").click();
  await input.setInputFiles({ ...file, name: "other.pmtiles" });
  await expect(page.getByText("other.pmtiles")).toBeVisible();
  await viewer.button("Remove").click();
  await graphics.evaluate((extension) => {
    extension.restoreContext();
  });
  await expect(problem).toBeHidden();
  await expect.poll(async () => shareOfDark(await readMap(viewer)), { timeout: 20_000 }).toBeLessThan(0.1);
  expect(errors).toEqual([]);
});

test("a PMTiles file is drawn from this computer, and another file is refused with the reason", async ({
  page,
  viewer,
}) => {
  await openAt(page, viewer, 8);
  await viewer.button("Map options").click();
  const input = page.getByLabel("Map file");
  const choose = (name: string, buffer: Buffer): Promise<void> =>
    input.setInputFiles({ name, mimeType: "application/octet-stream", buffer });
  await choose("notes.pmtiles", Buffer.from("Not a map. ".repeat(20)));
  await expect(page.getByRole("alert")).toHaveText("notes.pmtiles is not a PMTiles file.");
  // Nothing seems to change either before lines and labels are there.
  await expect
    .poll(async () => new Set((await readMap(viewer)).map(String)).size, { timeout: 20_000 })
    .toBeGreaterThan(10);
  const before = await readSettled(viewer);
  const difference = async (): Promise<number> => differenceOf(before, await readMap(viewer));
  await choose("lines.pmtiles", createPmtiles("lines"));
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByText("lines.pmtiles")).toBeVisible();
  await expect.poll(difference).toBeGreaterThan(0.01);
  await viewer.button("Remove").click();
  await expect.poll(difference).toBe(0);
});
