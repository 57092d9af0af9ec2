// Watch rules and "Read the storm": a rule tells of a storm once, when the newest frame has it, and says so by the
// browser's own notices and speech, for which there are stand-ins.
import { expect, type Page } from "@playwright/test";
import { findViolations } from "../support/find-violations.ts";
import { observedAt, type Quadrants } from "../support/known-storm.ts";
import { test } from "../support/viewer-test.ts";
import type { Station } from "../support/station.ts";

const calm: Quadrants = { northWest: 20, northEast: 30, southWest: 25, southEast: 35 };
const strong: Quadrants = { ...calm, southEast: 65 };

declare global {
  interface Window {
    saidAloud?: string[];
    noticesShown?: string[];
  }
}

/** Keeps what the page says and shows through the browser. */
async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const [said, shown]: [string[], string[]] = [[], []];
    Object.assign(window, { saidAloud: said, noticesShown: shown });
    Object.defineProperty(window, "speechSynthesis", {
      value: { cancel: () => undefined, speak: ({ text }: { text: string }) => said.push(text) },
    });
    class Notice {
      static permission = "default";
      static requestPermission(): Promise<string> {
        Notice.permission = "granted";
        return Promise.resolve("granted");
      }
      constructor(_title: string, { body }: { body: string }) {
        shown.push(body);
      }
    }
    Object.defineProperty(window, "Notification", { value: Notice });
  });
}

const said = (page: Page) => page.evaluate(() => window.saidAloud ?? []);
const shown = (page: Page) => page.evaluate(() => window.noticesShown ?? []);

function publish(station: Station, minute: number, quadrants: Quadrants): Promise<unknown> {
  return station.ingestKnown("storm", [
    { product: "mrms-reflectivity", observedAt: observedAt(minute), quadrants },
  ]);
}

test("a rule tells a storm once: not for history, a backfill or a correction", async ({
  page,
  viewer,
  station,
}) => {
  test.setTimeout(180_000);
  await publish(station, 0, strong);
  await publish(station, 4, calm);
  await station.start();
  await listen(page);
  await page.goto(station.origin);
  await viewer.expectDrawn(2);
  await viewer.button("Watch rules").click();
  const dialog = page.getByRole("dialog", { name: "Watch rules" });
  await expect(dialog.getByText("None yet.")).toBeVisible();
  await dialog.getByRole("button", { name: "Add a rule" }).click();
  await dialog.getByRole("radio", { name: "Reflectivity" }).check();
  await dialog.getByRole("radio", { name: "Anywhere" }).check();
  await dialog.getByRole("checkbox", { name: "Desktop notice" }).check();
  await dialog.getByRole("checkbox", { name: "Spoken line" }).check();
  await dialog.getByRole("checkbox", { name: "Sound" }).uncheck();
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Watch", exact: true }).click();
  await expect(
    dialog.getByRole("checkbox", { name: "Reflectivity of 60 dBZ or more anywhere in the event" }),
  ).toBeChecked();

  // A backfill of minute 2 and a correction of minute 0 have the storm, but are not the newest.
  await publish(station, 2, strong);
  await viewer.expectDrawn(2);
  await expect(viewer.timeline).toHaveAttribute("aria-valuemax", "3");
  await publish(station, 0, { ...strong, northEast: 66 });
  await expect(viewer.timeline).toHaveAttribute("aria-valuemax", "4");

  await publish(station, 6, strong);
  const log = dialog.getByRole("log", { name: "Storms told" });
  await expect(log.getByRole("listitem")).toHaveText(
    /^Reflectivity of 65 to 65\.5 dBZ, .*, observed \d\d:\d\d UTC/,
  );
  await expect.poll(() => said(page)).toHaveLength(1);
  expect(await shown(page)).toEqual(await said(page));

  // The storm goes on: it is not told again.
  await publish(station, 8, strong);
  await viewer.expectDrawn(6);
  await publish(station, 10, calm);
  await viewer.expectDrawn(7);
  await expect(log.getByRole("listitem")).toHaveCount(1);
  expect(await said(page)).toHaveLength(1);

  // Off and on, edited, kept over a restart, removed.
  await dialog.getByRole("button", { name: /^Edit: Reflectivity/ }).click();
  await dialog.getByRole("combobox", { name: "From" }).selectOption("65 dBZ");
  await dialog.getByRole("checkbox", { name: "Quiet hours, local" }).check();
  await dialog.getByRole("button", { name: "Save the rule" }).click();
  await page.reload();
  await viewer.expectSomethingDrawn();
  await viewer.button("Watch rules").click();
  await expect(dialog.getByText("Reflectivity of 65 dBZ or more anywhere in the event")).toBeVisible();
  await expect(dialog.getByText("notice, spoken · quiet 22:00–06:00")).toBeVisible();
  await dialog.getByRole("button", { name: /^Remove: Reflectivity/ }).click();
  await expect(dialog.getByText("Reflectivity of 65 dBZ or more anywhere in the event")).toBeHidden();
});

test("the storm in view is read aloud and on screen", async ({ page, viewer, station }) => {
  await publish(station, 0, strong);
  await station.start();
  await listen(page);
  await page.goto(station.origin);
  await viewer.expectDrawn(1);
  await viewer.button("Read the storm").click();
  const words =
    "Highest reflectivity in view 65 to 65.5 dBZ, at Norman, observed 21:00 UTC, the newest frame of this event";
  const note = page.getByRole("status", { name: "Storm read aloud" });
  await expect(note).toHaveText(words);
  await expect.poll(() => said(page)).toEqual([words]);
  await note.getByRole("button", { name: "Close the words" }).click();
  await expect(note).toBeEmpty();
  await viewer.map.focus();
  await page.keyboard.press("h");
  await expect(note).toHaveText(words);
  expect(await findViolations(page)).toEqual([]);
});
