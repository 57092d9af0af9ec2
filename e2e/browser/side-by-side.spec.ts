// Storms side by side: two or four panes, moved together by what locks them, read by one crosshair; what they show is
// read from the page.
import { expect, type Locator, type Page } from "@playwright/test";
import { findViolations } from "../support/find-violations.ts";
import { noEcho, observedAt, type KnownFile } from "../support/known-storm.ts";
import type { Station } from "../support/station.ts";
import { shareStation, test } from "../support/viewer-test.ts";

/** One file a window, from `first` on. */
function toFiles(first: number, second: number, dbz: readonly number[]): KnownFile[] {
  return dbz.map((value, index) => ({
    product: "mrms-reflectivity",
    observedAt: observedAt(first + index, second),
    quadrants: { northWest: value, northEast: value, southWest: value, southEast: noEcho },
  }));
}

/** West: windows 0 to 4, onset in window 2. East: windows 2 to 7, onset in window 3. */
async function ingestStorms(station: Station): Promise<void> {
  await station.ingestKnown("west", toFiles(0, 40, [20, 30, 45, 50, 55]), ["--label", "West"]);
  await station.ingestKnown("east", toFiles(2, 20, [20, 42, 48, 52, 56, 60]), ["--label", "East"]);
  await station.start();
}

test.use({ viewport: { width: 1280, height: 800 } });

const storms = shareStation(ingestStorms);

class Panes {
  readonly page: Page;
  readonly lock: Locator;
  readonly meaning: Locator;

  constructor(page: Page) {
    this.page = page;
    this.lock = page.getByRole("radiogroup", { name: "Locked by" });
    this.meaning = page.getByRole("status", { name: "Lock" });
  }

  pane(letter: string): Locator {
    return this.page.getByRole("region", { name: new RegExp(`^Pane ${letter}, `) });
  }

  strip(letter: string): Locator {
    return this.page.getByRole("region", { name: `What is shown, pane ${letter}` });
  }

  map(letter: string): Locator {
    return this.page.getByRole("region", { name: `Storm map, pane ${letter}` });
  }

  async lockBy(name: string): Promise<void> {
    await this.lock.getByRole("radio", { name }).check();
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole("button", { name, exact: true }).click();
  }

  /** Waits until each pane has drawn its sequence, and shows the time of its picture. */
  async expectShown(
    shown: Readonly<Record<string, readonly [sequence: number, clock: string]>>,
  ): Promise<void> {
    for (const [letter, [sequence, clock]] of Object.entries(shown)) {
      await expect(this.map(letter)).toHaveAttribute("data-sequence", String(sequence), { timeout: 30_000 });
      await expect(this.strip(letter)).toContainText(`${clock} UTC`);
    }
  }
}

/** Opens West alone, then West and East side by side. */
async function openBoth(page: Page, station: Station = storms): Promise<Panes> {
  const panes = new Panes(page);
  await page.goto(station.origin);
  await page.getByRole("option", { name: "West" }).click();
  await expect(page.getByRole("region", { name: "Storm map" })).toHaveAttribute("data-sequence", "5", {
    timeout: 30_000,
  });
  await panes.press("Side by side");
  await expect(panes.pane("B")).toHaveAccessibleName("Pane B, West");
  await page.getByRole("combobox", { name: "Event of pane B" }).selectOption({ label: "East" });
  await expect(panes.pane("B")).toHaveAccessibleName("Pane B, East");
  await panes.press("Same place");
  // The person's last press was in pane B; the first pane leads again.
  await panes.page.getByRole("slider", { name: "Timeline of pane A" }).focus();
  return panes;
}

test("two storms are locked by time, by number, by onset or not at all, and say so @core", async ({
  page,
}) => {
  const panes = await openBoth(page);
  await expect(panes.map("A")).toHaveAttribute("data-pane", "A");
  await panes.lockBy("Observed time");
  await panes.press("Previous revision");
  await panes.expectShown({ A: [4, "21:06:40"], B: [2, "21:06:20"] });
  await expect(panes.meaning).toHaveText("observed 21:06 UTC in both");

  // East has nothing before 21:04: it keeps its picture, and says why.
  await panes.press("Previous revision");
  await panes.expectShown({ A: [3, "21:04:40"], B: [1, "21:04:20"] });
  await panes.press("Previous revision");
  await panes.expectShown({ A: [2, "21:02:40"], B: [1, "21:04:20"] });
  await expect(panes.strip("B")).toContainText("B begins at 21:04 UTC, 20 May 2024");
  await expect(panes.pane("B")).toHaveAttribute("data-missing", "true");

  await panes.lockBy("Sequence");
  await panes.expectShown({ A: [2, "21:02:40"], B: [2, "21:06:20"] });
  await expect(panes.meaning).toHaveText("revision 2 in both");

  await panes.lockBy("Time since onset");
  await panes.expectShown({ A: [2, "21:02:40"], B: [1, "21:04:20"] });
  await expect(panes.meaning).toHaveText("2 min before onset");
  await expect(page.getByText("A 21:04 (40 dBZ) · B 21:06 (40 dBZ)")).toBeVisible();
  await page.keyboard.press("Escape");
  await panes.press("Next revision");
  await panes.press("Next revision");
  await panes.press("Next revision");
  await panes.expectShown({ A: [5, "21:08:40"], B: [4, "21:10:20"] });
  await expect(panes.meaning).toHaveText("4 min after onset");
  await expect(panes.strip("B")).toContainText("4 min after onset");

  await panes.lockBy("Off");
  await panes.press("Previous revision");
  await panes.expectShown({ A: [4, "21:06:40"], B: [4, "21:10:20"] });
  await expect(panes.meaning).toHaveText("arrows move pane A only");
});

test("a row of the timeline steps its pane, and the others follow it", async ({ page }) => {
  const panes = await openBoth(page);
  const row = page.getByRole("slider", { name: "Timeline of pane B" });
  await row.press("End");
  await expect(row).toHaveAttribute("aria-valuetext", "Revision 6; observed 21:14:20 UTC");
  // West ended six minutes before: its last picture still stands, with the gap.
  await panes.expectShown({ A: [5, "21:08:40"], B: [6, "21:14:20"] });
  await expect(panes.strip("A")).toContainText("5 min 40 s earlier");
  await row.press("Home");
  await panes.expectShown({ A: [3, "21:04:40"], B: [1, "21:04:20"] });
  const box = (await row.boundingBox())!;
  await row.click({ position: { x: box.width - 2, y: box.height / 2 } });
  await panes.expectShown({ A: [5, "21:08:40"], B: [6, "21:14:20"] });
});

test("four panes by keys: lock, lead, what was known, play, and one crosshair", async ({ page }) => {
  const panes = new Panes(page);
  await page.goto(storms.origin);
  await page.getByRole("option", { name: "West" }).click();
  await expect(page.getByRole("region", { name: "Storm map" })).toHaveAttribute("data-sequence", "5", {
    timeout: 30_000,
  });
  await page.getByRole("region", { name: "Storm map" }).focus();
  await page.keyboard.press("m");
  await expect(panes.pane("B")).toBeVisible();
  await page.keyboard.press("m");
  await panes.expectShown({ A: [5, "21:08:40"], B: [5, "21:08:40"], C: [5, "21:08:40"], D: [5, "21:08:40"] });
  await expect(panes.meaning).toHaveText("observed 21:08:40 UTC in all four");

  await page.keyboard.press("F6");
  await expect(panes.map("B")).toBeFocused();
  await expect(panes.pane("B")).toHaveAttribute("data-active", "true");
  await page.keyboard.press("j");
  await expect(panes.lock.getByRole("radio", { name: "Sequence" })).toBeChecked();
  await page.keyboard.press("Home");
  await panes.expectShown({ A: [1, "21:00:40"], B: [1, "21:00:40"], C: [1, "21:00:40"], D: [1, "21:00:40"] });

  // The crosshair of pane B reads all four panes at one place.
  await page.keyboard.press("ArrowRight");
  for (const letter of ["A", "B", "C", "D"])
    await expect(panes.pane(letter).locator(".probe-where")).toContainText(/\d N .* W/);
  const places = await Promise.all(
    ["A", "B", "C", "D"].map((letter) => panes.pane(letter).locator(".probe-where").textContent()),
  );
  expect(new Set(places.map((place) => /[\d.]+ N [\d.]+ W/.exec(place ?? "")?.[0])).size).toBe(1);

  // Pane D as it was known at sequence 2.
  await page.getByRole("button", { name: "Pane D: as known now" }).click();
  const known = page.getByRole("slider", { name: "As known at" });
  await known.press("Home");
  await known.press("ArrowRight");
  await expect(known).toHaveValue("2");
  await expect(panes.map("D")).toHaveAttribute("data-known-at", "2");
  await expect(panes.map("A")).not.toHaveAttribute("data-known-at");
  await page.keyboard.press("Escape");
  await expect(known).toHaveCount(0);
  expect(await findViolations(page)).toEqual([]);
  await panes.pane("D").getByRole("button", { name: "Back to now, pane D" }).press("Enter");
  await expect(panes.map("D")).not.toHaveAttribute("data-known-at");
  // K leads to the slider of the pane that leads.
  await page.keyboard.press("k");
  await expect(known).toBeFocused();
  await expect(page.getByRole("region", { name: "As known at, pane D" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(known).toHaveCount(0);

  // The loop steps all of them together.
  await page.getByRole("slider", { name: "Timeline of pane A" }).focus();
  await page.keyboard.press("Home");
  await panes.expectShown({ A: [1, "21:00:40"], D: [1, "21:00:40"] });
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(panes.map("A")).toHaveAttribute("data-sequence", /[2-5]/, { timeout: 30_000 });
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  const clock = /[\d:]+ UTC/.exec((await panes.strip("A").textContent())!)![0];
  for (const letter of ["B", "C", "D"]) await expect(panes.strip(letter)).toContainText(clock);
});

test("leaving the comparison restores the single view", async ({ page, viewer }) => {
  await page.goto(storms.origin);
  await viewer.chooseEvent("West");
  await viewer.expectDrawn(5);
  await viewer.button("Previous revision").click();
  await viewer.expectDrawn(4);
  const scale = page.getByRole("img", { name: /^Scale: / });
  const before = await scale.getAttribute("aria-label");
  const panes = new Panes(page);
  await panes.press("Side by side");
  await expect(page.getByRole("listbox", { name: "Storm events" })).toBeHidden();
  await page.getByRole("combobox", { name: "Event of pane A" }).selectOption({ label: "East" });
  await panes.expectShown({ A: [6, "21:14:20"] });
  await page.getByRole("combobox", { name: "Event of pane A" }).selectOption({ label: "West" });
  await panes.expectShown({ A: [5, "21:08:40"] });
  await panes.press("Side by side");
  await expect(panes.lock).toHaveCount(0);
  await viewer.expectDrawn(4);
  await expect(viewer.events.getByRole("option", { name: "West" })).toHaveAttribute("aria-selected", "true");
  await expect(scale).toHaveAttribute("aria-label", before!);
  await expect(viewer.map).not.toHaveAttribute("data-pane");
});

test("a correction that arrives moves nothing, and is told in its pane's row", async ({ page, station }) => {
  await ingestStorms(station);
  const panes = await openBoth(page, station);
  await panes.press("Previous revision");
  await panes.expectShown({ A: [4, "21:06:40"], B: [2, "21:06:20"] });
  await station.ingestKnown("east", toFiles(3, 20, [58]), ["--label", "East"]);
  const told = page.getByText("Revision 7 corrects 21:06");
  await expect(told).toHaveCount(1, { timeout: 15_000 });
  await panes.expectShown({ A: [4, "21:06:40"], B: [2, "21:06:20"] });
  await page.getByRole("button", { name: "Show revision 7 in pane B" }).click();
  await panes.expectShown({ A: [4, "21:06:40"], B: [7, "21:06:20"] });
});

test("panes fit every screen, and have no accessibility fault", async ({ page }) => {
  test.setTimeout(240_000);
  const panes = await openBoth(page);
  const counts = page.getByRole("radiogroup", { name: "Panes", exact: true });
  for (const [width, height] of [
    [1280, 800],
    [1024, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const [name, last] of [
      ["Four panes", "D"],
      ["Two panes", "B"],
    ] as const) {
      await counts.getByRole("radio", { name }).check();
      await expect(panes.map(last)).toHaveAttribute("data-sequence", /\d/, { timeout: 30_000 });
      expect.soft(await findViolations(page), `${name}, ${width}`).toEqual([]);
      expect
        .soft(await page.evaluate(() => [document.body.scrollWidth, document.body.scrollHeight]))
        .toEqual([width, height]);
    }
  }
  // Two of four on a narrow screen, one above the other, with a switch.
  await page.setViewportSize({ width: 900, height: 700 });
  await counts.getByRole("radio", { name: "Four panes" }).check();
  await expect(panes.pane("C")).toHaveCount(0);
  await page.getByRole("radiogroup", { name: "Panes shown" }).getByRole("radio", { name: "C D" }).check();
  await expect(panes.map("D")).toHaveAttribute("data-sequence", /\d/, { timeout: 30_000 });
  await expect(panes.pane("A")).toHaveCount(0);
  const [upper, lower] = [await panes.pane("C").boundingBox(), await panes.pane("D").boundingBox()];
  expect(lower!.y).toBeGreaterThan(upper!.y + upper!.height - 1);
});
