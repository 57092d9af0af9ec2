// The timeline with two clocks: both orders, and the storm as known at an earlier publication, by mouse, by keys and by
// accessible names, on a large and on a small screen.
import { expect, type Locator, type Page } from "@playwright/test";
import { findViolations } from "../support/find-violations.ts";
import { noEcho, observedAt, type KnownFile } from "../support/known-storm.ts";
import type { Station } from "../support/station.ts";
import { shareStation, test } from "../support/viewer-test.ts";
import type { ViewerPage } from "../support/viewer-page.ts";

const sizes = [
  { width: 1280, height: 800 },
  { width: 1024, height: 640 },
] as const;

/** Windows 0 to 7 without 3; then 1 is corrected, 3 arrives late, and 1 is corrected again. */
const windows = [0, 1, 2, 4, 5, 6, 7];
const later = [
  { window: 1, dbz: 41 },
  { window: 3, dbz: 42 },
  { window: 1, dbz: 43 },
] as const;
const latest = windows.length + later.length;

function fileOf(window: number, dbz: number): KnownFile {
  return {
    product: "mrms-reflectivity",
    observedAt: observedAt(window),
    quadrants: { northWest: dbz, northEast: dbz, southWest: dbz, southEast: noEcho },
  };
}

async function prepare(station: Station): Promise<void> {
  await station.ingestKnown(
    "storm",
    windows.map((window) => fileOf(window, 20 + window)),
  );
  for (const { window, dbz } of later) await station.ingestKnown("storm", [fileOf(window, dbz)]);
  await station.start();
}

const corrected = shareStation(prepare);

function handleOf(page: Page): Locator {
  return page.getByRole("slider", { name: "As known at" });
}

function orderOf(page: Page, order: string): Locator {
  return page.getByRole("radiogroup", { name: "Order" }).getByRole("radio", { name: order });
}

async function expectKnownAt(viewer: ViewerPage, sequence: number | undefined): Promise<void> {
  if (sequence === undefined) await expect(viewer.map).not.toHaveAttribute("data-known-at");
  else await expect(viewer.map).toHaveAttribute("data-known-at", String(sequence));
  await expect(handleOf(viewer.page)).toHaveAttribute("aria-valuenow", String(sequence ?? latest));
}

for (const size of sizes) {
  const name = `${size.width} × ${size.height}`;

  test(`keys move the handle over the publications, and the map follows, at ${name}${size.width === 1280 ? " @core" : ""}`, async ({
    page,
    viewer,
  }) => {
    await page.setViewportSize(size);
    await page.goto(corrected.origin);
    await viewer.expectDrawn(7);
    await page.keyboard.press("o");
    await expect(orderOf(page, "Observed")).toBeChecked();
    await page.keyboard.press("k");
    await expect(handleOf(page)).toBeFocused();
    await expect(handleOf(page)).toHaveAttribute("aria-valuetext", "Now, sequence 10, nothing hidden");
    await page.keyboard.press("ArrowLeft");
    await expectKnownAt(viewer, 9);
    await expect(handleOf(page)).toHaveAttribute(
      "aria-valuetext",
      /\d\d:\d\d:\d\d UTC, sequence 9 of 10, 1 later revision hidden/,
    );
    // The newest window was known then: the picture stays.
    await viewer.expectDrawn(7);
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowLeft");
    await expectKnownAt(viewer, 5);
    await viewer.expectDrawn(5);
    await expect(viewer.timeline).toHaveAttribute("aria-valuemax", "5");
    const banner = /As known at .*UTC · sequence 5 of 10 · 5 later revisions hidden/;
    await expect(page.getByRole("region", { name: "What is shown" })).toContainText(banner);
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Home");
    await expectKnownAt(viewer, 1);
    await viewer.expectDrawn(1);
    await page.keyboard.press("End");
    await expectKnownAt(viewer, undefined);
    await viewer.expectDrawn(7);
    await expect(viewer.button("Back to now")).toHaveCount(0);
  });

  for (const order of ["Published", "Observed"])
    test(`the handle is dragged in the order ${order}, and a button leads back to now, at ${name}`, async ({
      page,
      viewer,
    }) => {
      await page.setViewportSize(size);
      await page.goto(corrected.origin);
      await viewer.expectDrawn(7);
      await orderOf(page, order).check();
      const grip = (await handleOf(page).boundingBox())!;
      const y = grip.y + grip.height / 2;
      await page.mouse.move(grip.x + grip.width / 2, y);
      await page.mouse.down();
      await page.mouse.move(0, y, { steps: 12 });
      await page.mouse.up();
      await expectKnownAt(viewer, 1);
      await viewer.expectDrawn(1);
      // Neither banner hides, also when the timeline is folded.
      const words = page.locator(".known-banner");
      await expect(words).toHaveCount(2);
      await viewer.button("Timeline details").click();
      for (const part of await words.all()) await expect(part).toBeInViewport({ ratio: 1 });
      await viewer.button("Back to now").click();
      await viewer.button("Timeline details").click();
      await expectKnownAt(viewer, undefined);
      await viewer.expectDrawn(7);
    });
}

test("a typed time shows what was known at the publication before it", async ({ page, viewer }) => {
  await page.goto(corrected.origin);
  await viewer.expectDrawn(7);
  const history = (await (
    await fetch(`${corrected.origin}/app/events/storm/revisions?before=7&limit=1`)
  ).json()) as { frames: readonly { publishedAt: string }[] };
  const { publishedAt } = history.frames[0]!;
  await viewer.button("As known at…").click();
  const field = page.getByRole("textbox", { name: "Known at, UTC" });
  await expect(field).toBeFocused();
  await field.fill("half past nine");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Type a time like 21:46 or 21:46:10")).toBeVisible();
  await field.fill("2001-01-01T00:00:00Z");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nothing was published by then")).toBeVisible();
  await field.fill(publishedAt);
  await page.keyboard.press("Enter");
  await expectKnownAt(viewer, 6);
  await viewer.expectDrawn(6);
  await page.reload();
  await viewer.expectDrawn(7);
  await expectKnownAt(viewer, undefined);
});

for (const size of [...sizes, { width: 640, height: 640 }])
  test(`the banner and the way back stay while a time is typed, also folded, at ${size.width} × ${size.height}`, async ({
    page,
    viewer,
  }) => {
    await page.setViewportSize(size);
    await page.goto(corrected.origin);
    await viewer.expectDrawn(7);
    const banner = page.locator(".timeline .known-banner");
    const field = page.getByRole("textbox", { name: "Known at, UTC" });
    for (const isFolded of [false, true]) {
      await viewer.timeline.focus();
      await page.keyboard.press("k");
      await page.keyboard.press("ArrowLeft");
      if (isFolded) await viewer.button("Timeline details").click();
      await banner.getByRole("button", { name: /UTC/ }).click();
      await expect(field).toBeFocused();
      await field.fill("21:4");
      for (const part of [field, banner, viewer.button("Back to now"), viewer.button("Show")])
        await expect(part).toBeInViewport({ ratio: 1 });
      await expect(banner).toContainText("As known at");
      if (size.width > 760)
        await expect(banner).toContainText(/1 (later revision )?hidden/, { useInnerText: true });
      expect(await findViolations(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await expect(banner.getByRole("button", { name: /UTC/ })).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(field).toBeFocused();
      await viewer.button("Back to now").click();
      await expect(viewer.map).not.toHaveAttribute("data-known-at");
      await expect(field).toHaveCount(0);
    }
  });

test("a corrected picture stays while it is known, else the one before stands in", async ({
  page,
  viewer,
}) => {
  await page.goto(corrected.origin);
  await viewer.expectDrawn(7);
  await viewer.timeline.focus();
  await viewer.timeline.press("End");
  await viewer.expectDrawn(10);
  await page.keyboard.press("k");
  for (const [sequence, drawn] of [
    [9, 8],
    [8, 8],
    [7, 2],
  ] as const) {
    await page.keyboard.press("ArrowLeft");
    await expectKnownAt(viewer, sequence);
    await viewer.expectDrawn(drawn);
  }
  await expect(page.getByRole("region", { name: "What is shown" })).not.toContainText("Corrected later");
  await viewer.button("Back to now").click();
  await viewer.expectDrawn(10);
});

test("a window that was never published is a gap that says so", async ({ page, viewer, station }) => {
  await station.ingestKnown("storm", [fileOf(0, 20), fileOf(1, 30), fileOf(3, 40)]);
  await station.start();
  await page.goto(station.origin);
  await viewer.expectDrawn(3);
  await orderOf(page, "Observed").check();
  // The axis is an hour and a half window wide, with room at its end.
  const { width } = (await page.locator(".timeline-plot").boundingBox())!;
  await viewer.timeline.hover({ position: { x: 8 + ((width - 28) / 30.5) * 2.4, y: 45 } });
  await expect(page.getByText("21:04 · nothing published for this window")).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
});

test("a correction that arrives while one looks as known at moves nothing and is told", async ({
  page,
  viewer,
  station,
}) => {
  await station.ingestKnown("watch", [fileOf(0, 20), fileOf(1, 30), fileOf(2, 40)]);
  await station.start();
  await page.goto(station.origin);
  await viewer.expectDrawn(3);
  await page.keyboard.press("k");
  await page.keyboard.press("ArrowLeft");
  await viewer.expectDrawn(2);
  const before = await handleOf(page).boundingBox();

  await station.ingestKnown("watch", [fileOf(1, 55)]);
  await expect(page.getByRole("status").filter({ hasText: "2 later revisions hidden" })).toHaveCount(1);
  await expect(viewer.map).toHaveAttribute("data-known-at", "2");
  await viewer.expectSelected(2);
  await viewer.expectDrawn(2);
  await expect(viewer.timeline).toHaveAttribute("aria-valuemax", "2");
  expect((await handleOf(page).boundingBox())!.x).toBeLessThanOrEqual(before!.x);
  await expect(page.getByText(/Revision 4 corrects/)).toHaveCount(0);

  await viewer.button("Back to now").click();
  await viewer.expectDrawn(3);
  await expect(page.getByText("Revision 4 corrects 21:02")).toBeVisible();
  await page.getByRole("status").getByRole("button", { name: "Show what changed" }).click();
  await viewer.expectDrawn(4);
  await expect(page.getByText("Revision 4 corrects 21:02")).toHaveCount(0);
});
