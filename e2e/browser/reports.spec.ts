// "Reports and estimates": a file of reports over a storm with planted hits, misses and places that are not covered.
// The table's numbers, and the file that is saved of it, are those of the command.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { echotopProgram } from "../../electron/support/host-process.ts";
import { apartShort, awayWords, estimateWords } from "../../renderer/text/report-text.ts";
import { plantedEvent, plantReports } from "../support/planted-reports.ts";
import { runProgram } from "../support/run-program.ts";
import { shareOfColor } from "../support/viewer-page.ts";
import { test } from "../support/viewer-test.ts";

test.setTimeout(180_000);

let folder: string;

test.beforeEach(async ({ station }) => {
  folder = mkdtempSync(join(tmpdir(), "echotop-reports-"));
  await plantReports(folder, await station.stores());
  await station.start();
});

test.afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The page behind the map, in the dark theme. */
const bareBackground = "#0a0e13";
const spc = "Time,Size,Location,County,State,Lat,Lon,Comments";

test("the table says of each planted report what the command says, and leads to its place and time", async ({
  page,
  viewer,
  station,
}) => {
  const { planted, totals, id } = plantedEvent;
  const file = join(folder, "240520_rpts_hail.csv");
  const rows = planted.map(
    ({ at, size, lon, lat }, index) =>
      `${at.slice(11, 16).replace(":", "")},${Math.round(size * 100)},Place ${index},There,OK,${lat},${lon},planted`,
  );
  writeFileSync(file, [spc, ...rows, ""].join("\n"));
  await page.goto(station.origin);
  await viewer.expectSomethingDrawn();
  await page.getByLabel("Files of overlays").setInputFiles(file);
  await viewer.button("Reports and estimates").click();
  const panel = page.getByRole("region", { name: "Reports and estimates" });
  const table = panel.getByRole("table", { name: "Reports and estimates" });
  await expect(table.getByRole("row")).toHaveCount(planted.length + 1, { timeout: 60_000 });
  // The map, lower now, is drawn up to its upper edge.
  const { height, width } = (await viewer.map.boundingBox())!;
  const upperEdge = await viewer.readPixels({ x: width / 2 - 80, y: 5 - height / 2 }, 8);
  expect(shareOfColor(upperEdge, bareBackground, 1)).toBe(0);
  await expect(panel.getByRole("radio", { name: `Hits ${totals.hit}` })).toBeAttached();
  await expect(panel.getByRole("radio", { name: `Misses ${totals.miss}` })).toBeAttached();
  await expect(panel.getByRole("radio", { name: `Not covered ${totals["not-covered"]}` })).toBeAttached();

  const verdicts = { hit: "Hit", miss: "Miss", "not-covered": "Not covered" } as const;
  for (const [index, { line }] of planted.entries()) {
    const row = table.getByRole("row").filter({ hasText: `Place ${index},` });
    const cells = await row.getByRole("cell").allInnerTexts();
    expect(cells[0]).toBe(verdicts[line.verdict]);
    const near = line.nearest.map((found) => {
      if (!found.class) return "none";
      const range = { lower: found.class[0], upper: found.class[1] ?? undefined };
      return [estimateWords(range, "in"), apartShort(Date.parse(line.at), found.observedAt!)];
    });
    for (const [reach, words] of near.entries()) {
      for (const part of [words].flat()) expect(cells[4 + reach]).toContain(part);
    }
  }

  await panel.getByRole("radio", { name: `Not covered ${totals["not-covered"]}` }).check();
  await expect(table.getByRole("row")).toHaveCount(totals["not-covered"] + 1);
  await panel.getByRole("radio", { name: `All ${totals.reports}` }).check();

  const saved = page.waitForEvent("download");
  await panel.getByRole("button", { name: "Save reports and estimates as CSV" }).click();
  const csv = readFileSync(await (await saved).path(), "utf8");
  const args = ["reports", id, ...(await station.stores()), "--file", file, "--format", "csv"];
  const { stdout } = await runProgram(process.execPath, [echotopProgram, ...args]);
  expect(csv).toBe(stdout.toString());

  const { line } = planted[0]!;
  const found = line.nearest[0]!;
  await table.getByRole("button", { name: /^Report, 1\.00 inch, 21:05, Place 0/ }).click();
  // The first frame from the time of the report on, as it was corrected.
  await viewer.expectDrawn(plantedEvent.corrected.sequence);
  const card = page.getByRole("region", { name: /^Report, 1\.00 inch, 21:05, Place 0/ });
  await expect(card).toContainText("1.00 in quarter size");
  await expect(card).toContainText(estimateWords({ lower: found.class![0], upper: found.class![1]! }, "in"));
  const cell = {
    distanceKm: found.distanceKm!,
    center: [-98 + 40.5 * 0.01, 36 - 40.5 * 0.01] as [number, number],
  };
  await expect(card).toContainText(
    `${awayWords([line.lon, line.lat], { ...cell, range: { lower: 0, upper: 1 }, observedAt: "", sequence: 0 }, "mi")}, observed 21:04, 1 min before the report`,
  );
  await expect(card).toContainText("At the report itself: below 1/8 in or none");
  await card.getByRole("button", { name: "Close the report" }).click();
  await expect(card).toHaveCount(0);
});
