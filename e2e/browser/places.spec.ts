// Place search: typed, chosen by keyboard, and the map goes there.
import { expect } from "@playwright/test";
import { noEcho } from "../support/known-storm.ts";
import { shareStorm, test } from "../support/viewer-test.ts";

const stormy = shareStorm({ northWest: 20, northEast: 30, southWest: 40, southEast: noEcho });

test("the slash key opens the search, arrows and Enter choose, and the map shows the place", async ({
  page,
  viewer,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(stormy.origin);
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
  await page.goto(stormy.origin);
  await page.getByRole("combobox", { name: "Search places" }).fill("zzyzzxqq");
  await expect(page.getByText(/no place|nothing found|no match/i).first()).toBeVisible();
});
