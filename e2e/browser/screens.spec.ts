// Unusual screens: forced colors, an invisible layer, a slow service.
import { expect } from "@playwright/test";
import { observedAt } from "../support/known-storm.ts";
import { shareStation, test } from "../support/viewer-test.ts";

const stormy = shareStation(async (station) => {
  const quadrants = { northWest: 20, northEast: 30, southWest: 40, southEast: 50 };
  await station.ingestKnown("storm", [
    { product: "mrms-reflectivity", observedAt: observedAt(0), quadrants },
    { product: "mrms-mesh", observedAt: observedAt(0), quadrants },
  ]);
  await station.start();
});

test("with forced colors a legend keeps its own, which are data", async ({ page, viewer }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(stormy.origin);
  await viewer.expectDrawn(1);
  const colors = await page
    .getByRole("list", { name: /reflectivity legend/i })
    .getByRole("listitem")
    .evaluateAll((items) => items.map((item) => getComputedStyle(item).backgroundColor));
  expect(new Set(colors).size).toBeGreaterThan(10);
});

test("a layer with zero opacity says so", async ({ page, viewer }) => {
  await page.goto(stormy.origin);
  await viewer.expectDrawn(1);
  const words = page.getByText("Invisible", { exact: true });
  await expect(words).toHaveCount(0);
  await page.getByRole("slider", { name: /^Opacity of Composite/ }).fill("0");
  await expect(words).toBeVisible();
});

test("while the revisions are being read, the viewer does not say that there are none", async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route(/\/revisions\?/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(stormy.origin);
  await expect(page.getByText("Reading the revisions…")).toBeVisible();
  await expect(page.getByText("Nothing published yet")).toHaveCount(0);
  release(undefined);
  await expect(page.getByText("1 revision of 1 window", { exact: true })).toBeVisible();
});
