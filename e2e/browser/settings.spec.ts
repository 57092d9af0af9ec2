// The dialog "Settings": keys of the person's own with their conflicts, the clock of the screen, the size of the text,
// what is kept between visits, and settings as a file.
import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { findViolations } from "../support/find-violations.ts";
import { observedAt } from "../support/known-storm.ts";
import { shareStation, test } from "../support/viewer-test.ts";

const hills = { northWest: 20, northEast: 35, southWest: 50, southEast: 62 };

const station = shareStation(async (own) => {
  await own.ingestKnown("storm", [
    { product: "mrms-reflectivity", observedAt: observedAt(0), quadrants: hills },
    { product: "mrms-reflectivity", observedAt: observedAt(2), quadrants: hills },
  ]);
  await own.start();
});

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Settings" });
const strip = (page: Page) => page.getByRole("region", { name: "What is shown" });

test("opens by its button and key beside the working screen, is accessible, and closes by Escape", async ({
  page,
  viewer,
}) => {
  await page.goto(station.origin);
  await viewer.expectSomethingDrawn();
  await viewer.button("Settings").click();
  await expect(dialogOf(page)).toBeFocused();
  expect(await findViolations(page)).toEqual([]);
  // The rest of the screen stays in use.
  await viewer.button("Previous revision").click();
  await viewer.expectDrawn(1);
  await expect(dialogOf(page)).toBeVisible();
  await dialogOf(page).getByRole("radio", { name: "mm", exact: true }).press("Escape");
  await expect(dialogOf(page)).toBeHidden();
  await page.keyboard.press(",");
  await expect(dialogOf(page)).toBeVisible();
  await dialogOf(page).getByRole("button", { name: "Close" }).click();
  await expect(dialogOf(page)).toBeHidden();
});

test("a key of the person's own works at once, is named everywhere, and is remembered", async ({
  page,
  viewer,
}) => {
  await page.goto(station.origin);
  await viewer.expectSomethingDrawn();
  await viewer.button("Settings").click();
  const export_ = dialogOf(page).getByRole("button", { name: /^Key: Export/ });
  await export_.click();
  await page.keyboard.press("x");
  await expect(export_).toHaveAccessibleName("Key: Export: picture, loop, data, link, X");
  await page.keyboard.press("Escape");
  await expect(viewer.button("Export")).toHaveAttribute("title", "Export: picture, loop, data, link (X)");
  await expect(viewer.button("Export")).toHaveAttribute("aria-keyshortcuts", "X");

  await page.reload();
  await viewer.expectSomethingDrawn();
  await page.keyboard.press("e");
  await expect(page.getByRole("dialog", { name: "Export" })).toBeHidden();
  await page.keyboard.press("x");
  await expect(page.getByRole("dialog", { name: "Export" })).toBeVisible();
});

test("a key of another command is not saved until one of the two has it", async ({ page, viewer }) => {
  await page.goto(station.origin);
  await viewer.expectSomethingDrawn();
  await viewer.button("Settings").click();
  const keyOf = (name: RegExp) => dialogOf(page).getByRole("button", { name });
  await keyOf(/^Key: Export/).click();
  await page.keyboard.press("n");
  const conflict = dialogOf(page).getByRole("alert").filter({ hasText: "N is the key of" });
  await expect(conflict).toContainText("“Newest frame, and follow it”");
  await expect(keyOf(/^Key: Export.*, E$/)).toBeVisible();
  await expect(keyOf(/^Key: Newest frame.*, N$/)).toBeVisible();

  await page.keyboard.press("Escape");
  await expect(conflict).toHaveCount(0);
  await keyOf(/^Key: Export/).click();
  await page.keyboard.press("n");
  await conflict.getByRole("button", { name: "Leave it" }).click();
  await expect(keyOf(/^Key: Export.*, E$/)).toBeVisible();
  await keyOf(/^Key: Export/).click();
  await page.keyboard.press("n");
  await conflict.getByRole("button", { name: "Take it from there" }).click();
  await expect(keyOf(/^Key: Export.*, N$/)).toBeVisible();
  await expect(keyOf(/^Key: Newest frame.*, none$/)).toBeVisible();

  // A key that moves the focus or presses is refused with the reason.
  await keyOf(/^Key: Newest frame/).click();
  await page.keyboard.press("Enter");
  await expect(dialogOf(page).getByText("Enter stays with buttons, fields and dialogs.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialogOf(page)).toBeVisible();

  // The first key of Newest is taken, so its own reset says so; all keys together have no conflict.
  await viewer.button("Reset the key: Newest frame, and follow it").click();
  await expect(dialogOf(page).getByText(/N is the key of “Export/)).toBeVisible();
  await viewer.button("Reset all keys").click();
  await expect(keyOf(/^Key: Export.*, E$/)).toBeVisible();
  await expect(keyOf(/^Key: Newest frame.*, N$/)).toBeVisible();
});

test("the sheet of keys prints without the screen", async ({ page, viewer }) => {
  await page.goto(station.origin);
  await viewer.expectSomethingDrawn();
  await viewer.button("Settings").click();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: "Echotop: keys" })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "Newest frame, and follow it" })).toBeVisible();
  await expect(viewer.map).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await expect(page.getByRole("heading", { name: "Echotop: keys" })).toBeHidden();
});

test.describe("in another time zone", () => {
  test.use({ timezoneId: "America/Denver" });

  test("the first clock and its hours stand in the strip and on the timeline, UTC beside", async ({
    page,
    viewer,
  }) => {
    await page.goto(station.origin);
    await viewer.expectDrawn(2);
    const at = new Date(observedAt(2));
    const inZone = (timeZone: string) =>
      at.toLocaleTimeString("en-US", { timeZone, timeZoneName: "short" }).replaceAll("\u202f", " ");
    await expect(strip(page)).toContainText(`${at.toISOString().slice(11, 19)} UTC`);
    await viewer.button("Settings").click();
    await dialogOf(page).getByRole("radio", { name: "12 hours" }).check();
    await dialogOf(page).getByRole("radio", { name: "Local" }).check();
    await expect(strip(page)).toContainText(inZone("America/Denver"));
    await expect(strip(page)).toContainText(/\d+:\d\d [AP]M UTC/);
    const minute = inZone("America/Denver").replace(/:\d\d ([AP]M).*/, " $1");
    await expect(page.getByRole("region", { name: "Revisions" }).getByText(minute).first()).toBeVisible();
    await expect(viewer.timeline).toHaveAttribute("aria-valuetext", new RegExp(inZone("America/Denver")));
    // The known storm is in Iowa.
    await dialogOf(page).getByRole("radio", { name: "Place" }).check();
    await expect(strip(page)).toContainText(inZone("America/Chicago"));
  });
});

test("the largest text fits a screen of 1024 by 640", async ({ page, viewer }) => {
  await page.setViewportSize({ width: 1024, height: 640 });
  await page.goto(station.origin);
  await viewer.expectSomethingDrawn();
  const sizeOf = () =>
    page.getByRole("heading", { name: "Echotop" }).evaluate((heading) => getComputedStyle(heading).fontSize);
  const before = Number.parseFloat(await sizeOf());
  await viewer.button("Settings").click();
  await dialogOf(page).getByRole("radio", { name: "Largest" }).check();
  await expect.poll(async () => Number.parseFloat(await sizeOf())).toBeCloseTo(before * 1.25, 1);
  const overflow = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth - window.innerWidth, scrollHeight - window.innerHeight];
  });
  expect(overflow).toEqual([0, 0]);
  for (const name of ["Play", "Newest revision", "Settings", "Export"])
    await expect(viewer.button(name)).toBeInViewport({ ratio: 1 });
});

test("panes of the last visit come back, unless the start is a new one", async ({ page, viewer }) => {
  await page.goto(station.origin);
  await viewer.expectSomethingDrawn();
  await viewer.button("Side by side").click();
  await expect(page.getByRole("region", { name: "Storm map, pane B" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("region", { name: "Storm map, pane B" })).toBeVisible();
  await viewer.button("Settings").click();
  await dialogOf(page).getByRole("checkbox", { name: "Start where I left off" }).uncheck();
  await page.reload();
  await expect(viewer.map).toHaveAttribute("data-sequence", /^\d+$/, { timeout: 30_000 });
  await expect(page.getByRole("region", { name: "Storm map, pane B" })).toBeHidden();
});

test("exported, reset and imported settings are the same; a hostile file changes nothing", async ({
  page,
  viewer,
}) => {
  await page.goto(station.origin);
  await viewer.expectSomethingDrawn();
  await viewer.button("Settings").click();
  const dialog = dialogOf(page);
  await dialog.getByRole("radio", { name: "12 hours" }).check();
  await dialog.getByRole("radio", { name: "nmi" }).check();
  await dialog.getByRole("button", { name: /^Key: Export/ }).click();
  await page.keyboard.press("x");
  const downloading = page.waitForEvent("download");
  await viewer.button("Export the settings to a file").click();
  const file = await (await downloading).path();
  const exported = await readFile(file, "utf8");

  await viewer.button("Reset all settings").click();
  await expect(dialog.getByRole("radio", { name: "24 hours" })).toBeChecked();
  await expect(dialog.getByRole("button", { name: /^Key: Export.*, E$/ })).toBeVisible();

  const choose = dialog.getByLabel("Settings file", { exact: true }).locator("input[type=file]");
  const bring = (text: string) =>
    choose.setInputFiles({ name: "mine.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await bring(exported.replace('"clockHours": 12', '"clockHours": 13'));
  await expect(
    dialog.getByText(/mine\.json was not imported: settings\.clockHours: .* Nothing was changed/),
  ).toBeVisible();
  await expect(dialog.getByRole("radio", { name: "24 hours" })).toBeChecked();

  await bring(exported);
  await expect(dialog.getByText("mine.json is imported.")).toBeVisible();
  await expect(dialog.getByRole("radio", { name: "12 hours" })).toBeChecked();
  await expect(dialog.getByRole("radio", { name: "nmi" })).toBeChecked();
  await expect(dialog.getByRole("button", { name: /^Key: Export.*, X$/ })).toBeVisible();
  const again = page.waitForEvent("download");
  await viewer.button("Export the settings to a file").click();
  expect(await readFile(await (await again).path(), "utf8")).toBe(exported);
});
