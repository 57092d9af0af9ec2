// The presenter's window beside the projector: two pages of one browser. It follows the projector, commands it, names
// what waits, asks before it leaves the picture, and says when there is no projector any more.
import { expect, type Locator, type Page } from "@playwright/test";
import { defaultPalette, stopColors } from "../../shared/products/palettes.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { findViolations } from "../support/find-violations.ts";
import { noEcho, observedAt, type KnownFile } from "../support/known-storm.ts";
import type { Station } from "../support/station.ts";
import { test } from "../support/viewer-test.ts";
import { shareOfColor, toRgb, type ViewerPage } from "../support/viewer-page.ts";

const colorOf40Dbz = stopColors(getProduct("mrms-reflectivity"), defaultPalette)[7]!;

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

interface Talk {
  readonly projector: Page;
  readonly presenter: Page;
  readonly steps: Locator;
}

/** Opens the presenter's window as a person does, by its button or its key, and starts the show. */
async function openPresenter(projector: Page, viewer: ViewerPage, by: "button" | "key"): Promise<Page> {
  const opened = projector.waitForEvent("popup");
  if (by === "button") {
    await viewer.button("Presenter window").click();
    await expect((await opened).getByRole("alert")).toContainText("Waiting for the briefing");
  }
  await viewer.button("Start").click();
  await expect(projector.getByRole("document", { name: /^Briefing, step 1/ })).toBeVisible();
  if (by === "key") await projector.keyboard.press("p");
  return opened;
}

/** Records two steps, the older window first, starts the show, and opens the presenter's window. */
async function startTalk(
  projector: Page,
  viewer: ViewerPage,
  station: Station,
  by: "button" | "key" = "key",
): Promise<Talk> {
  await ingestWindow(station, 0, 30);
  await ingestWindow(station, 1, 40);
  // A second screen, without which the notes would stand below the picture.
  await projector.addInitScript(() => {
    Object.defineProperty(window.screen, "isExtended", { get: () => true });
  });
  await projector.goto(station.origin);
  await viewer.expectDrawn(2);
  await viewer.button("Briefing mode").click();
  await viewer.button("Previous revision").click();
  await viewer.expectDrawn(1);
  const list = projector.getByRole("list", { name: "Steps" });
  for (const [title, sequence] of [
    ["Where it started", 1],
    ["Hail core over Norman", 2],
  ] as const) {
    if (sequence === 2) await viewer.button("Newest revision").click();
    await viewer.expectDrawn(sequence);
    await viewer.button("Add step").click();
    await expect(list.getByRole("listitem")).toHaveCount(sequence);
    await projector.getByRole("textbox", { name: "Title" }).fill(title);
    await projector.getByRole("textbox", { name: "Notes" }).fill(`Notes of step ${sequence}\n- slowly`);
  }
  const presenter = await openPresenter(projector, viewer, by);
  await presenter.setViewportSize({ width: 1280, height: 800 });
  const steps = presenter.getByRole("list", { name: "Steps" });
  await expect(steps.getByRole("listitem")).toHaveCount(2);
  return { projector, presenter, steps };
}

test("it follows the projector and commands it, and the picture comes along @core", async ({
  page,
  viewer,
  station,
}) => {
  const { projector, presenter, steps } = await startTalk(page, viewer, station);
  const shown = projector.getByRole("document", { name: /^Briefing/ });
  await expect(shown).toHaveAccessibleName("Briefing, step 1 of 2, Where it started");
  await expect(presenter.getByRole("heading", { name: "On the projector · step 1 of 2" })).toBeVisible();
  await expect(presenter.getByRole("heading", { name: "Next · 2 Hail core over Norman" })).toBeVisible();
  await expect(presenter.getByText("Notes of step 1")).toBeVisible();
  await expect(async () => {
    const next = presenter.getByRole("region", { name: "Next · 2 Hail core over Norman" });
    const pixels = toRgb(await next.screenshot());
    expect(shareOfColor(pixels, colorOf40Dbz, 40)).toBeGreaterThan(0.05);
  }).toPass({ timeout: 30_000 });
  const picture = presenter.getByRole("img", { name: "Map on the projector: Where it started" });
  await expect(picture).toBeVisible();
  const first = await picture.getAttribute("src");
  expect(await findViolations(presenter)).toEqual([]);

  await presenter.keyboard.press("PageDown");
  await expect(shown).toHaveAccessibleName("Briefing, step 2 of 2, Hail core over Norman");
  await expect(presenter.getByRole("heading", { name: "Next · this is the last step" })).toBeVisible();
  await expect(presenter.getByText("Notes of step 2")).toBeVisible();
  await expect(presenter.getByRole("img", { name: /Hail core over Norman/ })).not.toHaveAttribute(
    "src",
    first!,
  );
  await expect(steps.getByRole("button", { name: "2 Hail core over Norman" })).toHaveAttribute(
    "aria-current",
    "step",
  );
  await presenter.getByRole("button", { name: "Back" }).click();
  await expect(shown).toHaveAccessibleName("Briefing, step 1 of 2, Where it started");

  await presenter.getByRole("button", { name: "Black screen" }).click();
  await expect(presenter.getByText("The projector is black")).toBeVisible();
  await presenter.keyboard.press("b");
  await expect(presenter.getByText("The projector is black")).toHaveCount(0);
});

test("what arrives waits, a change of the window shown by name, and unfreezing asks first", async ({
  page,
  viewer,
  station,
}) => {
  const { presenter } = await startTalk(page, viewer, station, "button");
  const waiting = presenter.getByRole("region", { name: "Waiting, not on the projector" });
  await expect(waiting).toContainText("Nothing newer");
  await ingestWindow(station, 2, 50);
  await ingestWindow(station, 0, 55);
  await expect(presenter.getByRole("status").filter({ hasText: "Frozen" })).toContainText(
    "2 newer revisions wait",
  );
  await expect(waiting.getByRole("listitem").first()).toHaveText(/^4 · .*changes the window shown$/);
  await expect(waiting.getByRole("listitem").last()).toHaveText(/^3 · observed/);
  await viewer.expectDrawn(1);

  await presenter.keyboard.press("f");
  const question = presenter.getByRole("alertdialog", { name: "Unfreeze and jump to the newest?" });
  await expect(question).toBeVisible();
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(question).toHaveCount(0);
  await viewer.expectDrawn(1);
  await presenter.getByRole("button", { name: "Unfreeze" }).click();
  await question.getByRole("button", { name: "Unfreeze" }).click();
  await viewer.expectDrawn(3);
  await expect(presenter.getByText("Following the newest")).toBeVisible();
});

test("it says when the briefing was left, and when the projector's window is gone", async ({
  page,
  viewer,
  station,
}) => {
  const { projector, presenter } = await startTalk(page, viewer, station);
  await presenter.keyboard.press("Escape");
  await expect(presenter.getByRole("alertdialog", { name: "Leave the briefing?" })).toBeVisible();
  await presenter.keyboard.press("Escape");
  await expect(presenter.getByRole("alert")).toContainText("The briefing has ended");
  await expect(projector.getByRole("document", { name: /^Briefing/ })).toHaveCount(0);

  // The next show comes to the same window.
  await viewer.button("Start").click();
  await expect(presenter.getByRole("alert")).toHaveCount(0);
  await presenter.getByRole("button", { name: "Next" }).click();
  await expect(presenter.getByRole("heading", { name: "On the projector · step 2 of 2" })).toBeVisible();
  await projector.close();
  await expect(presenter.getByRole("alert")).toContainText("The projector does not answer", {
    timeout: 20_000,
  });
  await expect(presenter.getByText("Notes of step 2")).toBeVisible();
});
