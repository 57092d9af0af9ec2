// The story of a pinned place: pinned by search, by key and by mouse, read in every window, corrected while one looks,
// and kept over a restart. Its numbers are those of plain loops over the frames and of the command line.
import { expect, type Locator, type Page } from "@playwright/test";
import { echotopProgram } from "../../electron/support/host-process.ts";
import type { MrmsHistory, MrmsLayer } from "../../shared/contract/index.ts";
import { classRange } from "../../renderer/text/format.ts";
import { findViolations } from "../support/find-violations.ts";
import { noCoverage, noEcho, noHail, observedAt, type KnownFile } from "../support/known-storm.ts";
import { toNaivePlane } from "../support/naive-cells.ts";
import { runProgram } from "../support/run-program.ts";
import type { Station } from "../support/station.ts";
import { test } from "../support/viewer-test.ts";
import type { ViewerPage } from "../support/viewer-page.ts";

const event = "plains";
/** Moore lies in the quadrant northwest of Norman. */
const moore = /^Moore/;
const noMeshCoverage = -3;

/** Reflectivity and hail of the northwest quadrant by window; no hail file where it is undefined. */
const windows: readonly (readonly [window: number, dbz: number, hailMm: number | undefined])[] = [
  [0, noEcho, noHail],
  [1, 45, 10],
  [2, 58, 30],
  [3, 60, undefined],
  [4, noCoverage, noMeshCoverage],
  [5, 62, 52],
  [7, 40, 12],
];

function filesOf(window: number, dbz: number | undefined, hailMm: number | undefined): KnownFile[] {
  const quadrants = (northWest: number, rest: number): KnownFile["quadrants"] => ({
    northWest,
    northEast: rest,
    southWest: rest,
    southEast: rest,
  });
  const at = { observedAt: observedAt(window) };
  const files: KnownFile[] = [];
  if (dbz !== undefined) files.push({ ...at, product: "mrms-reflectivity", quadrants: quadrants(dbz, 35) });
  if (hailMm !== undefined) files.push({ ...at, product: "mrms-mesh", quadrants: quadrants(hailMm, 8) });
  return files;
}

// Each walk opens the viewer on a host of its own, and may share the machine with others.
test.setTimeout(180_000);

test.beforeEach(async ({ station }) => {
  await station.ingestKnown(
    event,
    windows.flatMap(([window, dbz, hail]) => filesOf(window, dbz, hail)),
  );
  await station.start();
});

function storyOf(page: Page, place: string | RegExp): Locator {
  return page.getByRole("region", { name: place instanceof RegExp ? place : `Story of ${place}` });
}

async function pinBySearch(viewer: ViewerPage, query: string, option: RegExp): Promise<void> {
  await viewer.flyTo(query, option);
  await viewer.page.getByRole("button", { name: /^Pin .*: its story$/ }).click();
}

async function open(page: Page, viewer: ViewerPage, station: Station): Promise<void> {
  await page.goto(station.origin);
  await viewer.expectDrawn(windows.length);
}

for (const size of [
  { width: 1280, height: 800 },
  { width: 1024, height: 640 },
]) {
  test(`places are pinned, chosen and removed at ${size.width} × ${size.height}`, async ({
    page,
    viewer,
    station,
  }) => {
    await page.setViewportSize(size);
    await open(page, viewer, station);
    await expect(page.getByRole("radio", { name: "Published", exact: true })).toBeChecked();
    await pinBySearch(viewer, "Moore", moore);
    const story = storyOf(page, "Moore");
    await expect(story).toContainText("First 2 in or larger: observed 21:10");
    await expect(page.getByRole("radio", { name: "Observed", exact: true })).toBeChecked();

    // By key, at the crosshair.
    await viewer.map.focus();
    for (let step = 0; step < 6; step++) await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("p");
    const tabs = page.getByRole("tablist", { name: "Pinned places" }).getByRole("tab");
    await expect(tabs).toHaveCount(2);
    // By mouse: a click pins the reading as ever, and its button the place.
    const box = (await viewer.map.boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.8);
    const reading = page.getByRole("group", { name: "Pinned reading" });
    await reading.getByRole("button", { name: "Pin this place: its story (P)" }).click();
    await expect(tabs).toHaveCount(3);
    // By the strip's own button, which asks the search.
    await page.getByRole("button", { name: "Pin a place" }).click();
    await page.keyboard.type("Shawnee");
    await page
      .getByRole("option", { name: /^Shawnee/ })
      .first()
      .click();
    await expect(tabs).toHaveCount(4);
    await expect(storyOf(page, "Shawnee")).toBeVisible();

    expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);
    expect(await findViolations(page)).toEqual([]);

    await tabs.nth(3).focus();
    await page.keyboard.press("ArrowLeft");
    await expect(tabs.nth(2)).toBeFocused();
    await page.keyboard.press("Home");
    await expect(tabs.nth(0)).toHaveAttribute("aria-selected", "true");
    await expect(story).toBeVisible();
    await page.keyboard.press("End");
    for (const left of [3, 2, 1]) {
      await page.keyboard.press("Delete");
      await expect(tabs).toHaveCount(left);
    }

    // The picture follows the windows, newest to oldest.
    const track = page.getByRole("slider", { name: "Windows at this place" });
    await track.focus();
    await page.keyboard.press("ArrowLeft");
    await viewer.expectDrawn(windows.length - 1);
    await expect(track).toHaveAttribute("aria-valuetext", /^21:10 UTC, .*hail size 2\.0\d to 2\.0\d inches/);
    await page.keyboard.press("Home");
    await viewer.expectDrawn(1);
    await expect(track).toHaveAttribute("aria-valuetext", /hail size below ⅛ inches, or none/);

    await page.getByRole("button", { name: "Close the story" }).click();
    await expect(story).toHaveCount(0);
    await expect(page.getByRole("radio", { name: "Published", exact: true })).toBeChecked();
    await page.getByRole("button", { name: "Story of the pinned places" }).click();
    await page.getByRole("button", { name: "Remove Moore (Delete)" }).click();
    await expect(story).toHaveCount(0);
  });
}

/** Reads a cell by loops over the whole frame, as a field of the CSV and as words of the table. */
async function readNaively(
  station: Station,
  layer: MrmsLayer,
  [longitude, latitude]: readonly [number, number],
): Promise<{ readonly csv: string; readonly words: string }> {
  const response = await fetch(new URL(layer.imageUrl, station.origin));
  const plane = toNaivePlane(Buffer.from(await response.arrayBuffer()), layer.bounds, 10_000);
  const column = Math.floor((longitude * 1e6 - plane.west) / plane.cell);
  const row = Math.floor((plane.north - latitude * 1e6) / plane.cell);
  const cell = row * plane.columns + column;
  const index = plane.indices[cell]!;
  if (index > 0) {
    const [from, to] = [plane.edges[index - 1]!, plane.edges[index]];
    const words = classRange({ from, to, unit: layer.unit }, "in")[0]!;
    return { csv: `${from},${to ?? ""},`, words };
  }
  if (plane.covered[cell] === 0) return { csv: ",,outside-coverage", words: "outside coverage" };
  const words = layer.id === "mrms-mesh" ? "below ⅛ in, or none" : "below 5 dBZ, or none";
  return { csv: ",,below", words };
}

test("the numbers are those of the frames and of the command line @core", async ({
  page,
  viewer,
  station,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, viewer, station);
  const found = await page.request.get(`${station.origin}/v1/places/search?q=Moore`);
  const { results } = (await found.json()) as { results: { coordinate: [number, number] }[] };
  const place = results[0]!.coordinate;
  await pinBySearch(viewer, "Moore", moore);
  const story = storyOf(page, "Moore");
  await expect(story).toContainText("First 1 in or larger: observed 21:04");
  await story.getByRole("button", { name: "Copy as CSV" }).click();
  await expect(story.getByText("Copied")).toBeVisible();
  const csv = await page.evaluate(() => navigator.clipboard.readText());

  const [longitude, latitude] = place.map(String) as [string, string];
  const at = [`--lon=${longitude}`, `--lat=${latitude}`];
  const args = ["story", event, ...(await station.stores()), ...at, "--format", "csv"];
  const { status, stdout } = await runProgram(process.execPath, [echotopProgram, ...args]);
  expect(status).toBe(0);
  expect(csv.split(/\r?\n/)).toEqual(stdout.toString().split("\r\n"));

  const response = await page.request.get(`${station.origin}/v1/storm-events/${event}/revisions`);
  const { frames } = (await response.json()) as MrmsHistory;
  const lines = csv.trim().split(/\r?\n/).slice(1);
  const rows = story.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(frames.length + 1);
  for (const [index, frame] of frames.entries()) {
    const cells = await rows
      .nth(index + 1)
      .getByRole("cell")
      .allTextContents();
    for (const [column, id] of (["mrms-mesh", "mrms-reflectivity"] as const).entries()) {
      const layer = frame.layers.find((candidate) => candidate.id === id);
      const expected = layer
        ? await readNaively(station, layer, place)
        : { csv: ",,not-delivered", words: "not delivered" };
      expect(cells[column]).toBe(expected.words);
      const line = lines[2 * index + 1 - column]!;
      expect(line).toContain(`,${frame.sequence},${id},${expected.csv}`);
    }
  }
});

test("a correction that arrives changes its window, is told, and moves nothing", async ({
  page,
  viewer,
  station,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, viewer, station);
  await pinBySearch(viewer, "Moore", moore);
  const story = storyOf(page, "Moore");
  await expect(story).toContainText("First 1 in or larger: observed 21:04");
  await expect(story).not.toContainText("changed just now");
  const before = await viewer.map.boundingBox();

  await station.ingestKnown(event, filesOf(1, undefined, 28));
  await expect(story).toContainText(
    /First 1 in or larger: observed 21:04, published .* · a correction published \d\d:\d\d moved it to 21:02 · changed just now/,
  );
  await expect(viewer.map).toHaveAttribute("data-sequence", String(windows.length));
  expect(await viewer.map.boundingBox()).toEqual(before);
  const corrected = story.getByRole("row", { name: /^21:02/ });
  await expect(corrected).toContainText("1.09–1.13 in");
  await expect(corrected).toContainText("Hail size was 0.38–0.41 in");
  await expect(
    story
      .getByRole("row", { name: /^21:04/ })
      .getByRole("cell")
      .last(),
  ).toHaveText("no");

  // As known before the correction, the old answer stands, and says as of when.
  await page.keyboard.press("k");
  await page.keyboard.press("ArrowLeft");
  await expect(viewer.map).toHaveAttribute("data-known-at", String(windows.length));
  await expect(story).toContainText(
    /First 1 in or larger: observed 21:04, published [^·]* · as known at \d\d:\d\d/,
  );
  await expect(corrected).toContainText("0.38–0.41 in");
});

test("the largest within 5 km counts cells beside the place, and pins survive a restart", async ({
  page,
  viewer,
  station,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, viewer, station);
  // A kilometer east of the line between the quadrants, where hail is small.
  await pinBySearch(viewer, "35.4 -97.43", /35\.4/);
  const story = storyOf(page, /^Story of /);
  await expect(story).toContainText("First 1 in or larger: not reached up to 21:14");
  await page.getByRole("radio", { name: "Largest within 5 km" }).check();
  await expect(story).toContainText("First 1 in or larger: observed 21:04");
  await page.reload();
  await viewer.expectDrawn(windows.length);
  await expect(page.getByRole("tab")).toHaveCount(1);
  await expect(page.getByRole("radio", { name: "Largest within 5 km" })).toBeChecked();
  await expect(story).toContainText("First 1 in or larger: observed 21:04");
});
