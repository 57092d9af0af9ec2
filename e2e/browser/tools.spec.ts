// The tools on the map: distance and bearing, range rings, storm motion with its arrival, and the notations of the
// cursor. Points are set at coordinates typed into the search; the expected numbers are those of PROJ's `geod` on the
// sphere of 6,371.0088 km.
import { expect, type Locator, type Page } from "@playwright/test";
import { findViolations } from "../support/find-violations.ts";
import { noEcho, observedAt } from "../support/known-storm.ts";
import { shareOfColor, type ViewerPage } from "../support/viewer-page.ts";
import { shareStation, test } from "../support/viewer-test.ts";

/** Observed from 21:00:40 to 21:10:40 UTC. */
const windows = 6;
const station = shareStation(async (fresh) => {
  await fresh.ingestKnown(
    "storm",
    Array.from({ length: windows }, (_, window) => ({
      product: "mrms-reflectivity" as const,
      observedAt: observedAt(window),
      quadrants: { northWest: noEcho, northEast: noEcho, southWest: noEcho, southEast: 40 },
    })),
  );
  await fresh.start();
});

test.use({ viewport: { width: 1280, height: 800 } });
test.setTimeout(120_000);

const start = { typed: "35.18 -97.6", read: "35.18 N 97.60 W" };
/** 8,642.667 m from `start` toward 80 degrees: 28 knots for ten minutes. */
const tenLater = { typed: "35.193461 -97.506334", read: "35.19 N 97.51 W" };
/** 1.6 km north of where the motion from `start` over `tenLater` is 40 minutes later. */
const ahead = { typed: "35.260971 -97.131364", read: "35.26 N 97.13 W" };

async function open(page: Page, viewer: ViewerPage): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(station.origin);
  await viewer.expectDrawn(windows);
}

/** Moves the crosshair to a place, and the focus to the map. */
async function pointAt(viewer: ViewerPage, { typed, read }: typeof start): Promise<void> {
  const { page } = viewer;
  // By keyboard, so that the pointer does not rest on the map instead of the crosshair.
  await page.getByRole("combobox", { name: "Search places" }).fill(typed);
  await expect(page.getByRole("option").first()).toContainText(read.slice(0, 5));
  await page.keyboard.press("Enter");
  await viewer.map.focus();
  // The reading at the crosshair; the name of the place found has no dot before it.
  await expect(page.getByText(` · ${read}`).first()).toBeVisible();
}

function card(page: Page, name: string): Locator {
  return page.getByRole("region", { name });
}

/** Share of a spot that is nearer to white than to black: a line of one pixel is blended with its dark edge. */
async function whiteShare(viewer: ViewerPage, offsetPx: { x: number; y: number }): Promise<number> {
  return shareOfColor(await viewer.readPixels(offsetPx, 6), "#ffffff", 135);
}

test("a line has its length in three units and its bearing, and takes points back", async ({
  page,
  viewer,
}) => {
  await open(page, viewer);
  await viewer.button("Measure").click();
  await pointAt(viewer, start);
  await page.keyboard.press("Enter");
  await pointAt(viewer, tenLater);
  await page.keyboard.press("Enter");
  const measure = card(page, "Measure");
  await expect(measure).toContainText("5.4 mi");
  await expect(measure).toContainText("080° east");
  await expect(measure).toContainText("4.7 nmi · 8.6 km");
  await measure.getByRole("radio", { name: "Nautical miles" }).check();
  await expect(measure.getByRole("status")).toContainText(/^4\.7 nmi/);
  expect(await findViolations(page)).toEqual([]);

  await pointAt(viewer, ahead);
  await page.keyboard.press("Enter");
  // The second leg, by geod: 34.877 km toward 77.5 degrees.
  await expect(measure.getByRole("listitem")).toHaveText([
    /^4\.7 nmi080° east$/,
    /^18\.8 nmi077° east-northeast$/,
  ]);
  await page.keyboard.press("Backspace");
  await expect(measure.getByRole("listitem")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(measure.getByRole("button", { name: "Start again: Measure" })).toBeVisible();
  await expect(measure).toContainText("4.7 nmi");
  await page.keyboard.press("d");
  await expect(measure).toHaveCount(0);
});

test("range rings stand around a place at the chosen spacing", async ({ page, viewer }) => {
  await open(page, viewer);
  await pointAt(viewer, start);
  await page.keyboard.press("d");
  await page.keyboard.press("Enter");
  const measure = card(page, "Measure");
  await measure.getByRole("radio", { name: "Kilometers" }).check();
  await measure.getByLabel("Range rings").selectOption("Every 10 km");
  // A pixel of Web Mercator at zoom 9, on the parallel of the center; the reading stands beside it.
  const radiusPx = 10 / ((40_030.23 * Math.cos((35.18 * Math.PI) / 180)) / (512 * 2 ** 9));
  await expect.poll(() => whiteShare(viewer, { x: 0, y: radiusPx })).toBeGreaterThan(0.1);
  await expect.poll(() => whiteShare(viewer, { x: 0, y: radiusPx * 1.5 })).toBe(0);
  await measure.getByLabel("Range rings").selectOption("None");
  await expect.poll(() => whiteShare(viewer, { x: 0, y: radiusPx })).toBe(0);
});

test("two clicks at two times give the motion, and its arrival as a window of times", async ({
  page,
  viewer,
}) => {
  await open(page, viewer);
  await page.keyboard.press("Home");
  await viewer.expectDrawn(1);
  await viewer.button("Storm motion").click();
  await pointAt(viewer, start);
  await page.keyboard.press("Enter");
  const motion = card(page, "Storm motion");
  await expect(motion).toContainText("Clicked at 21:00 UTC.");
  await pointAt(viewer, tenLater);
  await page.keyboard.press("Enter");
  await expect(motion.getByRole("alert")).toContainText("Both clicks are at one time.");

  await page.keyboard.press("End");
  await viewer.expectDrawn(windows);
  await page.keyboard.press("Enter");
  await expect(motion.getByRole("status")).toHaveText("28 knots toward 080 degrees");
  await expect(motion).toContainText("28 kt toward 080°");
  await expect(motion).toContainText("32 mph · 52 km/h");
  await expect(motion).toContainText("two clicks, at 21:00 and 21:10 UTC");
  await expect(motion).toContainText("If it keeps its speed and path. Not a forecast.");

  // 40 minutes after 21:10:40, and 7 min 25 s either way: 1 km · √(5² + 4²) at 51.86 km/h.
  await pointAt(viewer, ahead);
  await expect(motion).toContainText("21:43–21:59 UTC");
  await expect(motion).toContainText("passes about 1 mi south of it");

  // Its times are absolute: another picture changes nothing.
  const words = await motion.innerText();
  await page.keyboard.press("Home");
  await viewer.expectDrawn(1);
  expect(await motion.innerText()).toBe(words);
  expect(await findViolations(page)).toEqual([]);
});

test("the cursor reads in three notations, of which the place is copied", async ({
  page,
  viewer,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, viewer);
  await pointAt(viewer, tenLater);
  await page.keyboard.press("Enter");
  const reading = page.getByRole("group", { name: "Pinned reading" });
  await expect(reading).toContainText("35.19 N 97.51 W");
  await viewer.button("Map options").click();
  await page.getByRole("radio", { name: "Degrees, minutes, seconds" }).check();
  await expect(reading).toContainText("35°11′36″ N 97°30′23″ W");
  await page.getByRole("radio", { name: "Degrees, decimal minutes" }).check();
  await expect(reading).toContainText("35°11.6′ N 97°30.4′ W");
  await viewer.button("Map options").click();
  await reading.getByRole("button", { name: /^Copy / }).click();
  await expect(reading.getByRole("status")).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("35°11.61′ N 97°30.38′ W");
  await page.reload();
  await viewer.expectDrawn(windows);
  await viewer.map.focus();
  await expect(page.getByText(/35°11\.\d′ N/).first()).toBeVisible();
});

test("a tool belongs to its pane", async ({ page, viewer }) => {
  await open(page, viewer);
  await page.keyboard.press("m");
  await viewer.button("Measure, pane B").click();
  await expect(card(page, "Measure, pane B")).toBeVisible();
  await expect(viewer.button("Measure, pane A")).toHaveAttribute("aria-pressed", "false");
  await viewer.button("Close: Measure").click();
  await expect(card(page, "Measure, pane B")).toHaveCount(0);
});
