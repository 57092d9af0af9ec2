// The actions of the viewer, against the app as `npm start` runs it: an event is downloaded from a server with the
// layout of a bucket, replayed and archived; without the token none of this is allowed.
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { gzipSync } from "node:zlib";
import { mrmsFileName } from "../../electron/pipeline/demo/mrms-file.ts";
import { dayPrefix } from "../../electron/sources/feeds/mrms-name.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { startApp, type RunningApp } from "../support/app-process.ts";
import { startBucketServer, type BucketServer } from "../../electron/support/bucket-server.ts";
import { makeGribMessage, writeGribFile } from "../../electron/support/grib-files.ts";
import { makeTemporaryDirectory, removeDirectory, runCommand } from "../../electron/support/host-process.ts";
import { prepareDataDirectory, preparedEventId } from "../../electron/support/prepared-data.ts";
import { needsDirectory } from "../support/station.ts";
import { test } from "../support/viewer-test.ts";

needsDirectory("Readers of a service refuse actions.");

const windows = 3;
/** Start of three two-minute windows. */
const startMs = Date.UTC(2024, 4, 28, 21, 0);

let directory: string;
let app: RunningApp;
let bucket: BucketServer;

test.beforeAll(async () => {
  directory = makeTemporaryDirectory("actions");
  await prepareDataDirectory(directory);
  bucket = await startBucketServer();
  for (let window = 0; window < windows; window++) {
    const observedAt = new Date(startMs + window * 120_000 + 38_000).toISOString();
    for (const [product, fill] of [
      ["mrms-reflectivity", 45],
      ["mrms-mesh", 30],
    ] as const) {
      const message = makeGribMessage({ product, observedAt, fill: fill + window });
      const key =
        dayPrefix(getProduct(product), startMs) + mrmsFileName(getProduct(product), observedAt, ".grib2.gz");
      bucket.put(key, gzipSync(message), observedAt);
    }
  }
  app = await startApp(directory);
});

test.afterAll(async () => {
  expect(await app.stop()).toBe(0);
  await bucket.close();
  removeDirectory(directory);
});

async function ingestTwoWindows(event: string): Promise<void> {
  const paths = [0, 1].map((window) =>
    writeGribFile(directory, {
      product: "mrms-mesh",
      observedAt: new Date(startMs + window * 120_000).toISOString(),
      fill: 20,
    }),
  );
  expect(await runCommand(["ingest", "--data", directory, "--event", event, ...paths])).toMatchObject({
    status: 0,
  });
}

async function findViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`);
}

test("the token leaves the address bar at once, and lasts for the tab", async ({ page, viewer }) => {
  await page.goto(app.address);
  await expect(viewer.events.getByRole("option")).not.toHaveCount(0);
  expect(page.url()).toBe(`${app.origin}/`);
  await expect(page.getByText("read-only")).toHaveCount(0);
  await page.reload();
  await expect(viewer.events.getByRole("option")).not.toHaveCount(0);
  await expect(page.getByText("read-only")).toHaveCount(0);
  expect(await page.evaluate(() => JSON.stringify(localStorage) + document.cookie)).not.toContain(app.token);
});

test("an event is added, downloaded, replayed and archived, and each step is shown as it happens @core", async ({
  page,
  viewer,
}) => {
  await page.goto(app.address);
  await viewer.button("Add events").click();
  const panel = page.getByRole("region", { name: "Add or download events" });
  await expect(panel.getByRole("listitem").first()).toBeVisible();
  await panel.getByRole("textbox", { name: "Download from" }).fill(`bucket:${bucket.url}`);
  await panel.getByLabel("Label").fill("Prairie hail");
  await expect(panel.getByLabel("ID")).toHaveValue("prairie-hail");
  await panel.getByLabel("Start, UTC").fill("2024-05-28 21:00");
  await panel.getByLabel("End, UTC").fill("2024-05-28 21:06");
  expect(await findViolations(page)).toEqual([]);
  await panel.getByRole("button", { name: "Add and download", exact: true }).click();

  // The viewer selects the event, and its revisions appear automatically.
  const downloading = page.getByRole("group", { name: "Downloading Prairie hail" });
  await expect(downloading.getByText("Done")).toBeVisible({ timeout: 60_000 });
  await expect(downloading.getByText("The event is complete.")).toBeVisible();
  await viewer.expectDrawn(windows);
  await viewer.expectSelected(windows);
  await expect(viewer.events.getByRole("option", { name: "Prairie hail" })).toContainText("Complete");

  await viewer.button("Replay, archive…").click();
  const actions = page.getByRole("region", { name: "Actions for Prairie hail" });
  await actions.getByRole("radio", { name: "Ten hours per minute" }).check();
  expect(await findViolations(page)).toEqual([]);
  await actions.getByRole("button", { name: "Start replay" }).click();
  await expect(viewer.events.getByRole("option", { name: "Prairie hail (replay)" })).toBeVisible();
  await expect(page.getByText("Replay of a past event, not live")).toBeVisible({ timeout: 30_000 });
  await viewer.expectDrawn(windows);
  await expect(page.getByRole("group", { name: /^Replaying Prairie hail/ }).getByText("Done")).toBeVisible();

  await page.getByRole("button", { name: "Archive", exact: true }).click();
  await page.getByRole("button", { name: "Yes, archive permanently" }).click();
  await expect(viewer.events.getByRole("option", { name: "Prairie hail (replay)" })).toContainText(
    "Archived",
  );
});

test("a slow replay pauses, resumes and stops", async ({ page, viewer }) => {
  await ingestTwoWindows("slow-storm");
  await page.goto(app.address);
  await expect(viewer.events.getByRole("option", { name: "slow-storm" })).toBeVisible();
  await page.evaluate(
    async ([origin, token]) => {
      // Slow enough to be still running when it is paused and stopped.
      await fetch(`${origin}/app/events.replay`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ eventId: "slow-storm", asEventId: "slow", speed: 0.001 }),
      });
    },
    [app.origin, app.token] as const,
  );
  await page.reload();
  const task = page.getByRole("group", { name: /^Replaying/ }).first();
  await task.getByRole("button", { name: /^Pause/ }).click();
  await expect(task.getByText(/paused/i)).toBeVisible();
  await task.getByRole("button", { name: /^Resume/ }).click();
  await expect(task.getByText(/paused/i)).toHaveCount(0);
  await task.getByRole("button", { name: /^Stop/ }).click();
  await expect(task).toHaveCount(0);
});

test("an action that fails says why", async ({ page, viewer }) => {
  await page.goto(app.address);
  await viewer.button("Add events").click();
  const panel = page.getByRole("region", { name: "Add or download events" });
  await panel.getByRole("textbox", { name: "Download from" }).fill("folder:not/whole");
  await panel.getByLabel("Label").fill("Nowhere");
  await panel.getByLabel("Start, UTC").fill("2024-05-28 21:00");
  await panel.getByLabel("End, UTC").fill("2024-05-28 21:06");
  await panel.getByRole("button", { name: "Add and download", exact: true }).click();
  await expect(page.getByText("Give the folder by its full path.")).toBeVisible();
});

test("a page without the token is read-only, and says why @core", async ({ page, viewer }) => {
  await page.goto(app.origin);
  await expect(viewer.events.getByRole("option")).not.toHaveCount(0);
  await expect(page.getByText("Read-only", { exact: true })).toBeVisible();
  await viewer.chooseEvent(preparedEventId);
  await viewer.button("Replay, archive…").click();
  await expect(page.getByText(/^Read-only: this page was opened without a token/)).toBeVisible();
  const start = viewer.button("Start replay");
  await expect(start).toHaveAttribute("aria-disabled", "true");
  await start.click({ force: true });
  await page.keyboard.press("Escape");
  await expect(viewer.button("Replay, archive…")).toBeFocused();
  await expect(viewer.events.getByRole("option", { name: `${preparedEventId} (replay)` })).toHaveCount(0);
});
