// Place search: typed, chosen by keyboard, and the map goes there.
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

test.beforeAll(async () => {
  directory = makeTemporaryDirectory("places");
  const file = writeKnownFile(directory, {
    product: "mrms-reflectivity",
    observedAt: observedAt(0),
    quadrants: { northWest: 20, northEast: 30, southWest: 40, southEast: noEcho },
  });
  const finished = await runCommand(["ingest", "--data", directory, "--event", "storm", file]);
  expect(finished.status).toBe(0);
  host = await startHost(directory);
});

test.afterAll(async () => {
  await host.stop();
  removeDirectory(directory);
});

test("the slash key opens the search, arrows and Enter choose, and the map shows the place", async ({
  page,
}) => {
  const viewer = new ViewerPage(page);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(host.origin);
  await viewer.expectDrawn(1);
  const search = page.getByRole("combobox", { name: "Search places" });
  await expect(search).toBeVisible();
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.type("tulsa");
  await expect(page.getByRole("option", { name: /^Tulsa\b.*Oklahoma/ }).first()).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(search).toHaveAttribute("aria-expanded", "false");
  const box = (await viewer.map.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await expect(page.getByText(/36\.1\d N/).first()).toBeVisible();
});

test("a place that nobody knows is said to be unknown", async ({ page }) => {
  await page.goto(host.origin);
  await page.getByRole("combobox", { name: "Search places" }).fill("zzyzzxqq");
  await expect(page.getByText(/no place|nothing found|no match/i).first()).toBeVisible();
});
