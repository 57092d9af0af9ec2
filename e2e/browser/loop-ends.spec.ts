// The ends of the loop on the timeline: dragged, moved by keys, and respected by playback.
import { expect } from "@playwright/test";
import { observedAt } from "../support/known-storm.ts";
import { shareStation, test } from "../support/viewer-test.ts";

const windows = 8;

const stormy = shareStation(async (station) => {
  await station.ingestKnown(
    "storm",
    Array.from({ length: windows }, (_, window) => ({
      product: "mrms-reflectivity",
      observedAt: observedAt(window),
      quadrants: { northWest: 20 + window * 5, northEast: 30, southWest: 40, southEast: 50 },
    })),
  );
  await station.start();
});

test("the ends of the loop are dragged and moved by keys, and playback stays between them", async ({
  page,
  viewer,
}) => {
  await page.goto(stormy.origin);
  await viewer.expectDrawn(windows);
  const start = page.getByRole("slider", { name: "Start of the loop" });
  const end = page.getByRole("slider", { name: "End of the loop" });
  await expect(start).toHaveAttribute("aria-valuenow", "1");
  await expect(end).toHaveAttribute("aria-valuenow", String(windows));

  const from = (await start.boundingBox())!;
  const to = (await end.boundingBox())!;
  const y = from.y + from.height / 2;
  const quarter = (to.x - from.x) / 4;
  await page.mouse.move(from.x + from.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2 + quarter, y, { steps: 4 });
  await page.mouse.up();
  await expect(start).toHaveAttribute("aria-valuenow", "3");

  await end.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(end).toHaveAttribute("aria-valuenow", "5");
  // The ends do not pass each other, and the picture stays.
  await page.keyboard.press("Home");
  await expect(end).toHaveAttribute("aria-valuenow", "4");
  await viewer.expectSelected(windows);

  const drawn = viewer.watchDrawn(5);
  await viewer.button("Play").click();
  expect(await drawn).toEqual(["3", "4", "3", "4", "3"]);
});
