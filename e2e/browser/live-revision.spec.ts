// A page that stays open while files are ingested: revisions appear by themselves, the picture stays pinned to the newest.
import { expect, test } from "@playwright/test";
import {
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
  startHost,
  type RunningHost,
} from "../support/host-process.ts";
import { noEcho, observedAt, writeKnownFile } from "../support/known-storm.ts";
import { ViewerPage } from "../support/viewer-page.ts";

let directory: string;
let host: RunningHost;

test.beforeEach(async () => {
  directory = makeTemporaryDirectory("live");
  host = await startHost(directory);
});

test.afterEach(async () => {
  expect(await host.stop()).toBe(0);
  removeDirectory(directory);
});

async function ingestWindow(window: number, dbz: number): Promise<void> {
  const file = writeKnownFile(directory, {
    product: "mrms-reflectivity",
    observedAt: observedAt(window),
    quadrants: { northWest: dbz, northEast: dbz, southWest: dbz, southEast: noEcho },
  });
  const finished = await runCommand([
    "ingest",
    "--data",
    directory,
    "--event",
    "watch",
    "--label",
    "Watched storm",
    file,
  ]);
  expect(finished).toMatchObject({ status: 0, lines: [{ status: "complete" }] });
}

test("an open page goes from nothing to the newest revision, and moves nothing for a late correction", async ({
  page,
}) => {
  const viewer = new ViewerPage(page);
  await page.goto(host.origin);
  await expect(viewer.events.getByRole("option")).toHaveCount(0);
  await expect(viewer.map).not.toHaveAttribute("data-sequence");

  await ingestWindow(0, 30);
  await viewer.expectDrawn(1);
  await expect(viewer.events.getByRole("option", { name: "Watched storm" })).toBeVisible();

  await ingestWindow(1, 40);
  await viewer.expectDrawn(2);
  await viewer.expectSelected(2);

  // A correction of the first window is marked, and the picture stays on the newest observation.
  await ingestWindow(0, 55);
  await expect(viewer.timeline).toHaveAttribute("aria-valuemax", "3");
  await viewer.expectSelected(2);
  await viewer.expectDrawn(2);
  await expect(page.getByText(/1 (late )?correction/)).toBeVisible();
});

test("a viewer that has stepped away stays where it is and is told what arrived", async ({ page }) => {
  const viewer = new ViewerPage(page);
  await ingestWindow(0, 30);
  await ingestWindow(1, 40);
  await page.goto(host.origin);
  await viewer.expectDrawn(2);
  await viewer.button("Previous revision").click();
  await viewer.expectDrawn(1);

  await ingestWindow(2, 50);
  await expect(viewer.timeline).toHaveAttribute("aria-valuemax", "3");
  await viewer.expectDrawn(1);

  await viewer.button("Newest revision").click();
  await viewer.expectDrawn(3);
});
