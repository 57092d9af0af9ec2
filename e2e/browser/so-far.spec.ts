// The largest hail so far: its windows, cells and areas equal a naive maximum over the published pictures, and what
// arrives while one looks is told and moves nothing.
import { expect, type Locator, type Page } from "@playwright/test";
import { runCommand } from "../../electron/support/host-process.ts";
import { MrmsHistory } from "../../shared/contract/index.ts";
import { findViolations } from "../support/find-violations.ts";
import { noHail, observedAt, type KnownFile, type Quadrants } from "../support/known-storm.ts";
import { toNaivePlane } from "../support/naive-cells.ts";
import type { Station } from "../support/station.ts";
import { test } from "../support/viewer-test.ts";

const inch = 25.4;
const nothing: Quadrants = { northWest: noHail, northEast: noHail, southWest: noHail, southEast: noHail };

function hail(window: number, quadrants: Partial<Quadrants>): KnownFile {
  return {
    product: "mrms-mesh",
    observedAt: observedAt(window),
    quadrants: { ...nothing, ...quadrants },
  };
}

/** Six windows: the third was never published, the fifth has reflectivity only. */
async function publish(station: Station): Promise<void> {
  await station.ingestKnown("storm", [hail(0, { northWest: 1.1 * inch, northEast: 0.6 * inch })]);
  await station.ingestKnown("storm", [hail(1, { northWest: 0.4 * inch, northEast: 2.2 * inch })]);
  await station.ingestKnown("storm", [hail(3, { southWest: 1.6 * inch })]);
  const echo: KnownFile = {
    product: "mrms-reflectivity",
    observedAt: observedAt(4),
    quadrants: { ...nothing, southEast: 55 },
  };
  await station.ingestKnown("storm", [echo]);
  await station.ingestKnown("storm", [hail(5, { southWest: 1.2 * inch, southEast: 0.3 * inch })]);
  await station.start();
}

class SoFarPage {
  readonly page: Page;
  readonly card: Locator;
  readonly box: Locator;
  readonly note: Locator;

  constructor(page: Page) {
    this.page = page;
    this.card = page.getByRole("group", { name: "Largest hail so far", exact: true });
    this.box = page.getByRole("checkbox", { name: "Largest hail so far", exact: true });
    this.note = page.getByRole("region", { name: "What is shown" }).getByText(/^Largest hail so far ·/);
  }

  /** Expects a fact of the card. */
  async expectFact(name: string, value: string | RegExp): Promise<void> {
    const term = this.page.getByRole("term").filter({ hasText: new RegExp(`^${name}$`) });
    await expect(this.card.locator("dl > div", { has: term }).getByRole("definition")).toHaveText(value);
  }

  /** Expects each band of the legend to have as many cells as the counts of classes give. */
  async expectCells(counts: ReadonlyMap<number, number>): Promise<void> {
    const bands = toBands(counts).map((cells) => new RegExp(`: ${cells.toLocaleString("en-US")} cells`));
    await expect(this.card.getByRole("list").getByRole("listitem")).toHaveText(bands);
  }
}

/** Lower edges of the legend's bands, in millimeters. */
const bandEdges = [3.175, 12.7, 25.4, 38.1, 50.8, 63.5];

/** Returns the cells of each band, from the cells by the lower edge of their class. */
function toBands(counts: ReadonlyMap<number, number>): number[] {
  return bandEdges.map((from, band) => {
    const to = bandEdges[band + 1] ?? Infinity;
    const own = [...counts].filter(([edge]) => edge >= from && edge < to);
    return own.reduce((sum, [, cells]) => sum + cells, 0);
  });
}

/** Size of the known storm's cells, in millionths of a degree. */
const cell = 10_000;

/** Returns the cells by the lower edge of their highest class over these revisions. */
async function maximizeNaively(station: Station, sequences: readonly number[]): Promise<Map<number, number>> {
  const response = await fetch(`${station.origin}/v1/storm-events/storm/revisions`);
  const { frames } = MrmsHistory.parse(await response.json());
  const highest: number[] = [];
  let edges: readonly number[] = [];
  for (const { layers } of frames.filter(({ sequence }) => sequences.includes(sequence!))) {
    const { imageUrl, bounds } = layers.find(({ id }) => id === "mrms-mesh")!;
    const png = await (await fetch(new URL(imageUrl, station.origin))).arrayBuffer();
    const plane = toNaivePlane(Buffer.from(png), bounds, cell);
    edges = plane.edges;
    plane.indices.forEach((index, at) => {
      highest[at] = Math.max(highest[at] ?? 0, index);
    });
  }
  const counts = new Map<number, number>();
  for (const index of highest.filter((own) => own > 0)) {
    const edge = edges[index - 1]!;
    counts.set(edge, (counts.get(edge) ?? 0) + 1);
  }
  return counts;
}

/** Returns the cells by class of the command line's answer. */
async function askCommand(station: Station, args: readonly string[] = []): Promise<Map<number, number>> {
  const { status, lines } = await runCommand([
    ...["swath", "storm", "--layer", "mrms-mesh"],
    ...(await station.stores()),
    ...args,
  ]);
  expect(status).toBe(0);
  return new Map((lines[0] as { histogram: [number, number][] }).histogram);
}

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 1024, height: 640 },
]) {
  test.describe(`at ${viewport.width} by ${viewport.height}`, () => {
    test.use({ viewport });

    test("the largest hail so far grows and shrinks with the playhead, and says what it is made of", async ({
      page,
      viewer,
      station,
    }) => {
      test.slow();
      await publish(station);
      const soFar = new SoFarPage(page);
      await page.goto(station.origin);
      await viewer.expectDrawn(5);
      await expect(soFar.box).not.toBeChecked();
      await expect(soFar.note).toHaveCount(0);

      await soFar.box.click();
      await expect(soFar.note).toHaveText(
        "Largest hail so far · 21:00–21:10 · 4 of 6 windows used · missing 21:04, 21:08",
      );
      await soFar.expectFact("Loop start to playhead", "21:00–21:10");
      await soFar.expectFact("Windows used", "4 of 6");
      const all = await maximizeNaively(station, [1, 2, 3, 5]);
      await soFar.expectCells(all);
      expect(await askCommand(station)).toEqual(all);

      await soFar.card.getByRole("button", { name: "Show missing windows" }).click();
      await soFar.expectFact("21:04", "not published");
      await soFar.expectFact("21:08", "not received");
      expect(await findViolations(page)).toEqual([]);

      // To 21:08, which has no hail, and to 21:06.
      await page.keyboard.press("ArrowLeft");
      await expect(soFar.note).toContainText("21:00–21:08 · 3 of 5 windows used");
      await page.keyboard.press("ArrowLeft");
      await expect(soFar.note).toHaveText(
        "Largest hail so far · 21:00–21:06 · 3 of 4 windows used · missing 21:04",
      );
      await soFar.expectCells(await maximizeNaively(station, [1, 2, 3]));

      await page.keyboard.press("Home");
      await expect(soFar.note).toHaveText("Largest hail so far · 21:00 · 1 of 1 window used");
      await soFar.expectCells(await maximizeNaively(station, [1]));
      await page.keyboard.press("End");
      await soFar.expectCells(all);

      await page.keyboard.press("w");
      await expect(soFar.box).not.toBeChecked();
      await expect(soFar.note).toHaveCount(0);
    });
  });
}

test("a reading has the largest so far, and when it was first reached", async ({ page, viewer, station }) => {
  await publish(station);
  await page.goto(station.origin);
  await viewer.expectDrawn(5);
  await page.keyboard.press("w");
  await viewer.flyTo("Norman", /Norman/);
  const box = (await viewer.map.boundingBox())!;
  // Northeast of the corner of the quadrants, which is in the middle of the map, and below the notes.
  await page.mouse.click(box.x + box.width / 2 + 40, box.y + box.height / 2 - 20);
  const pinned = page.getByRole("group", { name: "Pinned reading" });
  await expect(pinned).toContainText("2.19–2.22 in");
  await expect(pinned).toContainText("Largest so far, at 21:02 · revision 2");
  await expect(pinned).toContainText("No hail of 0.13 in or larger estimated");
});

test("a correction that arrives is told, replaces its window's part, and moves nothing", async ({
  page,
  viewer,
  station,
}) => {
  await publish(station);
  const soFar = new SoFarPage(page);
  await page.goto(station.origin);
  await viewer.expectDrawn(5);
  await soFar.box.click();
  await expect(soFar.note).toContainText("4 of 6 windows used");

  await station.ingestKnown("storm", [hail(1, { northWest: 0.4 * inch, northEast: 1.3 * inch })]);
  const told = page.getByText("Revision 6, of 21:02: now part of this");
  await expect(told).toBeVisible();
  const corrected = await maximizeNaively(station, [1, 6, 3, 5]);
  expect(corrected).not.toEqual(await maximizeNaively(station, [1, 2, 3, 5]));
  await soFar.expectCells(corrected);
  await viewer.expectDrawn(5);
  await viewer.expectSelected(5);
  await viewer.button("Dismiss").click();
  await expect(told).toHaveCount(0);

  // As known before the correction, its window has the part that it had then.
  await page.getByRole("slider", { name: "As known at" }).press("ArrowLeft");
  await expect(soFar.note).toContainText("4 of 6 windows used · missing 21:04, 21:08 · as known at");
  const before = await maximizeNaively(station, [1, 2, 3, 5]);
  await soFar.expectCells(before);
  expect(await askCommand(station, ["--known-at", "5"])).toEqual(before);
  await station.ingestKnown("storm", [hail(0, { northWest: 3 * inch })]);
  await expect(page.getByText("2 later revisions hidden").first()).toBeVisible();
  await soFar.expectCells(before);
  await viewer.button("Back to now").click();
  await soFar.expectCells(await maximizeNaively(station, [7, 6, 3, 5]));
});

test("without any hail, and with strongest echo instead, the card says so @core", async ({
  page,
  viewer,
  station,
}) => {
  await station.ingestKnown("storm", [
    hail(0, {}),
    { product: "mrms-reflectivity", observedAt: observedAt(0, 38), quadrants: { ...nothing, southEast: 55 } },
  ]);
  await station.start();
  const soFar = new SoFarPage(page);
  await page.goto(station.origin);
  await viewer.expectDrawn(1);
  await soFar.box.click();
  await expect(soFar.card.getByText("None of ⅛ in or larger in 1 window")).toBeVisible();
  await page.getByRole("radio", { name: "Reflectivity so far" }).check();
  await expect(page.getByRole("checkbox", { name: "Strongest echo so far", exact: true })).toBeChecked();
  await expect(page.getByText(/^40 dBZ or stronger$/)).toBeVisible();
});
