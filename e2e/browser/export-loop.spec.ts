// Loops saved from the dialog Export, read by other programs: the frames of playback with their words, none skipped.
import { createHash } from "node:crypto";
import { expect, type Download, type Page } from "@playwright/test";
import { defaultPalette, stopColors, toRgba } from "../../shared/products/palettes.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { observedAt, type Quadrants } from "../support/known-storm.ts";
import {
  noAnimationReader,
  noVideoReader,
  readAnimation,
  readVideo,
  type ReadLoop,
} from "../support/loop-files.ts";
import { SavedPicture } from "../support/saved-picture.ts";
import type { ViewerPage } from "../support/viewer-page.ts";
import { shareStation, test } from "../support/viewer-test.ts";

test.use({ viewport: { width: 1280, height: 800 } });
// A frame takes a second or more where the browser draws without a GPU on a busy machine.
test.setTimeout(240_000);

const dbzColors = stopColors(getProduct("mrms-reflectivity"), defaultPalette);
const colorOfDbz = (dbz: number): string => dbzColors[Math.floor(dbz / 5) - 1]!;

const steps: readonly { readonly window: number; readonly quadrants: Quadrants }[] = [
  { window: 0, quadrants: { northWest: 22, northEast: 37, southWest: 52, southEast: 42 } },
  { window: 1, quadrants: { northWest: 37, northEast: 52, southWest: 42, southEast: 22 } },
  // Window 2 never came.
  { window: 3, quadrants: { northWest: 52, northEast: 42, southWest: 22, southEast: 37 } },
  { window: 4, quadrants: { northWest: 42, northEast: 22, southWest: 37, southEast: 52 } },
];

const known = shareStation(async (station) => {
  for (const { window, quadrants } of steps)
    await station.ingestKnown("known", [toFile(window, quadrants)], label);
  await station.start();
});

const label = ["--label", "Known storm"];

function toFile(window: number, quadrants: Quadrants) {
  return { product: "mrms-reflectivity" as const, observedAt: observedAt(window), quadrants };
}

const demonstration = shareStation(async (station) => {
  await station.start(["--demo"]);
  await expect
    .poll(async () => (await readHistory(station.origin)).isComplete, { timeout: 60_000 })
    .toBe(true);
});

async function readHistory(origin: string) {
  const events = (await (await fetch(`${origin}/v1/storm-events`)).json()) as {
    events: readonly { id: string; status: string }[];
  };
  const history = (await (
    await fetch(`${origin}/v1/storm-events/demonstration/revisions?limit=360`)
  ).json()) as { frames: readonly { sequence: number; revisionId: string; observedAt: string }[] };
  return {
    frames: history.frames,
    isComplete: events.events.some(({ id, status }) => id === "demonstration" && status === "complete"),
  };
}

async function openDialog(page: Page, size = "This window"): Promise<void> {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Export" });
  await dialog.getByRole("radio", { name: size }).check();
}

async function chooseFormat(page: Page, name: string): Promise<void> {
  const formats = page.getByRole("radiogroup", { name: "Format of the loop" });
  await formats.getByRole("radio", { name, exact: true }).check();
}

/** Saves the loop and returns the path of the file. Fails at once, with the words on screen, if it is not saved. */
async function saveLoop(page: Page, format: string): Promise<string> {
  await chooseFormat(page, format);
  const download = page.waitForEvent("download", { timeout: 0 });
  await page.getByRole("button", { name: "Save loop" }).click();
  const refusal = page.locator(".loop-note.bad");
  const saved = await Promise.race([download, refusal.textContent({ timeout: 0 })]);
  if (saved === null || typeof saved === "string") throw new Error(`The loop was not saved: ${saved}`);
  return await keep(saved);
}

async function keep(download: Download): Promise<string> {
  const path = test.info().outputPath(download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

/** Names of the files that the page keeps of loops. */
function listKept(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const names = [];
    const folder = await root.getDirectoryHandle("loops", { create: true });
    for await (const name of folder.keys()) names.push(name);
    return names;
  });
}

async function openAtNorman(viewer: ViewerPage): Promise<void> {
  await viewer.page.emulateMedia({ reducedMotion: "reduce" });
  await viewer.page.goto(known.origin);
  await viewer.expectDrawn(steps.length);
  await viewer.flyTo("Norman, Oklahoma", /^Norman/);
  const opacity = viewer.page.getByRole("slider", { name: "Opacity of Composite reflectivity" });
  await opacity.focus();
  await opacity.press("End");
}

/** Returns the share of a quadrant's pixels, near the middle of the frame, within `tolerance` of a color. */
function shareOf(
  loop: ReadLoop,
  frame: Buffer,
  quadrant: keyof Quadrants,
  color: string,
  tolerance: number,
): number {
  const [down, across] = { northWest: [-1, -1], northEast: [-1, 1], southWest: [1, -1], southEast: [1, 1] }[
    quadrant
  ];
  const wanted = toRgba(color);
  let near = 0;
  const sizePx = 30;
  for (let y = 0; y < sizePx; y++) {
    for (let x = 0; x < sizePx; x++) {
      const row = Math.round(loop.heightPx / 2 + (down! * loop.heightPx) / 8 + y - sizePx / 2);
      const column = Math.round(loop.widthPx / 2 + (across! * loop.heightPx) / 8 + x - sizePx / 2);
      const at = 3 * (row * loop.widthPx + column);
      if ([0, 1, 2].every((channel) => Math.abs(frame[at + channel]! - wanted[channel]!) <= tolerance))
        near++;
    }
  }
  return near / sizePx ** 2;
}

/** Returns the size of the frames: that of the map in even numbers, or 1080p. */
async function toPixels(viewer: ViewerPage, size: string) {
  if (size === "1080p") return { widthPx: 1920, heightPx: 1080 };
  const { width, height } = (await viewer.map.boundingBox())!;
  return { widthPx: width - (width % 2), heightPx: height - (height % 2) };
}

const formats = [
  { name: "MP4", size: "1080p", codec: "h264", tolerance: 8, missing: noVideoReader, read: readVideo },
  { name: "WebM", size: "This window", codec: "vp9", tolerance: 10, missing: noVideoReader, read: readVideo },
  {
    name: "GIF",
    size: "This window",
    codec: "GIF",
    tolerance: 0,
    missing: noAnimationReader,
    read: readAnimation,
  },
  {
    name: "WebP",
    size: "This window",
    codec: "WEBP",
    tolerance: 0,
    missing: noAnimationReader,
    read: readAnimation,
  },
] as const;

for (const { name, size, codec, tolerance, missing, read } of formats) {
  test(`a loop as ${name} has the frames of playback, with a frame for the missing window`, async ({
    page,
    viewer,
  }) => {
    test.skip(missing !== undefined, missing);
    await openAtNorman(viewer);
    await openDialog(page, size);
    await expect(page.getByText("4 revisions, 1 gap · 3 s at 4 a second")).toBeVisible();
    const loop = await read(await saveLoop(page, name));

    expect(loop).toMatchObject({ format: codec, ...(await toPixels(viewer, size)) });
    expect(loop.durationMs).toBeCloseTo(4 * 250 + 1500, 0);
    expect(loop.frames).toHaveLength(steps.length + 1);
    const [first, second, gap, third, fourth] = loop.frames;
    for (const [index, frame] of [first!, second!, third!, fourth!].entries()) {
      const { quadrants } = steps[index]!;
      for (const quadrant of ["northWest", "northEast", "southWest", "southEast"] as const) {
        const share = shareOf(loop, frame, quadrant, colorOfDbz(quadrants[quadrant]), tolerance);
        expect(share, `${quadrant} of frame ${index}`).toBeGreaterThan(0.7);
        const inGap = shareOf(loop, gap!, quadrant, colorOfDbz(quadrants[quadrant]), tolerance);
        expect(inGap, `${quadrant} of the gap`).toBeLessThan(0.1);
      }
    }
    expect(loop.words).toContain("no revision observed 2024-05-20T21:04:00.000Z to 2024-05-20T21:06:00.000Z");
    expect(loop.words).toContain("not a warning source");
    expect(loop.words).toContain("NOAA/NSSL MRMS");
  });
}

for (const { name, missing, read } of [formats[0], formats[2]]) {
  test(`a loop of the demonstration as ${name} says that it is synthetic and names each revision`, async ({
    page,
    viewer,
  }) => {
    test.skip(missing !== undefined, missing);
    await page.goto(demonstration.origin);
    await viewer.expectSomethingDrawn();
    await page.getByRole("radio", { name: "30 min", exact: true }).check();
    await page.getByRole("radio", { name: "15 frames per second" }).check();
    await openDialog(page);
    const path = await saveLoop(page, name);
    const loop = await read(path);

    const { frames } = await readHistory(demonstration.origin);
    const newestMs = Math.max(...frames.map((frame) => Date.parse(frame.observedAt)));
    const shown = frames.filter((frame) => Date.parse(frame.observedAt) >= newestMs - 30 * 60_000);
    // Each window is played once, at its newest revision.
    const sequences = [
      ...new Map(shown.map((frame) => [Math.floor(Date.parse(frame.observedAt) / 120_000), frame])).values(),
    ];
    expect(loop.frames).toHaveLength(sequences.length);
    expect(new Set(loop.frames.map((frame) => createHash("sha256").update(frame).digest("hex"))).size).toBe(
      sequences.length,
    );
    for (const { revisionId } of sequences) expect(loop.words).toContain(revisionId);
    expect(loop.words).toContain("Synthetic: these storms never happened");
    expect(loop.words).toContain("Echotop demonstration generator");
    await expect(
      page.getByRole("status").filter({ hasText: "Saved echotop-demonstration-rev" }),
    ).toBeVisible();
  });
}

test("the frames of a loop have the pixels of the map on screen", async ({ page, viewer }) => {
  test.skip(noAnimationReader !== undefined, noAnimationReader);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(demonstration.origin);
  await viewer.expectSomethingDrawn();
  // A picture of this size is laid out in as many CSS pixels, and so shows what the screen shows.
  const size = { width: 1200, height: 700 };
  const box = (await viewer.map.boundingBox())!;
  const { width, height } = page.viewportSize()!;
  await page.setViewportSize({
    width: width + size.width - box.width,
    height: height + size.height - box.height,
  });
  await expect.poll(() => viewer.map.boundingBox()).toMatchObject(size);
  // Where names fit depends on which ones were there before: on screen, those of the size before.
  await page.getByRole("button", { name: "Map options" }).click();
  await page.getByRole("checkbox", { name: "Cities and towns" }).uncheck();
  await page.keyboard.press("Escape");
  await page.getByRole("radio", { name: "30 min", exact: true }).check();
  const [picture] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("s")]);
  const still = await SavedPicture.of(picture);
  await openDialog(page);
  const { frames } = await readAnimation(await saveLoop(page, "WebP"));

  // Away from the words, which differ by the time at which they were drawn.
  const [left, top, widthPx, heightPx] = [100, 160, 1000, 400];
  const screen = still.read(left, top, widthPx, heightPx);
  const countOther = (frame: Buffer): number =>
    screen.filter((pixel, index) => {
      const at = 3 * ((top + Math.floor(index / widthPx)) * size.width + left + (index % widthPx));
      return pixel.some((value, channel) => Math.abs(frame[at + channel]! - value) > 2);
    }).length;
  // The GPU counts cells in 32 bits: one whose edge runs through the center of a pixel may be drawn there or not.
  expect(countOther(frames.at(-1)!)).toBeLessThan(10);
  expect(countOther(frames[0]!)).toBeGreaterThan(1000);
});

test("Cancel stops the saving and leaves no file", async ({ page, viewer }) => {
  let downloads = 0;
  page.on("download", () => downloads++);
  await page.goto(demonstration.origin);
  await viewer.expectSomethingDrawn();
  await openDialog(page);
  await chooseFormat(page, "GIF");
  await page.getByRole("button", { name: "Save loop" }).click();
  // The first picture of a map off screen takes a while without a graphics card.
  const begun = page.getByRole("progressbar", { name: /^Saving loop, [1-9]/ });
  await expect(begun).toBeVisible({ timeout: 60_000 });
  await page.getByRole("button", { name: "Cancel saving the loop" }).click();
  await expect(page.getByRole("button", { name: "Save loop" })).toBeVisible();
  await expect.poll(() => listKept(page)).toEqual([]);
  expect(downloads).toBe(0);
});

test("the saving goes on with the dialog closed, as a task of the left panel", async ({ page, viewer }) => {
  await page.goto(demonstration.origin);
  await viewer.expectSomethingDrawn();
  await openDialog(page);
  await chooseFormat(page, "WebP");
  const download = page.waitForEvent("download", { timeout: 0 });
  await page.getByRole("button", { name: "Save loop" }).click();
  await expect(page.getByRole("button", { name: "Cancel saving the loop" })).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();
  const task = page.getByRole("group", { name: "Saving loop" });
  await expect(task.getByRole("status")).toHaveText(/\d+ of 31 · about \d+ s left/);
  expect((await download).suggestedFilename()).toBe("echotop-demonstration-rev1-32.webp");
  await expect(task.getByRole("status")).toHaveText(/^Saved echotop-demonstration-rev1-32\.webp · \d/);
  await task.getByRole("button", { name: "Dismiss message" }).click();
  await expect(task).toBeHidden();
});

test("a revision that arrives meanwhile does not change the frames @core", async ({
  page,
  viewer,
  station,
}) => {
  test.skip(noAnimationReader !== undefined, noAnimationReader);
  for (const { window, quadrants } of steps)
    await station.ingestKnown("growing", [toFile(window, quadrants)]);
  await station.start();
  await page.goto(station.origin);
  await viewer.expectDrawn(4);
  await openDialog(page);
  await chooseFormat(page, "GIF");
  // The first file of the program that compresses waits until the revision is there.
  const { promise: arrived, resolve: release } = Promise.withResolvers<undefined>();
  await page.route("**/animation-worker*", async (route) => {
    await arrived;
    await route.continue();
  });
  const download = page.waitForEvent("download", { timeout: 0 });
  await page.getByRole("button", { name: "Save loop" }).click();
  await expect(page.getByRole("progressbar", { name: "Saving loop, 0 of 5" })).toBeVisible();
  await station.ingestKnown("growing", [toFile(2, steps[0]!.quadrants)]);
  await expect(viewer.timeline).toHaveAttribute("aria-valuemax", "5");
  await expect(page.getByText("made before revision 5")).toBeVisible();
  release(undefined);
  const loop = await readAnimation(await keep(await download));
  expect(loop.frames).toHaveLength(steps.length + 1);
  expect(loop.words).toContain("before revision 5");
  await expect(page.getByRole("status").filter({ hasText: "Saved" })).toHaveText(/made before revision 5$/);
});

test("a format that the browser cannot encode is off, with the reason", async ({ page, viewer }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "VideoEncoder");
  });
  await page.goto(known.origin);
  await viewer.expectSomethingDrawn();
  await openDialog(page, "1080p");
  for (const name of ["MP4", "WebM"]) {
    const format = page.getByRole("radio", { name, exact: true });
    await expect(format).toBeDisabled();
    const reason = page.getByTitle(`This browser cannot encode ${name} of 1920 × 1080 pixels`);
    await expect(reason.filter({ hasText: name })).toBeVisible();
  }
  await expect(page.getByRole("button", { name: "Save loop" })).toBeDisabled();
  await chooseFormat(page, "GIF");
  await expect(page.getByText("colors are reduced; not for measuring")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save loop" })).toBeEnabled();
});

test("a full disk is said in a sentence, and nothing is left of the file", async ({ page, viewer }) => {
  await page.addInitScript(() => {
    FileSystemWritableFileStream.prototype.write = () =>
      Promise.reject(new DOMException("The disk is full.", "QuotaExceededError"));
  });
  await page.goto(known.origin);
  await viewer.expectSomethingDrawn();
  await openDialog(page);
  for (const format of ["MP4", "WebP"]) {
    await chooseFormat(page, format);
    await page.getByRole("button", { name: "Save loop" }).click();
    await expect(page.getByText("The disk is full. Free some space, or save a smaller loop.")).toBeVisible();
    expect(await listKept(page)).toEqual([]);
  }
});
