// An accessibility checker over the whole screen, with and without data, and the screen by keyboard alone.
import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import {
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
  startHost,
  type RunningHost,
} from "../support/host-process.ts";
import { noHail, noEcho, observedAt, writeKnownFile } from "../support/known-storm.ts";
import { ViewerPage } from "../support/viewer-page.ts";

let directory: string;
let host: RunningHost;

test.beforeAll(async () => {
  directory = makeTemporaryDirectory("a11y");
  host = await startHost(directory);
});

test.afterAll(async () => {
  await host.stop();
  removeDirectory(directory);
});

test.describe.configure({ mode: "serial" });

test("the empty screen has no accessibility fault", async ({ page }) => {
  await page.goto(host.origin);
  await expect(page.getByText(/ingest/).first()).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`)).toEqual([]);
});

test("the screen with a storm has no accessibility fault", async ({ page }) => {
  const files = [0, 1].flatMap((window) => [
    writeKnownFile(directory, {
      product: "mrms-reflectivity",
      observedAt: observedAt(window),
      quadrants: { northWest: 60, northEast: 30, southWest: 40, southEast: noEcho },
    }),
    writeKnownFile(directory, {
      product: "mrms-mesh",
      observedAt: observedAt(window, 39),
      quadrants: { northWest: 30, northEast: noHail, southWest: noHail, southEast: noHail },
    }),
  ]);
  const finished = await runCommand(["ingest", "--data", directory, "--event", "storm", ...files]);
  expect(finished.status).toBe(0);
  const viewer = new ViewerPage(page);
  await page.goto(host.origin);
  await viewer.expectDrawn(2);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`)).toEqual([]);
});

test("every control has the name that scripts and screen readers rely on", async ({ page }) => {
  const viewer = new ViewerPage(page);
  await page.goto(host.origin);
  await viewer.expectDrawn(2);
  await expect(viewer.events.getByRole("option")).toHaveCount(1);
  for (const name of ["Play", "Previous revision", "Next revision", "Newest revision"]) {
    await expect(viewer.button(name)).toBeVisible();
  }
  for (const label of ["Composite reflectivity", "Hail size (MESH)"]) {
    await expect(page.getByRole("checkbox", { name: label, exact: true })).toBeChecked();
    await expect(page.getByRole("slider", { name: `Opacity of ${label}`, exact: true })).toBeVisible();
    const legend = page.getByRole("list", { name: `${label} legend`, exact: true });
    expect(await legend.getByRole("listitem").count()).toBeGreaterThan(5);
  }
  await expect(page.getByRole("combobox", { name: "Search places" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Storm map", exact: true })).toHaveCount(1);
  await expect(page.getByRole("status").first()).toBeVisible();
});
