// Overlays: each is on the map only where its time rule has it, by its row and by a pixel; files that cannot be shown
// are refused by name, and the others stay.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Locator, type Page } from "@playwright/test";
import { actionToken, Desk } from "../support/desk.ts";
import { findViolations } from "../support/find-violations.ts";
import { noEcho, observedAt, type KnownFile } from "../support/known-storm.ts";
import { needsDirectory } from "../support/station.ts";
import { shareStation, test } from "../support/viewer-test.ts";
import { shareOfColor, type ViewerPage } from "../support/viewer-page.ts";

const nothing = { northWest: noEcho, northEast: noEcho, southWest: noEcho, southEast: noEcho };

function fileAt(time: string): KnownFile {
  return { product: "mrms-reflectivity", observedAt: time, quadrants: nothing };
}

/** Frames of 21:00:40, 21:10:40 and 21:24:40. */
const past = shareStation(async (station) => {
  await station.ingestKnown(
    "storm",
    [0, 5, 12].map((window) => fileAt(observedAt(window))),
  );
  await station.start();
});

const lineColor = "#ff00ff";

/** A thick line through Norman, from west to east. */
function lineFile(name: string, properties: Readonly<Record<string, unknown>>): OverlayFile {
  const geometry = {
    type: "LineString",
    coordinates: [
      [-98.4, 35.22],
      [-97.5, 35.22],
    ],
  };
  const style = { stroke: lineColor, "stroke-width": 8 };
  const feature = { type: "Feature", properties: { ...properties, ...style }, geometry };
  return { name, text: JSON.stringify({ type: "FeatureCollection", features: [feature] }) };
}

interface OverlayFile {
  readonly name: string;
  readonly text: string;
}

class OverlaysPage {
  readonly page: Page;
  readonly viewer: ViewerPage;
  readonly list: Locator;

  constructor(page: Page, viewer: ViewerPage) {
    this.page = page;
    this.viewer = viewer;
    this.list = page.getByRole("list", { name: "Overlays", exact: true });
  }

  /** Opens the storm with Norman in the middle of the map. */
  async open(origin: string): Promise<void> {
    await this.page.goto(origin);
    await this.viewer.expectSomethingDrawn();
    await this.viewer.flyTo("Norman", /Norman/);
  }

  async add(...files: readonly OverlayFile[]): Promise<void> {
    const chooser = this.page.waitForEvent("filechooser");
    await this.viewer.button("Add overlay").click();
    await (
      await chooser
    ).setFiles(
      files.map(({ name, text }) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) })),
    );
  }

  async addAddress(name: string, address: string, isPrivate: boolean): Promise<void> {
    await this.viewer.button("Add overlay").click();
    const panel = this.page.getByRole("region", { name: "Add overlay" });
    await expect(panel.getByRole("button", { name: "File…" })).toBeFocused();
    await panel.getByRole("button", { name: "Address…" }).click();
    await panel.getByRole("textbox", { name: "Address" }).fill(address);
    await panel.getByRole("textbox", { name: "Name" }).fill(name);
    await panel.getByRole("checkbox", { name: /computer's network/ }).setChecked(isPrivate);
    expect(await findViolations(this.page)).toEqual([]);
    await panel.getByRole("button", { name: "Add address" }).click();
    await expect(panel).toBeHidden();
  }

  row(name: string): Locator {
    return this.list
      .getByRole("listitem")
      .filter({ has: this.page.getByRole("checkbox", { name, exact: true }) });
  }

  async chooseRule(name: string, rule: string): Promise<void> {
    await this.viewer.button(`Options of ${name}`).click();
    await this.page.getByRole("combobox", { name: `When ${name} is shown` }).selectOption({ label: rule });
  }

  /** Expects the row's count and rule, and the line on the map or not. */
  async expectShown(name: string, isShown: boolean, rule: string | RegExp): Promise<void> {
    const row = this.row(name);
    await expect(row).toContainText(isShown ? "1 shown" : "0 shown", { timeout: 30_000 });
    await expect(row).toContainText(rule);
    // Norman's own place is a few pixels off the line's middle.
    await expect
      .poll(async () => shareOfColor(await this.viewer.readPixels({ x: -160, y: 0 }, 4), lineColor) >= 0.5, {
        timeout: 30_000,
      })
      .toBe(isShown);
  }

  async step(direction: "Previous" | "Next", sequence: number): Promise<void> {
    await this.viewer.button(`${direction} revision`).click();
    await this.viewer.expectDrawn(sequence);
  }
}

test.beforeEach(() => {
  test.slow();
});

test("a shape with a span is on the map while it is valid at the observed time", async ({ page, viewer }) => {
  const overlays = new OverlaysPage(page, viewer);
  await overlays.open(past.origin);
  const times = { validFrom: "2024-05-20T21:09:00Z", validTo: "2024-05-20T21:12:00Z" };
  await overlays.add(lineFile("span.geojson", times));
  await overlays.expectShown("span.geojson", false, "None valid at 21:24:40");
  await overlays.step("Previous", 2);
  await overlays.expectShown("span.geojson", true, "Times in the file: 21:09–21:12");
  await overlays.step("Previous", 1);
  await overlays.expectShown("span.geojson", false, "None valid at 21:00:40 · 1 later hidden");
});

test("a shape of an instant is on the map within the minutes chosen, never before", async ({
  page,
  viewer,
}) => {
  const overlays = new OverlaysPage(page, viewer);
  await overlays.open(past.origin);
  await overlays.add(lineFile("instant.geojson", { time: "2024-05-20T21:08:00Z" }));
  await overlays.expectShown("instant.geojson", false, "Since 21:09, up to 21:24:40");
  await overlays.chooseRule("instant.geojson", "Within 30 minutes");
  await overlays.expectShown("instant.geojson", true, "Since 20:54, up to 21:24:40");
  await overlays.step("Previous", 2);
  await overlays.expectShown("instant.geojson", true, "Since 20:40, up to 21:10:40");
  await overlays.step("Previous", 1);
  await overlays.expectShown("instant.geojson", false, "1 later hidden");
});

test("a file without times is always on the map, until it is switched off", async ({ page, viewer }) => {
  const overlays = new OverlaysPage(page, viewer);
  await overlays.open(past.origin);
  await overlays.add(lineFile("roads.geojson", {}));
  await overlays.expectShown("roads.geojson", true, "No times in the file: always shown");
  await overlays.step("Previous", 2);
  await overlays.expectShown("roads.geojson", true, "No times in the file: always shown");
  await page.getByRole("checkbox", { name: "roads.geojson" }).uncheck();
  await overlays.expectShown("roads.geojson", false, "Off");
});

test("what is for now is on the map with the newest picture of a live event only", async ({
  page,
  viewer,
  station,
}) => {
  const minutesAgo = (minutes: number): string =>
    new Date(Date.now() - minutes * 60_000).toISOString().replace(/\.\d+Z$/, "Z");
  const files = [fileAt(minutesAgo(5)), fileAt(minutesAgo(0))];
  await station.ingestKnown("live", files, ["--kind", "operational-feed"]);
  await station.start();
  const overlays = new OverlaysPage(page, viewer);
  await overlays.open(station.origin);
  await overlays.add(lineFile("now.geojson", {}));
  await overlays.chooseRule("now.geojson", "Newest picture only");
  await overlays.expectShown("now.geojson", true, "For now: with the newest picture only");
  await overlays.step("Previous", 1);
  await overlays.expectShown("now.geojson", false, /Hidden: it is for now, the picture is of \d\d:\d\d/);
  await overlays.step("Next", 2);
  await overlays.expectShown("now.geojson", true, "For now: with the newest picture only");
});

test("what is for now is not on the map over a past event", async ({ page, viewer }) => {
  const overlays = new OverlaysPage(page, viewer);
  await overlays.open(past.origin);
  await overlays.add(lineFile("now.geojson", {}));
  await overlays.chooseRule("now.geojson", "Newest picture only");
  await overlays.expectShown("now.geojson", false, "Hidden: it is for now, the picture is of 21:24");
});

test("hostile files are refused by name, and the others stay", async ({ page, viewer }) => {
  const overlays = new OverlaysPage(page, viewer);
  await overlays.open(past.origin);
  await overlays.add(lineFile("roads.geojson", {}));
  await overlays.expectShown("roads.geojson", true, "always shown");
  const entities = '<?xml version="1.0"?><!DOCTYPE kml [<!ENTITY a "aaaa">]><kml><name>&a;</name></kml>';
  await overlays.add(
    { name: "bomb.kml", text: entities },
    { name: "large.geojson", text: " ".repeat(5 * 2 ** 20 + 1) },
  );
  await expect(overlays.row("bomb.kml").getByRole("status")).toContainText("bomb.kml", { timeout: 30_000 });
  await expect(overlays.row("large.geojson").getByRole("status")).toContainText("at most 5 MB");
  for (const name of ["bomb.kml", "large.geojson"])
    await expect(overlays.row(name)).not.toContainText(/\d shown/);
  await overlays.expectShown("roads.geojson", true, "always shown");
});

test("files come back at the next visit, reachable with the keyboard and without an accessibility fault", async ({
  page,
  viewer,
}) => {
  const overlays = new OverlaysPage(page, viewer);
  await overlays.open(past.origin);
  await overlays.add(lineFile("roads.geojson", {}));
  await overlays.expectShown("roads.geojson", true, "always shown");
  await page.reload();
  await viewer.expectSomethingDrawn();
  await overlays.expectShown("roads.geojson", true, "always shown");
  await viewer.button("Events and layers").click();
  await expect(overlays.list).toBeHidden();
  await viewer.button("Overlays").press("Enter");
  const box = page.getByRole("checkbox", { name: "roads.geojson" });
  await expect(box).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "When roads.geojson is shown" })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await viewer.button("Remove: roads.geojson").press("Enter");
  await expect(overlays.list).toBeHidden();
});

/** Serves a placefile with a line that is valid all day. */
async function serveSpotters(): Promise<{ readonly server: Server; readonly address: string }> {
  const placefile = [
    "Refresh: 1",
    "TimeRange: 2024-05-20T00:00:00 2024-05-21T00:00:00",
    "Color: 255 0 255",
    "Line: 8, 0, On the way",
    "35.22, -98.40",
    "35.22, -97.50",
    "End:",
  ].join("\n");
  const server = createServer((_request, response) => response.end(placefile));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { server, address: `http://127.0.0.1:${port}/spotters.txt` };
}

test("an address is refused or shown, keeps its switch over a visit, and says since when it is not reached", async ({
  page,
  viewer,
}) => {
  needsDirectory("Readers of a service refuse actions.");
  const desk = new Desk("overlays");
  const { server, address } = await serveSpotters();
  try {
    await desk.ingest(0, noEcho);
    await desk.start();
    const overlays = new OverlaysPage(page, viewer);
    await overlays.open(`${desk.origin}/#token=${actionToken}`);
    await overlays.addAddress("Refused", address, false);
    await expect(overlays.row("Refused").getByRole("status")).toContainText(
      "inside this computer or its network, which was not allowed",
      { timeout: 30_000 },
    );
    await overlays.addAddress("Spotters", address, true);
    await overlays.expectShown("Spotters", true, "TimeRange in the file: 00:00–00:00");
    await page.getByRole("checkbox", { name: "Spotters", exact: true }).uncheck();
    await page.reload();
    await viewer.expectSomethingDrawn();
    await overlays.expectShown("Spotters", false, "Off");
    await page.getByRole("checkbox", { name: "Spotters", exact: true }).check();
    // Another pace asks at once.
    await new Promise((resolve) => {
      server.close(resolve).closeAllConnections();
    });
    await viewer.button("Options of Spotters").click();
    await page.getByRole("combobox", { name: "How often Spotters is asked" }).selectOption("15 minutes");
    await expect(overlays.row("Spotters")).toContainText(/not reached since \d\d:\d\d/, { timeout: 30_000 });
    await expect(overlays.row("Spotters").getByRole("status")).toBeVisible();
    await overlays.expectShown("Spotters", true, "TimeRange in the file");
    await viewer.button("Remove: Spotters").click();
    await expect(overlays.row("Spotters")).toBeHidden({ timeout: 30_000 });
  } finally {
    await desk.close();
    server.close().closeAllConnections();
  }
});
