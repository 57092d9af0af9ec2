// Every panel on every size of screen, from a zoom of 200 % to a projector: nothing runs off or has a bar to scroll
// sideways, the selected event stays in view, and the accessibility checker finds nothing.
import { expect, type Locator } from "@playwright/test";
import { ensureBuilt } from "../../electron/build/ensure-built.ts";
import { runCommand } from "../../electron/support/host-process.ts";
import { actionToken, Desk, deskLabel, openPart } from "../support/desk.ts";
import { findViolations } from "../support/find-violations.ts";
import { test } from "../support/viewer-test.ts";
import { needsDirectory } from "../support/station.ts";
import type { ViewerPage } from "../support/viewer-page.ts";

needsDirectory("Panels of actions; readers of a service refuse these.");

interface Size {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** True if the accessibility checker runs. */
  readonly isChecked?: true;
  /** The only part that is looked at. */
  readonly only?: string;
}

const story = "Story of a place";

/** In CSS pixels. The checker runs at two sizes only, because its findings hardly depend on size. */
const sizes: readonly [Size, ...Size[]] = [
  { name: "a zoom of 200 %", width: 640, height: 400, isChecked: true },
  { name: "a zoom of 150 %", width: 853, height: 533 },
  { name: "a small window", width: 1024, height: 640 },
  { name: "a laptop", width: 1280, height: 800, isChecked: true },
  // All rules of the style are those of the laptop, but the story is compact.
  { name: "a small projector", width: 1280, height: 720, only: story },
  { name: "a projector", width: 1920, height: 1080 },
];

/** Events without data, more than the list has room for on all but the largest screens. */
const otherEvents = 8;

let desk: Desk;

test.beforeAll(async () => {
  await ensureBuilt(["viewer", "places"]);
  desk = new Desk("every-panel");
  for (let count = 0; count < otherEvents; count++) await register(count);
  await desk.ingest(0, 30);
  await desk.ingest(0, 30, "mrms-mesh");
  await desk.ingest(1, 50);
  await desk.ingest(1, 20, "mrms-mesh");
  // A correction.
  await desk.ingest(1, 40);
  await desk.start();
});

test.afterAll(() => desk.close());

async function register(count: number): Promise<void> {
  const day = `202${count}-05-20`;
  const window = ["--start", `${day}T21:00:00Z`, "--end", `${day}T22:00:00Z`];
  const label = `A hailstorm with a name that is too long for one line, number ${count + 1}`;
  const args = ["register", "--data", desk.data, "--event", `other-${count}`, "--label", label, ...window];
  expect(await runCommand(args)).toMatchObject({ status: 0 });
}

interface Panel {
  readonly name: string;
  readonly open: (viewer: ViewerPage) => Promise<void>;
  /** For one that the next does not replace. */
  readonly close?: (viewer: ViewerPage) => Promise<void>;
  /** True if the list of events gives way to it. */
  readonly hidesEvents?: true;
}

/** Presses a key of the whole screen, whatever had the focus. */
async function pressKey({ page }: ViewerPage, key: string): Promise<void> {
  await page.keyboard.press("Escape");
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await page.keyboard.press(key);
}

async function expectPanes({ page }: ViewerPage, letters: readonly string[]): Promise<void> {
  for (const letter of letters) {
    const map = page.getByRole("region", { name: `Storm map, pane ${letter}` });
    await expect(map).toHaveAttribute("data-sequence", "5");
  }
}

/** Readings of one event, each in its place on the screen. */
const readings: readonly Panel[] = [
  {
    name: "What changed, with the filter",
    open: async (viewer) => {
      await pressKey(viewer, "c");
      await pressKey(viewer, "v");
      const region = viewer.page.getByRole("region", { name: "What changed" });
      await expect(region.getByRole("table")).not.toContainText("…");
    },
    close: async (viewer) => {
      await pressKey(viewer, "v");
      await pressKey(viewer, "c");
    },
  },
  {
    name: "Largest hail so far",
    open: async (viewer) => {
      await pressKey(viewer, "w");
      await expect(viewer.page.getByText(/^Largest hail so far · .* 2 of 2 windows used$/)).toBeVisible();
    },
    close: (viewer) => pressKey(viewer, "w"),
  },
  {
    name: "As known at",
    open: async (viewer) => {
      await pressKey(viewer, "k");
      await viewer.page.keyboard.press("ArrowLeft");
      await expect(viewer.button("Back to now").first()).toBeVisible();
    },
    close: (viewer) => viewer.button("Back to now").first().click(),
  },
  {
    name: story,
    open: async (viewer) => {
      const pinned = viewer.button("Story of the pinned places");
      if (await pinned.isVisible()) await pinned.click();
      else {
        await viewer.flyTo("Norman", /Norman/);
        await viewer.button("Pin Norman: its story").click();
      }
      const story = viewer.page.getByRole("region", { name: "Story of Norman" });
      await expect(story).toContainText("First 1 in or larger: observed 21:00");
    },
    close: (viewer) => viewer.button("Close the story").click(),
  },
  {
    name: "two panes",
    open: async (viewer) => {
      await pressKey(viewer, "m");
      await expectPanes(viewer, ["A", "B"]);
    },
    hidesEvents: true,
  },
  {
    name: "what changed beside two panes",
    open: async (viewer) => {
      await pressKey(viewer, "c");
      await pressKey(viewer, "l");
      const region = viewer.page.getByRole("region", { name: "What changed" });
      await expect(region.getByRole("table")).not.toContainText("…");
    },
    close: async (viewer) => {
      await pressKey(viewer, "c");
      await viewer.button("Layers of the active pane").click();
    },
    hidesEvents: true,
  },
  {
    name: "four panes",
    open: async (viewer) => {
      await pressKey(viewer, "m");
      await expectPanes(viewer, ["A", "B"]);
    },
    close: (viewer) => pressKey(viewer, "m"),
    hidesEvents: true,
  },
];

function toFlyout(name: string): Panel {
  return { name, open: (viewer) => viewer.button(name).click() };
}

/** A part that opens in its place, and stays open until its button is pressed again. */
function toDisclosure(name: string): Panel {
  return {
    name,
    open: async (viewer) => {
      await viewer.page.keyboard.press("Escape");
      await viewer.button(name).click();
    },
  };
}

function toSharePart(name: string): Panel {
  return {
    name,
    open: async (viewer) => {
      const panel = viewer.page.getByRole("region", { name: "Share", exact: true });
      if ((await panel.count()) === 0) await viewer.button("Share").click();
      await openPart(panel, name);
    },
  };
}

/** Each replaces the one before it, or closes. */
const panels: readonly Panel[] = [
  { name: "no panel", open: (viewer) => viewer.page.keyboard.press("Escape") },
  ...["Add events", "Replay, archive…"].map(toFlyout),
  ...["Briefing", "Packs", "Download", "Changes"].map(toSharePart),
  ...["Sharing", "Web server", "Redirects", "Explain"].map(toSharePart),
  ...["Sources and connection", "Keyboard"].map(toFlyout),
  ...["Sources and credits", "About Composite reflectivity", "Timeline details"].map(toDisclosure),
];

/** Describes what runs off the screen, or off the part of it that clips or scrolls it. */
function findRunaways(): string[] {
  const faults: string[] = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) faults.push(`The page is ${root.scrollWidth} px wide in ${innerWidth}`);
  if (root.scrollHeight > innerHeight)
    faults.push(`The page is ${root.scrollHeight} px high in ${innerHeight}`);
  const nameOf = (element: Element): string =>
    `${element.tagName} “${(element.getAttribute("aria-label") ?? element.textContent).slice(0, 40)}”`;
  const clips = (element: Element): boolean => getComputedStyle(element).overflowX !== "visible";
  const findClip = (element: Element): Element => {
    let part: Element = element;
    // A fixed part is over everything, and so is what it holds up to the first part that clips.
    while (part.parentElement && getComputedStyle(part).position !== "fixed") {
      part = part.parentElement;
      if (clips(part)) return part;
    }
    return root;
  };
  for (const element of document.querySelectorAll("body *:not(svg *)")) {
    const box = element.getBoundingClientRect();
    // Elements this narrow, and what they hold, are for screen readers only, or not shown.
    if (box.width <= 1 || !element.checkVisibility({ visibilityProperty: true })) continue;
    const clip = findClip(element).getBoundingClientRect();
    if (clip.width <= 1) continue;
    if (box.left < clip.left - 1 || box.right > clip.right + 1)
      faults.push(`${nameOf(element)} from ${box.left} to ${box.right} in ${clip.left} to ${clip.right}`);
    if (/auto|scroll/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth)
      faults.push(`${nameOf(element)} scrolls sideways`);
  }
  return faults;
}

/** Returns true if a press in its middle would reach the element. */
async function isUncovered(option: Locator): Promise<boolean> {
  return option.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
}

const settled = expect.configure({ soft: true }).poll;

for (const [kind, parts] of [
  ["panel", panels],
  ["reading", readings],
] as const) {
  test(`every ${kind} fits every screen, and has no accessibility fault`, async ({ page, viewer }) => {
    test.setTimeout(420_000);
    page.setDefaultTimeout(15_000);
    await page.setViewportSize(sizes[0]);
    await page.goto(`${desk.origin}/#token=${actionToken}`);
    await viewer.chooseEvent(deskLabel);
    await viewer.expectDrawn(5);
    await expect(viewer.events.getByRole("option")).toHaveCount(otherEvents + 1);
    const selected = viewer.events.getByRole("option", { selected: true });
    for (const size of sizes) {
      await test.step(size.name, async () => {
        await page.setViewportSize(size);
        for (const part of parts.filter(({ name }) => name === (size.only ?? name))) {
          await part.open(viewer);
          if (!part.hidesEvents) await expect.soft(selected).toBeInViewport({ ratio: 1 });
          // A map follows the size of its pane a moment later.
          await settled(() => page.evaluate(findRunaways), `${part.name}, ${size.name}`).toEqual([]);
          if (size.isChecked === true) expect.soft(await findViolations(page), part.name).toEqual([]);
          if (part.name === "no panel" || part.name === "Packs")
            expect.soft(await isUncovered(selected)).toBe(true);
          await part.close?.(viewer);
        }
      });
    }
  });
}
