// A part of the map's background that cannot be loaded: it is said, asked for again, and no longer said when it is there.
import { expect } from "@playwright/test";
import { shareStorm, test } from "../support/viewer-test.ts";

const stormy = shareStorm({ northWest: 20, northEast: 30, southWest: 40, southEast: 50 });

test("the message about a missing background goes by itself when the background is there", async ({
  page,
  viewer,
}) => {
  let isBroken = true;
  await page.route(/basemap-counties/, (route) => (isBroken ? route.abort() : route.continue()));
  await page.goto(stormy.origin);
  await viewer.expectDrawn(1);
  const message = page.getByText(/background could not be loaded/);
  await expect(message).toBeVisible();
  isBroken = false;
  await expect(message).toHaveCount(0);
  await viewer.expectDrawn(1);
});
