// Tests of pictures that leave the viewer: their pixels, their words, what their files say of themselves, and the keys
// and the dialog that make them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Download, type Page } from "@playwright/test";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import { readChunks } from "../../shared/png/chunks.ts";
import { findText } from "../../shared/png/png-text.ts";
import { defaultPalette, stopColors } from "../../shared/products/palettes.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { noEcho, observedAt } from "../support/known-storm.ts";
import { hasPillow, readWithPillow, SavedPicture } from "../support/saved-picture.ts";
import { shareOfColor, type ViewerPage } from "../support/viewer-page.ts";
import { shareStation, test } from "../support/viewer-test.ts";

const viewport = { width: 1280, height: 800 };
test.use({ viewport, permissions: ["clipboard-read", "clipboard-write"] });
// The map off screen is drawn by the processor here.
test.setTimeout(90_000);

const dbzColors = stopColors(getProduct("mrms-reflectivity"), defaultPalette);
const colorOfDbz = (dbz: number): string => dbzColors[Math.floor(dbz / 5) - 1]!;
/** The mark of what never happened, in the dark theme. */
const syntheticColor = "#b9a6ff";

const storm = shareStation(async (station) => {
  await station.ingestKnown(
    "storm",
    [52, 62, 37].map((dbz, window) => ({
      product: "mrms-reflectivity" as const,
      observedAt: observedAt(window),
      quadrants: { northWest: dbz, northEast: noEcho, southWest: noEcho, southEast: dbz },
    })),
    ["--label", "Known storm"],
  );
  await station.start();
});

async function openAtNorman(viewer: ViewerPage): Promise<void> {
  await viewer.page.emulateMedia({ reducedMotion: "reduce" });
  await viewer.page.goto(storm.origin);
  await viewer.expectDrawn(3);
  await viewer.flyTo("Norman, Oklahoma", /^Norman/);
}

async function saveByKey(page: Page): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("s")]);
  return download;
}

function statusOf(page: Page): ReturnType<Page["getByText"]> {
  return page.getByRole("status").filter({ hasText: /^(?:Saved|Copied)/ });
}

async function openDialog(page: Page): Promise<void> {
  await page.keyboard.press("e");
  await expect(page.getByRole("dialog", { name: "Export" })).toBeFocused();
}

test("S saves the picture of the window with the pixels of the map on screen @core", async ({
  viewer,
  page,
}) => {
  await openAtNorman(viewer);
  const download = await saveByKey(page);
  expect(download.suggestedFilename()).toBe("echotop-storm-rev3.png");
  await expect(statusOf(page)).toHaveText("Saved echotop-storm-rev3.png");
  const saved = await SavedPicture.of(download);
  const box = (await viewer.map.boundingBox())!;
  expect([saved.widthPx, saved.heightPx]).toEqual([box.width, box.height]);
  // Away from what stands over the map, on screen and in the picture.
  const size = 240;
  const [left, top] = [Math.round((box.width - size) / 2), Math.round((box.height - size) / 2)];
  const clip = { x: Math.round(box.x) + left, y: Math.round(box.y) + top, width: size, height: size };
  const screen = await SavedPicture.parse(await page.screenshot({ clip }));
  expect(saved.read(left, top, size, size)).toEqual(screen.read(0, 0, size, size));
  expect(shareOfColor(screen.read(0, 0, size, size), colorOfDbz(37), 60)).toBeGreaterThan(0.2);
});

test("Pillow opens the file, and finds what it shows in its texts", async ({ viewer, page }) => {
  test.skip(!hasPillow, "python3-pil is not installed");
  await openAtNorman(viewer);
  const download = await saveByKey(page);
  const { size, text } = readWithPillow(await download.path());
  const box = (await viewer.map.boundingBox())!;
  expect(size).toEqual([box.width, box.height]);
  const observed = new Date(observedAt(2));
  const clock = observed.toISOString().slice(11, 19);
  expect(text.Title).toMatch(new RegExp(`^Known storm, revision 3 of 3, observed .* ${clock} UTC$`));
  expect(text.Source).toContain("NOAA/NSSL MRMS");
  expect(text.Copyright).toContain("U.S. Census");
  expect(text.Disclaimer).toContain("not a warning source");
  expect(text.Software).toBe("Echotop");
  const document = JSON.parse(text["echotop:picture"]!) as {
    maps: { revision: { sequence: number; observedAt: string } }[];
    link: string;
  };
  expect(document.maps[0]!.revision).toMatchObject({ sequence: 3, observedAt: observed.toISOString() });
  expect(document.link).toMatch(/^echotop:\/\/view\?/);
});

test("a step right before S is in the picture, whole", async ({ viewer, page }) => {
  await openAtNorman(viewer);
  await viewer.map.focus();
  await page.keyboard.press("Home");
  const download = await saveByKey(page);
  expect(download.suggestedFilename()).toBe("echotop-storm-rev1.png");
  const saved = await SavedPicture.of(download);
  const [x, y] = [Math.round(saved.widthPx / 2), Math.round(saved.heightPx / 2)];
  // North-west of Norman.
  expect(shareOfColor(saved.read(x - 110, y - 110, 40, 40), colorOfDbz(52), 60)).toBeGreaterThan(0.5);
});

test("Ctrl and C with the focus on the map puts the picture into the clipboard", async ({ viewer, page }) => {
  await openAtNorman(viewer);
  await viewer.map.focus();
  await page.keyboard.press("ControlOrMeta+c");
  await expect(statusOf(page)).toHaveText("Copied echotop-storm-rev3");
  const size = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const picture = await createImageBitmap(await item!.getType("image/png"));
    return [picture.width, picture.height];
  });
  const box = (await viewer.map.boundingBox())!;
  expect(size).toEqual([box.width, box.height]);
});

test("as known at an earlier revision, the picture and its file say so", async ({ viewer, page }) => {
  await openAtNorman(viewer);
  await page.keyboard.press("k");
  await page.keyboard.press("ArrowLeft");
  await viewer.expectDrawn(2);
  const download = await saveByKey(page);
  const png = readFileSync(await download.path());
  const chunks = readChunks(png);
  expect(findText(chunks, "Description")).toContain("As known at revision 2");
  expect(JSON.parse(findText(chunks, "echotop:picture")!)).toMatchObject({ maps: [{ knownAt: 2 }] });
  // The light label of a view that hides data, below the strip.
  const saved = await SavedPicture.parse(png);
  expect(shareOfColor(saved.read(0, 50, 500, 50), "#e8eef4", 4)).toBeGreaterThan(0.1);
});

test("the dialog by keyboard alone: a preview, 4K, and the focus back where it was", async ({
  viewer,
  page,
}) => {
  await openAtNorman(viewer);
  await viewer.map.focus();
  await openDialog(page);
  await expect(page.getByText("Preview at 1000 × 568")).toBeVisible();
  await page.getByRole("radio", { name: "This window" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByText("Preview at 1920 × 1080")).toBeVisible({ timeout: 60_000 });
  await page.keyboard.press("ArrowRight");
  await expect(page.getByText("Preview at 3840 × 2160")).toBeVisible({ timeout: 60_000 });
  const download = await saveByKey(page);
  const saved = await SavedPicture.of(download);
  expect([saved.widthPx, saved.heightPx]).toEqual([3840, 2160]);
  await expect(page.getByText("Saved echotop-storm-rev3.png").first()).toBeVisible();
  const [x, y] = [saved.widthPx / 2, saved.heightPx / 2];
  expect(shareOfColor(saved.read(x - 300, y - 300, 60, 60), colorOfDbz(37), 60)).toBeGreaterThan(0.5);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Export" })).toHaveCount(0);
  await expect(viewer.map).toBeFocused();
});

test("without the ground, the picture is transparent where no layer draws", async ({ viewer, page }) => {
  await openAtNorman(viewer);
  await openDialog(page);
  await page.getByRole("checkbox", { name: "Ground" }).uncheck();
  await page.getByRole("checkbox", { name: "Pins" }).uncheck();
  const saved = await SavedPicture.of(await saveByKey(page));
  const [x, y] = [Math.round(saved.widthPx / 2), Math.round(saved.heightPx / 2)];
  // North-east of Norman there is no echo, north-west there is.
  expect(saved.opacityAt(x + 90, y - 90)).toBe(0);
  expect(saved.opacityAt(x - 90, y - 90)).toBeGreaterThan(150);
  // The strip stays.
  expect(saved.opacityAt(4, 4)).toBe(255);
});

test("a page without the right to act saves and copies too", async ({ viewer, page, station }) => {
  const folder = makeTemporaryDirectory("picture-reader");
  const config = join(folder, "reader.json");
  writeFileSync(config, JSON.stringify({ roles: ["reader"] }));
  await station.ingestKnown("storm", [
    {
      product: "mrms-mesh",
      observedAt: observedAt(0),
      quadrants: { northWest: 30, northEast: 40, southWest: 50, southEast: 60 },
    },
  ]);
  await station.start(["--config", config]);
  await page.goto(station.origin);
  await viewer.expectDrawn(1);
  await openDialog(page);
  const [download] = await Promise.all([page.waitForEvent("download"), viewer.button("Save PNG").click()]);
  expect(download.suggestedFilename()).toBe("echotop-storm-rev1.png");
  await viewer.button("Copy picture").click();
  await expect(page.getByText("Copied echotop-storm-rev1").first()).toBeVisible();
  removeDirectory(folder);
});

test("the demonstration is marked as synthetic where a person looks, and in the file @core", async ({
  viewer,
  page,
  station,
}) => {
  await station.start(["--demo"]);
  await page.goto(station.origin);
  await viewer.expectSomethingDrawn();
  const download = await saveByKey(page);
  const png = readFileSync(await download.path());
  const saved = await SavedPicture.parse(png);
  // The mark below the strip, and the disclosure in the foot.
  expect(shareOfColor(saved.read(12, 56, 280, 30), syntheticColor, 24)).toBeGreaterThan(0.05);
  const foot = saved.read(saved.widthPx / 2, saved.heightPx - 90, saved.widthPx / 2, 90);
  expect(shareOfColor(foot, syntheticColor, 24)).toBeGreaterThan(0.005);
  const chunks = readChunks(png);
  expect(findText(chunks, "Title")).toContain("(synthetic)");
  expect(findText(chunks, "Description")).toContain("Synthetic: these storms never happened");
  expect(findText(chunks, "Disclaimer")).toMatch(/^SYNTHETIC/);
});
