// Briefing mode: steps recorded from the map and kept by the host, and a show on a projector that only its presenter
// moves, whatever arrives meanwhile.
import { expect, type Locator, type Page } from "@playwright/test";
import { join } from "node:path";
import { StoredSteps } from "../../shared/views/briefing-steps.ts";
import { readPng } from "../../electron/platform/png/read.ts";
import { makeTemporaryDirectory, removeDirectory, runCommand } from "../../electron/support/host-process.ts";
import { startApp, type RunningApp } from "../support/app-process.ts";
import { observedAt, writeKnownFile } from "../support/known-storm.ts";
import { needsDirectory } from "../support/station.ts";
import { shareOfColor, type ViewerPage } from "../support/viewer-page.ts";
import { test } from "../support/viewer-test.ts";

needsDirectory("Readers of a service refuse actions.");

const stepCount = 8;

let directory: string;
let app: RunningApp;

/** Publishes one window; a window that is published again is corrected. */
async function publish(
  event: string,
  ...windows: readonly (readonly [window: number, dbz: number])[]
): Promise<void> {
  const paths = windows.map(([window, dbz]) =>
    writeKnownFile(directory, {
      product: "mrms-reflectivity",
      observedAt: observedAt(window),
      quadrants: { northWest: dbz, northEast: dbz + 5, southWest: dbz - 5, southEast: 20 },
    }),
  );
  const label = `Talk ${event}`;
  const data = join(directory, "data");
  const finished = await runCommand(["ingest", "--data", data, "--event", event, "--label", label, ...paths]);
  expect(finished).toMatchObject({ status: 0 });
}

test.beforeAll(async () => {
  directory = makeTemporaryDirectory("briefing-mode");
  const windows = Array.from({ length: stepCount }, (_, window) => [window, 30 + 2 * window] as const);
  await publish("played", ...windows);
  await publish("recorded", [0, 30], [1, 40]);
  app = await startApp(join(directory, "data"));
});

test.afterAll(async () => {
  expect(await app.stop()).toBe(0);
  removeDirectory(directory);
});

/** Returns the box around all pixels in which two screenshots differ; undefined if they are alike. */
function findDifference(before: Buffer, after: Buffer): Readonly<Record<string, number>> | undefined {
  const [first, second] = [before, after].map((png) => readPng(png, 4_000_000));
  const { widthPx } = first!.header;
  const channels = first!.samples.length / (widthPx * first!.header.heightPx);
  const points = [...first!.samples.keys()].filter((at) => first!.samples[at] !== second!.samples[at]);
  if (points.length === 0) return undefined;
  const columns = points.map((at) => Math.floor(at / channels) % widthPx);
  const rows = points.map((at) => Math.floor(at / channels / widthPx));
  const [least, most] = [
    (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b)),
    (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b)),
  ];
  return { left: least(columns), right: most(columns), top: least(rows), bottom: most(rows) };
}

const steps = (page: Page): Locator => page.getByRole("list", { name: "Steps" }).getByRole("listitem");

async function open(viewer: ViewerPage, event: string): Promise<void> {
  await viewer.page.goto(app.address);
  await viewer.chooseEvent(`Talk ${event}`);
  await viewer.expectSomethingDrawn();
  await viewer.button("Briefing mode").click();
}

async function addStep({ page }: ViewerPage, title: string): Promise<void> {
  const before = await steps(page).count();
  await page.getByRole("button", { name: "Add step" }).click();
  await expect(steps(page)).toHaveCount(before + 1);
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  await page.getByRole("textbox", { name: "Title" }).press("Enter");
  await expect(steps(page).last()).toContainText(title);
}

async function findStored(page: Page, event: string): Promise<string[]> {
  const answer = await page.request.get(`${app.origin}/app/events/${event}/steps`);
  return StoredSteps.parse(await answer.json()).document.steps.map(({ title }) => title);
}

test.describe("on a projector", () => {
  test.use({ viewport: { width: 1920, height: 1080 } });
  test.setTimeout(240_000);

  test("eight steps are played by a clicker, and nothing moves while revisions arrive", async ({
    viewer,
    page,
  }) => {
    await open(viewer, "played");
    await page.keyboard.press("Home");
    for (let step = 1; step <= stepCount; step++) {
      await viewer.expectDrawn(step);
      await addStep(viewer, `Window ${step}`);
      if (step < stepCount) await viewer.button("Next revision").click();
    }
    await page.getByRole("button", { name: "Start", exact: true }).click();

    const frozen = page.getByRole("status").filter({ hasText: "Frozen" });
    const expectStep = async (step: number): Promise<void> => {
      const name = `Briefing, step ${step} of ${stepCount}, Window ${step}`;
      await expect(page.getByRole("document", { name, exact: true })).toBeVisible();
      await expect(page).toHaveTitle(name);
      await viewer.expectDrawn(step);
    };
    /** Everything but the box that counts. */
    const look = (): Promise<Buffer> => page.screenshot({ mask: [frozen.locator("..")] });

    await expectStep(1);
    await expect(frozen).toHaveText("Frozen");
    await expect(page.getByRole("button", { name: "Freeze" })).toHaveAttribute("aria-pressed", "true");
    // The hints on keys are the one thing that goes by itself.
    await expect(page.getByRole("button", { name: "Freeze" }).locator("..")).toHaveCSS("opacity", "0", {
      timeout: 20_000,
    });
    const forward = ["ArrowRight", "PageDown", " "];
    for (let step = 2; step <= stepCount; step++) {
      await page.keyboard.press(forward[step % forward.length]!);
      await expectStep(step);
      if (step === 3 || step === stepCount) {
        const before = await look();
        const count = step === 3 ? 2 : 3;
        // A new window, and corrections of the one on the projector.
        await publish(
          "played",
          ...(step === 3
            ? ([
                [2, 55],
                [8, 50],
              ] as const)
            : ([[stepCount - 1, 60]] as const)),
        );
        await expect(frozen).toHaveText(`Frozen, ${count} newer revisions wait`);
        expect(findDifference(before, await look())).toBeUndefined();
      }
    }
    await page.keyboard.press("PageUp");
    await expectStep(7);
    await page.keyboard.press("ArrowLeft");
    await expectStep(6);

    // Keys of the viewer do nothing.
    const calm = await look();
    for (const key of ["1", "m", "n", "End", "+", "/", "Tab"]) await page.keyboard.press(key);
    expect(findDifference(calm, await look())).toBeUndefined();

    await page.keyboard.press("b");
    expect(shareOfColor(await viewer.readPixels({ x: 0, y: 0 }, 40), "#000000", 0)).toBe(1);
    await page.keyboard.press("PageDown");
    await expectStep(6);
    expect(findDifference(calm, await look())).toBeUndefined();

    await page.keyboard.press("f");
    await expect(page.getByRole("alert")).toContainText("Unfreeze and jump to the newest?");
    await viewer.expectDrawn(6);
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("alert")).toHaveCount(0);
    await expectStep(6);
    await page.keyboard.press("f");
    await page.keyboard.press("f");
    // The newest window; the last revision corrects an older one.
    await viewer.expectDrawn(10);
    await expect(page.getByRole("button", { name: "Freeze" })).toHaveAttribute("aria-pressed", "false");

    await page.keyboard.press("Escape");
    await expect(page.getByRole("alert")).toContainText("Leave the briefing?");
    await page.keyboard.press("x");
    await expect(page.getByRole("alert")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(viewer.timeline).toBeVisible();
    await viewer.expectDrawn(stepCount);
  });

  test("without steps the view on screen is the only one", async ({ viewer, page }) => {
    await open(viewer, "recorded");
    await viewer.expectDrawn(2);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await expect(page.getByRole("document", { name: /^Briefing, step 1 of 1, Talk recorded/ })).toBeVisible();
    await page.keyboard.press("p");
    await expect(page.getByRole("region", { name: "Notes" })).toContainText("Only one screen found");
  });
});

test("steps are recorded, edited, put in order and removed, and the host keeps them", async ({
  viewer,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(viewer, "recorded");
  for (const title of ["First", "Second", "Third"]) await addStep(viewer, title);
  await page.getByRole("textbox", { name: "Notes" }).fill("Two-inch line:\nthree minutes later");
  await page.getByRole("button", { name: "Move up: Third" }).click();
  await expect(steps(page)).toContainText(["First", "Third", "Second"]);
  await page.getByRole("button", { name: /^2\s*Third$/ }).press("Alt+ArrowUp");
  await expect(steps(page)).toContainText(["Third", "First", "Second"]);
  await page
    .getByRole("button", { name: /^3\s*Second$/ })
    .dragTo(page.getByRole("button", { name: /^1\s*Third$/ }));
  await expect(steps(page)).toContainText(["Second", "Third", "First"]);
  await expect.poll(() => findStored(page, "recorded")).toEqual(["Second", "Third", "First"]);

  await page.reload();
  await viewer.expectSomethingDrawn();
  await viewer.button("Briefing mode").click();
  await expect(steps(page)).toContainText(["Second", "Third", "First"]);
  await page.getByRole("button", { name: /^2\s*Third$/ }).click();
  await expect(page.getByRole("textbox", { name: "Notes" })).toHaveValue(
    "Two-inch line:\nthree minutes later",
  );
  await page.getByRole("textbox", { name: "Title" }).fill(" ");
  await expect(page.getByRole("alert")).toHaveText("A title must not be empty");
  await page.getByRole("textbox", { name: "Title" }).fill("Third, again");
  // Escape leaves the field, then closes the panel; what was typed is kept.
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^2\s*Third, again$/ })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(steps(page)).toHaveCount(0);
  await viewer.button("Briefing mode").click();
  await page.getByRole("button", { name: "Remove: Third" }).click();
  await page.getByRole("button", { name: "Keep", exact: true }).click();
  await expect(steps(page)).toHaveCount(3);
  await page.getByRole("button", { name: "Remove: Third, again" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(steps(page)).toContainText(["Second", "First"]);
  await expect.poll(() => findStored(page, "recorded")).toEqual(["Second", "First"]);
});

test("steps that somebody else has changed meanwhile are not overwritten unasked", async ({
  viewer,
  page,
  browser,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(viewer, "recorded");
  const other = await browser.newPage();
  await other.goto(app.address);
  await other.getByRole("option", { name: "Talk recorded" }).click();
  await expect(other.getByRole("region", { name: "Storm map" })).toHaveAttribute("data-sequence", /^\d+$/);
  await other.getByRole("button", { name: "Briefing mode" }).click();
  await expect(other.getByRole("button", { name: "Add step" })).toHaveAttribute("aria-disabled", "false");
  const first = await steps(page).count();
  await other.getByRole("button", { name: "Add step" }).click();
  await expect.poll(async () => (await findStored(page, "recorded")).length).toBe(first + 1);
  await other.close();

  await page.getByRole("button", { name: "Add step" }).click();
  await expect(page.getByText("These steps were changed elsewhere. Which list remains?")).toBeVisible();
  await page.getByRole("button", { name: "Show theirs" }).click();
  await expect(steps(page)).toHaveCount(first + 1);
});
