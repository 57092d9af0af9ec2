// A day of 720 windows with 100 corrections: more than the contract's list holds, walked from end to end.
import { join } from "node:path";
import { mkdirSync } from "node:fs";
import { expect } from "@playwright/test";
import { writeGribFile } from "../../electron/support/grib-files.ts";
import { observedAt } from "../support/known-storm.ts";
import type { Station } from "../support/station.ts";
import { shareStation, test } from "../support/viewer-test.ts";

const windows = 720;
const corrections = 100;
const revisions = windows + corrections;

/** Publishes tiny frames of these windows; another shade gives them other values. */
async function publish(station: Station, indices: readonly number[], shade = 0): Promise<void> {
  const folder = join(station.data, "..", `files-${shade}`);
  mkdirSync(folder, { recursive: true });
  const files = indices.map((window) =>
    writeGribFile(folder, {
      product: "mrms-reflectivity",
      observedAt: observedAt(window),
      columns: 8,
      rows: 6,
      values: (row, column) => 20 + ((row * 3 + column * 5 + window * 7 + shade) % 50),
    }),
  );
  await station.ingest("day", files);
}

/** Returns `count` indices from `first`, `step` apart. */
function indicesFrom(first: number, count: number, step = 1): number[] {
  return Array.from({ length: count }, (_, index) => first + index * step);
}

const day = shareStation(async (station) => {
  const half = windows / 2;
  await publish(station, indicesFrom(0, half));
  await publish(station, indicesFrom(0, corrections / 2, 7), 1);
  await publish(station, indicesFrom(half, half));
  await publish(station, indicesFrom(half, corrections / 2, 7), 1);
  await station.start();
});

// A narrow window does not say how much of the event is held.
test.use({ viewport: { width: 1280, height: 800 } });

const whole = new RegExp(`^${revisions} revisions`);

test("a long event is held from its first revision to its last, and each can be reached", async ({
  page,
  viewer,
}) => {
  await page.goto(day.origin);
  await viewer.expectSomethingDrawn();
  await expect(page.getByText(whole)).toBeVisible();
  await viewer.timeline.focus();
  await viewer.timeline.press("Home");
  await viewer.expectDrawn(1);
  await expect(viewer.timeline).toHaveAttribute("aria-valuemin", "1");
  await expect(viewer.timeline).toHaveAttribute("aria-valuetext", /published \d\d:\d\d:\d\d UTC/);
  await viewer.timeline.press("PageUp");
  await viewer.expectDrawn(11);
  await viewer.timeline.press("End");
  await viewer.expectDrawn(revisions);
  await viewer.timeline.press("Home");
  await viewer.expectSelected(1);
  const walked = await viewer.timeline.evaluate(async (slider, steps) => {
    const sequences: number[] = [];
    for (let step = 0; step < steps; step += 1) {
      slider.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      // The page has rendered the step by then; waiting for each repaint would take minutes.
      await Promise.resolve();
      sequences.push(Number(slider.getAttribute("aria-valuenow")));
    }
    return sequences;
  }, revisions - 1);
  expect(walked).toEqual(indicesFrom(2, revisions - 1));
  await viewer.expectDrawn(revisions);
});

test("until the older revisions are read, the timeline says how many it holds", async ({ page, viewer }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route(/[?&]before=/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(day.origin);
  await viewer.expectSomethingDrawn();
  await expect(page.getByText(new RegExp(`newest 360 of ${revisions}`, "i"))).toBeVisible();
  await viewer.timeline.focus();
  await viewer.timeline.press("Home");
  await viewer.expectDrawn(revisions - 359);
  // The tooltip stays at its revision when the older ones come before it.
  const { x, y, width } = (await viewer.timeline.boundingBox())!;
  await page.mouse.move(x + width / 2, y + 46);
  const tooltip = page.locator(".timeline-tooltip strong");
  const pointed = (await tooltip.textContent())!;
  expect(pointed).toMatch(/^Revision \d{3}$/);
  release(undefined);
  await expect(page.getByText(whole)).toBeVisible();
  await expect(tooltip).toHaveText(pointed);
  await viewer.expectDrawn(revisions - 359);
  await viewer.timeline.press("Home");
  await viewer.expectDrawn(1);
});

test("a correction that arrives while one looks at the first picture moves nothing @core", async ({
  page,
  viewer,
}) => {
  await page.goto(day.origin);
  await expect(page.getByText(whole)).toBeVisible();
  await viewer.timeline.focus();
  await viewer.timeline.press("Home");
  await viewer.expectDrawn(1);
  await publish(day, [1], 2);
  await expect(page.getByText(new RegExp(`^${revisions + 1} revisions`))).toBeVisible();
  await expect(viewer.timeline).toHaveAttribute("aria-valuemax", String(revisions + 1));
  await viewer.expectSelected(1);
  await viewer.expectDrawn(1);
});

test("a strip shows where in a long event the timeline is, and moves the part that is drawn", async ({
  page,
  viewer,
}) => {
  await page.goto(day.origin);
  await expect(page.getByText(/^\d{3} revisions of 720 windows$/)).toBeVisible();
  const strip = page.getByRole("slider", { name: "Part of the event" });
  await strip.focus();
  await page.keyboard.press("Home");
  await expect(strip).toHaveAttribute("aria-valuetext", "Revisions 1 to 360");
  await page.keyboard.press("ArrowRight");
  await expect(strip).toHaveAttribute("aria-valuetext", "Revisions 31 to 390");
  // The strip does not name hidden revisions.
  await page.getByRole("slider", { name: "As known at" }).focus();
  for (let count = 0; count < 7; count += 1) await page.keyboard.press("PageDown");
  const known = Number(await viewer.map.getAttribute("data-known-at"));
  expect(known).toBeGreaterThan(361);
  await expect(strip).toHaveAttribute("aria-valuetext", new RegExp(`^Revisions \\d+ to ${known}$`));
  await viewer.button("Back to now").click();
  await strip.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  const { width } = (await strip.boundingBox())!;
  await strip.click({ position: { x: width - 2, y: 4 } });
  await expect(strip).toHaveAttribute("aria-valuetext", /^Revisions 46\d to 82\d$/);
  // The part follows the playhead when that leaves it.
  await viewer.timeline.focus();
  await page.keyboard.press("Home");
  await viewer.expectDrawn(1);
  await expect(strip).toHaveAttribute("aria-valuetext", "Revisions 1 to 360");
  await page.getByRole("radiogroup", { name: "Order" }).getByRole("radio", { name: "Observed" }).check();
  await expect(strip).toHaveAttribute("aria-valuetext", "21:00 to 08:58 UTC");
});
