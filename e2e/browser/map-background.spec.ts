// A part of the map background that cannot be loaded: the viewer says so, retries, and drops the message once it is
// loaded.
import { expect } from "@playwright/test";
import { shareStorm, test } from "../support/viewer-test.ts";

const stormy = shareStorm({ northWest: 20, northEast: 30, southWest: 40, southEast: 50 });

test("the message about a missing background disappears once the background is loaded", async ({
  page,
  viewer,
}) => {
  let isBroken = true;
  await page.route(/basemap-land/, (route) => (isBroken ? route.abort() : route.continue()));
  await page.goto(stormy.origin);
  await viewer.expectDrawn(1);
  const message = page.getByText(/background could not be loaded/);
  await expect(message).toBeVisible();
  isBroken = false;
  await expect(message).toHaveCount(0);
  await viewer.expectDrawn(1);
});
