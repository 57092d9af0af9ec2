// The comparison of two revisions: the pair, the counts, the swipe line, the reading, a correction that arrives
// meanwhile, and the revisions that change the map's area. Counts are compared with a plain loop over both pictures.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { readPng } from "../../electron/platform/png/read.ts";
import { writeGribFile } from "../../electron/support/grib-files.ts";
import { runCommand } from "../../electron/support/host-process.ts";
import { findViolations } from "../support/find-violations.ts";
import { observedAt } from "../support/known-storm.ts";
import type { Station } from "../support/station.ts";
import { shareStation, test } from "../support/viewer-test.ts";
import type { ViewerPage } from "../support/viewer-page.ts";

const sizes = [
  { width: 1280, height: 800 },
  { width: 1024, height: 640 },
] as const;

const columns = 400;
const rows = 300;
const west = -99.44;
const north = 36.72;
const stepDeg = 0.01;
const firstDbz = 5;

/** A storm of many classes with holes, another one for each version; the north is the same in all. */
function stormValue(row: number, column: number, version: number): number {
  const isNorth = row < 60;
  const shift = isNorth ? 0 : version * 7;
  const hash = (row * 7919 + (column + shift) * 104_729 + (isNorth ? 0 : version) * 31) % 97;
  if (hash < 20) return -99;
  return firstDbz + ((row + column + hash) % 120) / 2;
}

async function ingestStorm(station: Station, window: number, version: number): Promise<void> {
  const folder = join(dirname(station.data), "files");
  mkdirSync(folder, { recursive: true });
  const path = writeGribFile(folder, {
    product: "mrms-reflectivity",
    observedAt: observedAt(window),
    columns,
    rows,
    westUdeg: Math.round(west * 1e6),
    northUdeg: Math.round(north * 1e6),
    values: (row, column) => stormValue(row, column, version),
  });
  await station.ingest("storm", [path]);
}

/** Revisions 1 to 3 are three windows; 4 corrects the second, 5 corrects it again. */
const stormy = shareStation(async (station) => {
  for (const window of [0, 1, 2]) await ingestStorm(station, window, 0);
  await ingestStorm(station, 1, 1);
  await ingestStorm(station, 1, 2);
  await station.start();
});

interface Frame {
  readonly imageUrl: string;
  readonly bounds: readonly [west: number, south: number, east: number, north: number];
}

async function fetchFrame(origin: string, sequence: number): Promise<Frame> {
  const response = await fetch(`${origin}/v1/storm-events/storm/revisions?limit=360`);
  const { frames } = (await response.json()) as {
    readonly frames: readonly { readonly sequence: number; readonly layers: readonly Frame[] }[];
  };
  return frames.find((frame) => frame.sequence === sequence)!.layers[0]!;
}

const mercator = (latitude: number): number => Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360));
const latitudeOf = (y: number): number => (Math.atan(Math.sinh(y)) * 180) / Math.PI;

/** Returns the class index of every cell of the source grid, 0 for none. */
async function readCells(origin: string, { imageUrl, bounds }: Frame): Promise<Uint8Array> {
  const png = new Uint8Array(await (await fetch(new URL(imageUrl, origin))).arrayBuffer());
  const { samples, header } = readPng(png, columns * rows * 4);
  const cells = new Uint8Array(columns * rows);
  const top = mercator(bounds[3]);
  const pitch = (mercator(bounds[1]) - top) / header.heightPx;
  const firstColumn = Math.round((bounds[0] - west) / stepDeg);
  for (let y = 0; y < header.heightPx; y += 1) {
    const row = Math.floor((north - latitudeOf(top + (y + 0.5) * pitch)) / stepDeg);
    for (let x = 0; x < header.widthPx; x += 1) {
      cells[row * columns + firstColumn + x] = samples[y * header.widthPx + x]!;
    }
  }
  return cells;
}

/** Counts cell by cell, without anything of the product's own comparison. */
async function countPlainly(origin: string, from: number, to: number): Promise<Record<string, number>> {
  const before = await readCells(origin, await fetchFrame(origin, from));
  const after = await readCells(origin, await fetchFrame(origin, to));
  const counts = { Up: 0, Down: 0, Appeared: 0, Vanished: 0 };
  before.forEach((low, cell) => {
    const high = after[cell]!;
    if (low === high) return;
    if (low === 0) counts.Appeared += 1;
    else if (high === 0) counts.Vanished += 1;
    else if (high > low) counts.Up += 1;
    else counts.Down += 1;
  });
  return counts;
}

/** Waits until the cells are counted. */
async function readTable(page: Page): Promise<Record<string, number>> {
  const table = page.getByRole("region", { name: "What changed" }).getByRole("table");
  await expect(table).not.toContainText("…");
  const counts: Record<string, number> = {};
  for (const name of ["Up", "Down", "Appeared", "Vanished"]) {
    const row = table.getByRole("row", { name: new RegExp(`^${name} `) });
    counts[name] = Number((await row.getByRole("cell").first().textContent())!.replaceAll(",", ""));
  }
  return counts;
}

/** Shows the newest correction with what it changed, by keys alone. */
async function compareByKeys(page: Page, viewer: ViewerPage, origin: string): Promise<void> {
  await page.goto(origin);
  await viewer.expectDrawn(3);
  await page.keyboard.press("]");
  await viewer.expectDrawn(4);
  await page.keyboard.press("]");
  await viewer.expectDrawn(5);
  await page.keyboard.press("c");
}

for (const viewport of sizes) {
  test.describe(`at ${viewport.width} x ${viewport.height}`, () => {
    test.use({ viewport });

    test(`a correction is compared by keys, and its cells are counted${viewport.width === 1280 ? " @core" : ""}`, async ({
      page,
      viewer,
    }) => {
      await compareByKeys(page, viewer, stormy.origin);
      const toggle = page.getByRole("checkbox", {
        name: "What changed, reflectivity, revision 5 against 4",
        exact: true,
      });
      await expect(toggle).toBeChecked();
      const counts = await readTable(page);
      expect(counts).toEqual(await countPlainly(stormy.origin, 4, 5));
      expect(Math.min(...Object.values(counts))).toBeGreaterThan(100);
      await expect(page.getByText("A change in the data, not in the weather")).toBeVisible();

      const line = page.getByRole("slider", { name: "Swipe line", exact: true });
      await line.focus();
      await expect(line).toHaveAttribute("aria-valuetext", "50 percent");
      await page.keyboard.press("ArrowLeft");
      await expect(line).toHaveAttribute("aria-valuetext", "49 percent");
      await page.keyboard.press("Shift+ArrowLeft");
      await expect(line).toHaveAttribute("aria-valuetext", "39 percent");
      await viewer.expectDrawn(5);

      const after = page.getByText("After revision 5, with what changed");
      await expect(after).toBeVisible();
      await page.keyboard.down("b");
      await expect(after).toBeHidden();
      await page.keyboard.up("b");
      await expect(after).toBeVisible();
      await page.keyboard.press("c");
      await expect(toggle).not.toBeChecked();
      await expect(line).toBeHidden();
    });

    test("a pair is chosen, swiped and read by mouse and by names", async ({ page, viewer }) => {
      await page.goto(stormy.origin);
      await viewer.expectDrawn(3);
      const region = page.getByRole("region", { name: "What changed" });
      await region.getByRole("checkbox", { name: "What changed" }).click();
      await expect(region.getByText("to see what it changed, or a revision to compare with")).toBeVisible();
      await region.getByRole("combobox", { name: "Compare with" }).selectOption({ label: "4 · 21:02 UTC" });
      await viewer.expectDrawn(4);
      await expect(region.getByText("Two times: 21:04:40 before, 21:02:40 after")).toBeVisible();
      expect(await readTable(page)).toEqual(await countPlainly(stormy.origin, 3, 4));

      const map = (await viewer.map.boundingBox())!;
      const handle = (await page.getByRole("slider", { name: "Swipe line" }).boundingBox())!;
      await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height * 0.55);
      await page.mouse.down();
      await page.mouse.move(map.x + map.width * 0.25, handle.y + handle.height * 0.55, { steps: 4 });
      await page.mouse.up();
      await expect(page.getByRole("slider", { name: "Swipe line" })).toHaveAttribute(
        "aria-valuetext",
        "25 percent",
      );

      await region.getByRole("radio", { name: "5 dBZ", exact: true }).check();
      const fewer = await readTable(page);
      expect(fewer.Appeared).toBe((await countPlainly(stormy.origin, 3, 4)).Appeared);
      await expect(region.getByRole("row", { name: /^Under 5 dBZ, or no change/ })).toBeVisible();

      await region.getByRole("button", { name: "Show the biggest rise" }).click();
      const reading = page.getByRole("group", { name: "Pinned reading" });
      await expect(reading).toContainText("After · revision 4");
      await expect(reading).toContainText("Before · revision 3");
      await expect(reading).toContainText(/up by [\d.]+–[\d.]+ dBZ|appeared/);

      await page.getByRole("radio", { name: "Before", exact: true }).check();
      await expect(page.getByRole("slider", { name: "Swipe line" })).toBeHidden();
      await expect(page.getByText("Before revision 3")).toBeVisible();
    });

    test("the timeline keeps only the revisions that change the view", async ({ page, viewer }) => {
      await page.goto(stormy.origin);
      await viewer.expectDrawn(3);
      const filter = (count: string) =>
        page.getByRole("button", { name: `Only revisions that change this view, ${count}`, exact: true });
      await page.keyboard.press("v");
      await expect(filter("2 of 5")).toBeVisible();
      await viewer.flyTo("Chicago", /^Chicago/);
      await expect(filter("0 of 5")).toBeVisible();
      await filter("0 of 5").click();
      await expect(viewer.button("Only revisions that change this view")).toHaveAttribute(
        "aria-pressed",
        "false",
      );
    });
  });
}

test("the counts on the page are those of the command line @core", async ({ page, viewer }) => {
  await compareByKeys(page, viewer, stormy.origin);
  const { Up, Down, Appeared, Vanished } = await readTable(page);
  const pair = ["--from", "4", "--to", "5"];
  const { status, lines } = await runCommand(["diff", "storm", ...(await stormy.stores()), ...pair]);
  expect(status).toBe(0);
  expect(lines[0]).toMatchObject({
    layer: "mrms-reflectivity",
    cells: { up: Up, down: Down, appeared: Appeared, vanished: Vanished },
  });
});

test("a correction that arrives moves nothing and is told", async ({ page, viewer, station }) => {
  for (const window of [0, 1]) await ingestStorm(station, window, 0);
  await ingestStorm(station, 1, 1);
  await station.start();
  await page.goto(station.origin);
  await viewer.expectDrawn(3);
  await page.keyboard.press("c");
  const counts = await readTable(page);
  const camera = await page.evaluate(() => JSON.stringify(localStorage.getItem("echotop.view")));
  await ingestStorm(station, 1, 2);
  const region = page.getByRole("region", { name: "What changed" });
  await expect(region.getByRole("status")).toContainText("Revision 4 corrects this window too");
  await viewer.expectDrawn(3);
  expect(await readTable(page)).toEqual(counts);
  expect(await page.evaluate(() => JSON.stringify(localStorage.getItem("echotop.view")))).toBe(camera);
  await region.getByRole("button", { name: "Compare with 4" }).click();
  await viewer.expectDrawn(4);
  expect(await readTable(page)).toEqual(await countPlainly(station.origin, 3, 4));
});

test("the comparison has no accessibility fault, and keeps its colors where a person forces others", async ({
  page,
  viewer,
}) => {
  await compareByKeys(page, viewer, stormy.origin);
  await readTable(page);
  await page.keyboard.press("v");
  await expect(viewer.button("Only revisions that change this view, 2 of 5")).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.emulateMedia({ forcedColors: "active" });
  const largestFall = page.getByRole("list", { name: "What changed legend" }).getByRole("listitem").first();
  expect(
    await largestFall.evaluate((step) => getComputedStyle(step.firstElementChild!).backgroundColor),
  ).toBe("rgb(180, 190, 255)");
});
