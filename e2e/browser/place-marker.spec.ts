// The place that was searched for stays marked on the map by name, until the search is cleared.
import { expect } from "@playwright/test";
import { noEcho } from "../support/known-storm.ts";
import { shareStorm, test } from "../support/viewer-test.ts";
import { shareOfColor } from "../support/viewer-page.ts";

const stormy = shareStorm({ northWest: noEcho, northEast: noEcho, southWest: noEcho, southEast: 40 });

/** The marker's ring lies so far from the place. */
const ringRadiusPx = 7;
const accent = "#5cc8ff";

test("a chosen place is marked, the mark stays through zooming, and clearing the search takes it away", async ({
  page,
  viewer,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(stormy.origin);
  await viewer.expectDrawn(1);
  const search = page.getByRole("combobox", { name: "Search places" });
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

test("Escape in the search takes the mark away too", async ({ page, viewer }) => {
  await page.goto(stormy.origin);
  await viewer.expectDrawn(1);
  await viewer.flyTo("Norman", /^Norman\b.*Oklahoma/);
  await expect(viewer.map).toHaveAccessibleDescription(/Marked: Norman\b/);
  await page.keyboard.press("/");
  await page.keyboard.press("Escape");
  await expect(viewer.map).not.toHaveAccessibleDescription(/Marked/);
});
