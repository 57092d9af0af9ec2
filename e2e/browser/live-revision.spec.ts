// A page that stays open while files are ingested: revisions appear automatically, and the picture stays on the newest.
import { expect } from "@playwright/test";
import { noEcho, observedAt, type KnownFile } from "../support/known-storm.ts";
import type { Station } from "../support/station.ts";
import { test } from "../support/viewer-test.ts";

test.beforeEach(({ station }) => station.start());

async function ingestWindow(station: Station, window: number, dbz: number): Promise<void> {
  const file: KnownFile = {
    product: "mrms-reflectivity",
    observedAt: observedAt(window),
    quadrants: { northWest: dbz, northEast: dbz, southWest: dbz, southEast: noEcho },
  };
  const finished = await station.ingestKnown("watch", [file], ["--label", "Watched storm"]);
  expect(finished.lines).toMatchObject([{ status: "complete" }]);
}

test("an open page shows the newest revision as it arrives, and does not move for a late correction @core", async ({
  page,
  viewer,
  station,
}) => {
  await page.goto(station.origin);
  await expect(viewer.events.getByRole("option")).toHaveCount(0);
  await expect(viewer.map).not.toHaveAttribute("data-sequence");

  await ingestWindow(station, 0, 30);
  await viewer.expectDrawn(1);
  await expect(viewer.events.getByRole("option", { name: "Watched storm" })).toBeVisible();

  await ingestWindow(station, 1, 40);
  await viewer.expectDrawn(2);
  await viewer.expectSelected(2);

  // A correction of the first window is counted, and the picture stays on the newest observation.
  await ingestWindow(station, 0, 55);
  await expect(viewer.timeline).toHaveAttribute("aria-valuemax", "3");
  await viewer.expectSelected(2);
  await viewer.expectDrawn(2);
  await expect(page.getByText("1 corrected frame")).toBeVisible();
});

test("a viewer that stepped away stays where it is while newer revisions arrive", async ({
  page,
  viewer,
  station,
}) => {
  await ingestWindow(station, 0, 30);
  await ingestWindow(station, 1, 40);
  await page.goto(station.origin);
  await viewer.expectDrawn(2);
  await viewer.button("Previous revision").click();
  await viewer.expectDrawn(1);

  await ingestWindow(station, 2, 50);
  await expect(viewer.timeline).toHaveAttribute("aria-valuemax", "3");
  await viewer.expectDrawn(1);

  await viewer.button("Newest revision").click();
  await viewer.expectDrawn(3);
});
