// Stepping and playing the demonstration event by mouse and keyboard: in order of publication, complete pictures only.
import { expect } from "@playwright/test";
import { shareStation, test } from "../support/viewer-test.ts";

interface History {
  readonly frames: readonly { readonly sequence: number; readonly observedAt: string }[];
  readonly latestSequence: number;
}

async function readHistory(): Promise<History> {
  const answer = await fetch(`${demonstration.origin}/v1/storm-events/demonstration/revisions?limit=360`);
  return (await answer.json()) as History;
}

async function isComplete(): Promise<boolean> {
  const answer = await fetch(`${demonstration.origin}/v1/storm-events`);
  const { events } = (await answer.json()) as { events: readonly { id: string; status: string }[] };
  return events.some(({ id, status }) => id === "demonstration" && status === "complete");
}

const demonstration = shareStation(async (station) => {
  await station.start(["--demo"]);
  await expect.poll(isComplete, { timeout: 60_000 }).toBe(true);
});

test("the demonstration is labeled as synthetic everywhere @core", async ({ page, viewer }) => {
  await page.goto(demonstration.origin);
  await expect(viewer.events.getByRole("option", { name: /synthetic/i })).toBeVisible();
  await expect(page.getByText(/made by Echotop's own generator/).first()).toBeVisible();
});

test("the person's limit of the memory cache applies at once and is remembered", async ({ page, viewer }) => {
  await page.goto(demonstration.origin);
  await viewer.expectSomethingDrawn();
  await viewer.button("Sources and connection").click();
  const limit = page.getByRole("combobox", { name: "Limit of the memory cache" });
  await expect(limit).toHaveValue("");
  await limit.selectOption("128 MB");
  await expect(page.getByText(/\d frames, \d+ MB of 128 MB/)).toBeVisible();
  await page.reload();
  await viewer.expectSomethingDrawn();
  await viewer.button("Sources and connection").click();
  await expect(limit.getByRole("option", { selected: true })).toHaveText("128 MB");
  await expect(page.getByText(/\d frames, \d+ MB of 128 MB/)).toBeVisible();
});

test("steps and keys go through the revisions one by one @core", async ({ page, viewer }) => {
  const { latestSequence } = await readHistory();
  await page.goto(demonstration.origin);
  await viewer.expectSomethingDrawn();
  await viewer.timeline.focus();
  await viewer.timeline.press("End");
  await viewer.expectDrawn(latestSequence);
  await viewer.timeline.press("ArrowLeft");
  await viewer.expectDrawn(latestSequence - 1);
  await viewer.button("Next revision").click();
  await viewer.expectDrawn(latestSequence);
  await viewer.timeline.press("Home");
  await viewer.expectDrawn(1);
  await expect(viewer.button("Previous revision")).toBeDisabled();
  await expect(viewer.timeline).toHaveAttribute(
    "aria-valuetext",
    /1.*observed.*21:\d\d:\d\d UTC.*published/i,
  );
});

test("playback draws every revision in order and never shows an empty map @core", async ({
  page,
  viewer,
}) => {
  await page.goto(demonstration.origin);
  await viewer.expectSomethingDrawn();
  await viewer.timeline.focus();
  await viewer.timeline.press("Home");
  await viewer.expectDrawn(1);
  const drawn = viewer.watchDrawn(8);
  await viewer.button("Play").click();
  expect(await drawn).toEqual(["2", "3", "4", "5", "6", "7", "8", "9"]);
  await viewer.button("Pause").click();
  await expect(viewer.button("Play")).toBeVisible();
});

test("the late correction is marked and points back", async ({ page, viewer }) => {
  await page.goto(demonstration.origin);
  await viewer.expectSomethingDrawn();
  await expect(page.getByText("1 corrected frame")).toBeVisible();
  const { frames } = await readHistory();
  const late = frames.findIndex(
    ({ observedAt }, index) => observedAt < (frames[index - 1]?.observedAt ?? ""),
  );
  const corrected = frames.find(({ observedAt }) => observedAt === frames[late]!.observedAt)!;
  await viewer.timeline.focus();
  await viewer.timeline.press("Home");
  for (let step = 0; step < late; step += 1) await viewer.timeline.press("ArrowRight");
  await viewer.expectSelected(frames[late]!.sequence);
  await expect(viewer.timeline).toHaveAttribute(
    "aria-valuetext",
    new RegExp(`Late correction of revision ${corrected.sequence}`),
  );
  await expect(page.getByText(`Late correction of revision ${corrected.sequence}`).first()).toBeVisible();

  // The replaced picture says so, and one key flips between both.
  const shown = page.getByRole("region", { name: "What is shown" });
  await page.keyboard.press("r");
  await viewer.expectDrawn(corrected.sequence);
  await expect(shown).toContainText(/Corrected later, published \d\d:\d\d:\d\d UTC/);
  await page.keyboard.press("r");
  await viewer.expectDrawn(frames[late]!.sequence);
  await expect(shown).toContainText("Corrected once");
  await shown.getByRole("button", { name: `Show revision ${corrected.sequence} (R)` }).click();
  await viewer.expectDrawn(corrected.sequence);
  await expect(viewer.timeline).toHaveAttribute(
    "aria-valuetext",
    new RegExp(`replaced by revision ${frames[late]!.sequence}`),
  );

  // Only the arc of the frame on screen is drawn; it is followed by a press, and its mark by keys.
  const arc = page.locator(`[data-from="${corrected.sequence}"][data-to="${frames[late]!.sequence}"]`);
  await arc.dispatchEvent("click");
  await viewer.expectDrawn(frames[late]!.sequence);
  await viewer.timeline.press("Home");
  await viewer.expectDrawn(1);
  await expect(arc).toHaveCount(0);
  const mark = page.getByRole("group", { name: "Corrections" }).getByRole("button");
  await expect(mark).toHaveAccessibleName(
    new RegExp(`Revision ${frames[late]!.sequence}, .* of revision ${corrected.sequence}`),
  );
  await mark.focus();
  await expect(arc).toHaveCount(1);
  await page.keyboard.press("Enter");
  await viewer.expectDrawn(frames[late]!.sequence);
  await viewer.timeline.press("Home");
  await viewer.expectDrawn(1);
  await page.keyboard.press("]");
  await viewer.expectDrawn(frames[late]!.sequence);
});

test("playback goes by observed time, or as published", async ({ page, viewer }) => {
  const { frames } = await readHistory();
  const late = frames.findIndex(
    ({ observedAt }, index) => observedAt < (frames[index - 1]?.observedAt ?? ""),
  );
  const corrected = frames.findIndex(({ observedAt }) => observedAt === frames[late]!.observedAt);
  const sequenceAt = (index: number): string => String(frames[index]!.sequence);
  await page.goto(demonstration.origin);
  await viewer.expectSomethingDrawn();
  await viewer.timeline.focus();
  await viewer.timeline.press("Home");
  for (let step = 1; step < corrected; step += 1) await viewer.timeline.press("ArrowRight");
  await viewer.expectDrawn(frames[corrected - 1]!.sequence);
  const order = page.getByRole("radiogroup", { name: "Play by" });
  await expect(order.getByRole("radio", { name: "Observed time" })).toBeChecked();
  let drawn = viewer.watchDrawn(2);
  await viewer.button("Play").click();
  expect(await drawn).toEqual([sequenceAt(late), sequenceAt(corrected + 1)]);
  await viewer.button("Pause").click();

  await order.getByRole("radio", { name: "As published" }).check();
  await viewer.timeline.focus();
  await viewer.timeline.press("Home");
  for (let step = 1; step < late; step += 1) await viewer.timeline.press("ArrowRight");
  await viewer.expectDrawn(frames[late - 1]!.sequence);
  drawn = viewer.watchDrawn(2);
  await viewer.button("Play").click();
  expect(await drawn).toEqual([sequenceAt(late), sequenceAt(late + 1)]);
});
