// A forecaster goes live from the viewer, against the app as `npm start` runs it: a folder is followed, a briefing is
// published meanwhile, the feed comes back after a restart, and it is stopped. A failed download is retried or removed.
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { writeGribFile } from "../../electron/support/grib-files.ts";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import { prepareDataDirectory } from "../../electron/support/prepared-data.ts";
import { productIds } from "../../shared/contract/primitives.ts";
import { startApp, type RunningApp } from "../support/app-process.ts";
import { openPart } from "../support/desk.ts";
import { needsDirectory } from "../support/station.ts";
import { test } from "../support/viewer-test.ts";

needsDirectory("Readers of a service refuse actions.");

let root: string;
let data: string;
let app: RunningApp;

test.beforeEach(async () => {
  root = makeTemporaryDirectory("live");
  data = join(root, "data");
  await prepareDataDirectory(data);
  app = await startApp(data);
});

test.afterEach(async () => {
  expect(await app.stop()).toBe(0);
  removeDirectory(root);
});

/** Renames both files of the two-minute window this many windows ago into the folder. */
function publishPair(folder: string, windowsAgo: number, fill: number): void {
  const observedAt = new Date(
    (Math.floor(Date.now() / 120_000) - windowsAgo) * 120_000 + 38_000,
  ).toISOString();
  const stage = join(root, "stage");
  mkdirSync(stage, { recursive: true });
  for (const product of productIds) {
    const path = writeGribFile(stage, { product, observedAt, fill });
    renameSync(path, join(folder, path.slice(stage.length + 1)));
  }
}

const livePanel = (page: Page) => page.getByRole("region", { name: "Live feed" });

async function findViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`);
}

test("a folder is followed live, through a briefing and a restart, until it is stopped", async ({
  page,
  viewer,
}) => {
  test.slow();
  const folder = join(root, "Radar feed");
  await page.goto(app.address);
  await viewer.expectDrawn(1);
  await viewer.button("Go live").click();
  const panel = livePanel(page);
  await panel.getByRole("radio", { name: "Folder" }).check();
  await panel.getByRole("textbox", { name: "Full path" }).fill(folder);
  await panel.getByRole("button", { name: "Start live" }).click();
  await expect(panel.getByRole("alert")).toHaveText(/^There is no such folder/);
  expect(await findViolations(page)).toEqual([]);

  mkdirSync(folder);
  await panel.getByRole("textbox", { name: "Full path" }).press("Enter");
  await expect(panel.getByText("No frame yet. The first one appears by itself.")).toBeVisible();
  writeGribFile(folder, { product: "mrms-mesh", observedAt: "2024-05-20T21:00:38Z", fill: 40 });
  await expect(panel.getByText(/^The newest file is from 20 May 2024 2100Z/)).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  publishPair(folder, 2, 40);
  const event = viewer.events.getByRole("option", { name: "Live from Radar feed" });
  await expect(event).toHaveAttribute("aria-selected", "true", { timeout: 30_000 });
  await viewer.expectDrawn(1);
  const status = page.getByRole("status", { name: "Connection and freshness" });
  await expect(status).toContainText("Live feed");
  await page.keyboard.press("Escape");
  await expect(viewer.button("Live: change or stop")).toBeFocused();

  // Nothing is read-only while a feed runs.
  await viewer.button("Share").click();
  const share = page.getByRole("region", { name: "Share" });
  await openPart(share, "Briefing");
  await share.getByRole("button", { name: /^Publish briefing: Live from Radar feed / }).click();
  await expect(share.getByText(/^2 pages · .*Up to date$/)).toBeVisible({ timeout: 60_000 });
  publishPair(folder, 1, 50);
  await viewer.expectDrawn(2);

  expect(await app.stop()).toBe(0);
  app = await startApp(data);
  await page.goto(app.address);
  publishPair(folder, 0, 60);
  await viewer.expectDrawn(3);
  await viewer.button("Live: change or stop").click();
  await panel.getByRole("button", { name: "Stop live" }).click();
  await expect(viewer.button("Go live")).toBeVisible();
  await expect(panel.getByRole("textbox", { name: "Full path" })).toHaveValue(folder);
  await expect(status).toContainText("Feed stopped");
  await page.reload();
  await viewer.expectDrawn(3);
  await expect(viewer.button("Go live")).toBeVisible();
});

test("a failed download is retried from the map, and an empty event is removed", async ({ page, viewer }) => {
  const folder = join(root, "archive");
  const message = page.getByRole("region", { name: "About the map" });
  await page.goto(app.address);
  await viewer.expectDrawn(1);
  const add = async (label: string, source: string): Promise<void> => {
    await viewer.button("Add events").click();
    const panel = page.getByRole("region", { name: "Add or download events" });
    await panel.getByRole("textbox", { name: "Download from" }).fill(`folder:${source}`);
    await panel.getByLabel("Label").fill(label);
    await panel.getByLabel("Start, UTC").fill("2024-05-28 21:00");
    await panel.getByLabel("End, UTC").fill("2024-05-28 21:02");
    await panel.getByRole("button", { name: "Add and download", exact: true }).click();
  };
  // A download that could not even begin leaves an event without frames.
  await add("Nowhere", "not/whole");
  await page.keyboard.press("Escape");
  await viewer.chooseEvent("Nowhere");
  await expect(message.getByRole("heading", { name: "Nowhere has no frames yet" })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await message.getByRole("button", { name: "Remove" }).click();
  await expect(viewer.events.getByRole("option", { name: "Nowhere" })).toHaveCount(0);
  await viewer.expectDrawn(1);

  await add("Prairie hail", folder);
  await page.keyboard.press("Escape");
  await expect(message.getByRole("heading", { name: "Couldn't download Prairie hail" })).toBeVisible({
    timeout: 60_000,
  });
  await expect(message.getByText("The folder does not exist.")).toBeVisible();
  mkdirSync(folder);
  for (const product of productIds) {
    writeGribFile(folder, { product, observedAt: "2024-05-28T21:00:38Z", fill: 40 });
  }
  await message.getByRole("button", { name: "Retry" }).click();
  await viewer.expectDrawn(1);
  await expect(viewer.events.getByRole("option", { name: "Prairie hail" })).toContainText("Complete");
  await expect(message).toHaveCount(0);
});
