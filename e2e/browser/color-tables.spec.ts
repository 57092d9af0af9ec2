// A color table of the person's own: read from a file, drawn on the map class by class, named beside the picture, kept
// over a restart and in a link; a table that fits no layer is refused by name and changes nothing.
import { expect, type Page } from "@playwright/test";
import { noEcho } from "../support/known-storm.ts";
import { shareOfColor, type ViewerPage } from "../support/viewer-page.ts";
import { shareStorm, test } from "../support/viewer-test.ts";

const stormy = shareStorm({ northWest: noEcho, northEast: 52.7, southWest: 40, southEast: 25.2 });

test.use({ viewport: { width: 1280, height: 800 } });
test.setTimeout(120_000);

/** Gradient from 20 to 30 dBZ, a sharp break at 40, one color from there to 50.25, inside a class. */
const table = `; written for this test
Product: BR
Units: DBZ
Step: 10
Color: 20 0 0 100
Color: 30 0 100 200 0 0 0
SolidColor: 40 20 220 60
SolidColor: 50.25 250 10 200
`;

async function addTable(page: Page, name: string, text: string): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("combobox", { name: "Colors" }).selectOption("Add color table…");
  await (await choosing).setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
}

/** Waits until a quadrant around Norman has a color. */
async function expectColor(viewer: ViewerPage, across: number, down: number, color: string): Promise<void> {
  const share = async (): Promise<number> =>
    shareOfColor(await viewer.readPixels({ x: across * 60, y: down * 60 }, 10), color);
  await expect.poll(share, { timeout: 30_000 }).toBe(1);
}

async function open(page: Page, viewer: ViewerPage): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(stormy.origin);
  await viewer.expectDrawn(1);
  await page.getByRole("slider", { name: "Opacity of Composite reflectivity" }).fill("100");
  await page.keyboard.press("/");
  await page.keyboard.type("35.22 -97.44");
  await expect(page.getByRole("option").first()).toContainText("35.22");
  await page.keyboard.press("Enter");
}

test("a table draws each class in the color at its lower edge, and is kept until it is removed", async ({
  page,
  viewer,
}) => {
  await open(page, viewer);
  await addTable(page, "Chaser gradient.pal", table);
  // 25 dBZ is half the way from 0 0 100 to 0 100 200; 52.5 and 40 are of one color each.
  await expectColor(viewer, 1, 1, "#003296");
  await expectColor(viewer, -1, 1, "#14dc3c");
  await expectColor(viewer, 1, -1, "#fa0ac8");
  const shown = page.getByRole("region", { name: "What is shown" });
  await expect(shown).toContainText("Colors: Chaser gradient (reflectivity), Echotop");
  await page.getByRole("button", { name: "not exact" }).click();
  const layers = page.getByRole("region", { name: "Layers" });
  await expect(layers).toContainText("50–50.5 dBZ has several colors in the table");
  await expect(layers).toContainText("Below 20 dBZ the table has no color: nothing is drawn.");

  await page.reload();
  await viewer.expectDrawn(1);
  await expectColor(viewer, -1, 1, "#14dc3c");
  await page.getByRole("button", { name: "Remove the color table Chaser gradient" }).click();
  await expect(shown).not.toContainText("Colors:");
  await expectColor(viewer, -1, 1, "#efdd62");
});

test("a table for other units, or a damaged one, is refused by name", async ({ page, viewer }) => {
  await open(page, viewer);
  await addTable(page, "velocity.pal", "Product: BV\nUnits: KTS\nColor: 0 1 2 3");
  const problem = page.getByRole("alert").filter({ hasText: "velocity.pal" });
  await expect(problem).toContainText("other units than dBZ, mm, cm or in");
  await addTable(page, "broken.pal", "Units: dBZ\nColor: 5 300 0 0");
  await expect(page.getByRole("alert").filter({ hasText: "broken.pal" })).toContainText("in line 2");
  await expect(page.getByRole("region", { name: "What is shown" })).not.toContainText("Colors:");
  await expectColor(viewer, -1, 1, "#efdd62");
});
