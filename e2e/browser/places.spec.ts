// Place search: typed, selected by keyboard, shown on the map, and marked there until the search is cleared.
import { expect, type Locator, type Page } from "@playwright/test";
import { noEcho } from "../support/known-storm.ts";
import { shareOfColor, type ViewerPage } from "../support/viewer-page.ts";
import { shareStorm, test } from "../support/viewer-test.ts";

const stormy = shareStorm({ northWest: noEcho, northEast: noEcho, southWest: noEcho, southEast: 40 });

/** Radius of the marker's ring. */
const ringRadiusPx = 7;
const accent = "#5cc8ff";

/** Opens the viewer without animation; returns its search box. */
async function openSearch(page: Page, viewer: ViewerPage): Promise<Locator> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(stormy.origin);
  await viewer.expectDrawn(1);
  return page.getByRole("combobox", { name: "Search places" });
}

test("the slash key opens the search, arrows and Enter select, and the map shows the place @core", async ({
  page,
  viewer,
}) => {
  const search = await openSearch(page, viewer);
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

test("a selected place is marked, also after zooming, until the search is cleared", async ({
  page,
  viewer,
}) => {
  const search = await openSearch(page, viewer);
  const ringShare = async (): Promise<number> =>
    shareOfColor(await viewer.readPixels({ x: -ringRadiusPx, y: 0 }, 2), accent, 40);

  await search.fill("Norman");
  await page
    .getByRole("option", { name: /^Norman\b.*Oklahoma/ })
    .first()
    .click();
  await expect(viewer.map).toHaveAccessibleDescription(/Marked: Norman\b/);
  await expect.poll(ringShare).toBeGreaterThan(0.4);

  await viewer.button("Zoom out").click();
  await expect.poll(ringShare).toBeGreaterThan(0.4);

  await viewer.button("Clear the search").click();
  await expect(search).toHaveValue("");
  await expect(search).toBeFocused();
  await expect(viewer.map).not.toHaveAccessibleDescription(/Marked/);
  await expect.poll(ringShare).toBe(0);
});

test("the slash key focuses the search box before the next key arrives", async ({ page, viewer }) => {
  await openSearch(page, viewer);
  const focused = await page.evaluate(() => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
    return document.activeElement?.getAttribute("aria-label");
  });
  expect(focused).toBe("Search places");
});

test("Escape in the search removes the mark too", async ({ page, viewer }) => {
  await page.goto(stormy.origin);
  await viewer.expectDrawn(1);
  await viewer.flyTo("Norman", /^Norman\b.*Oklahoma/);
  await expect(viewer.map).toHaveAccessibleDescription(/Marked: Norman\b/);
  await page.keyboard.press("/");
  await page.keyboard.press("Escape");
  await expect(viewer.map).not.toHaveAccessibleDescription(/Marked/);
});

test("coordinates, identifiers and ZIP codes lead to their place", async ({ page, viewer }) => {
  const search = await openSearch(page, viewer);
  const centerReads = async (reading: RegExp): Promise<void> => {
    await viewer.map.focus();
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByText(reading).first()).toBeVisible();
  };
  await search.fill("35 13.2 N 97 26.4 W");
  await expect(page.getByRole("option", { name: /^35\.22 N 97\.44 W/ })).toBeVisible();
  await search.press("Enter");
  await expect(viewer.map).toHaveAccessibleDescription(/Marked: 35\.22 N 97\.44 W/);
  await centerReads(/35\.22 N 97\.4\d W/);

  await search.fill("KTLX");
  await page.getByRole("option", { name: /^KTLX.*WSR-88D radar/ }).click();
  await centerReads(/35\.33 N 97\.\d\d W/);

  await search.fill("OKC");
  await expect(page.getByRole("option", { name: /^Oklahoma City/ })).toBeVisible();
  await page.getByRole("option", { name: /Airport OKC/ }).click();
  await centerReads(/35\.39 N 97\.\d\d W/);

  await search.fill("73072");
  await expect(page.getByRole("option", { name: /^73072.*ZIP code near Norman, Oklahoma/ })).toBeVisible();
});

test("an unknown place has no matches", async ({ page }) => {
  await page.goto(stormy.origin);
  await page.getByRole("combobox", { name: "Search places" }).fill("zzyzzxqq");
  await expect(page.getByText("No matching places").first()).toBeVisible();
});
