// The pages of a briefing in a browser, from disk and without scripts: an accessibility checker over each of them, in
// both color schemes, in the widths of a desktop and of a phone.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { runCommand } from "../../electron/support/host-process.ts";
import { needsDirectory } from "../support/station.ts";
import { noEcho, noHail, observedAt, writeKnownFile } from "../support/known-storm.ts";

needsDirectory("Files that a command writes, without a service.");

let root: string;
const pages = ["index.html", "storm/index.html", "storm/r/1/index.html", "storm/r/2/index.html"];

test.beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "echotop-briefing-pages-"));
  const data = join(root, "data");
  const files = [
    writeKnownFile(root, {
      product: "mrms-reflectivity",
      observedAt: observedAt(0),
      quadrants: { northWest: 60, northEast: 30, southWest: 40, southEast: noEcho },
    }),
    writeKnownFile(root, {
      product: "mrms-mesh",
      observedAt: observedAt(0, 39),
      quadrants: { northWest: 30, northEast: noHail, southWest: noHail, southEast: noHail },
    }),
    writeKnownFile(root, {
      product: "mrms-mesh",
      observedAt: observedAt(1),
      quadrants: { northWest: noHail, northEast: noHail, southWest: noHail, southEast: noHail },
    }),
  ];
  const label = "A storm with quite a long name, as forecasters give them";
  const ingest = ["ingest", "--data", data, "--event", "storm", "--label", label, ...files];
  expect((await runCommand(ingest)).status).toBe(0);
  const brief = await runCommand(["brief", "storm", "--data", data, "--out", join(root, "site")]);
  expect(brief, brief.stderr).toMatchObject({ status: 0 });
});

test.afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 360]) {
    test(`a briefing has no accessibility fault, ${colorScheme}, ${width} px wide`, async ({ browser }) => {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
      const page = await context.newPage();
      for (const path of pages) {
        await page.goto(pathToFileURL(join(root, "site", path)).href);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html ?? ""}`)).toEqual([]);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow, `${path} is wider than the screen`).toBe(0);
      }
      await context.close();
    });
  }
}

test("its pages link to each other, every picture loads, and no script is needed", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(root, "site", "index.html")).href);
  await page.getByRole("link", { name: /A storm with quite a long name/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/A storm with quite a long name/);
  await page.getByRole("link", { name: "Revision 1", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Revision 1:/);
  await expect(page.getByText(/Strongest echo: 60 to 60.5 dBZ/).first()).toBeVisible();
  const stills = page.getByRole("img", { name: /^Map of/ });
  await expect(stills).toHaveCount(2);
  for (const still of await stills.all()) {
    expect(await still.getAttribute("alt")).toContain("observed 20 May 2024");
    const box = await still.boundingBox();
    expect(box?.width).toBeGreaterThan(600);
  }
  await page.getByRole("link", { name: "Next: revision 2" }).click();
  await expect(page.getByText("No hail of 1/8 inch or more within radar coverage.").first()).toBeVisible();
  await page.getByRole("link", { name: /^All of/ }).click();
  await expect(page.getByRole("heading", { name: "Revisions" })).toBeVisible();
  await context.close();
});
