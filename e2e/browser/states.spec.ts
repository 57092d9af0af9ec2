// What the viewer says when something is missing: no event, damaged data, no connection. The last good picture stays.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import {
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
  startHost,
  type RunningHost,
} from "../support/host-process.ts";
import { noEcho, observedAt, writeKnownFile } from "../support/known-storm.ts";
import { ViewerPage } from "../support/viewer-page.ts";

let directory: string;
let host: RunningHost;

test.beforeEach(() => {
  directory = makeTemporaryDirectory("states");
});

test.afterEach(async () => {
  await host.stop();
  removeDirectory(directory);
});

async function ingestWindows(count: number): Promise<void> {
  const files = Array.from({ length: count }, (_, window) =>
    writeKnownFile(directory, {
      product: "mrms-reflectivity",
      observedAt: observedAt(window),
      quadrants: { northWest: 20 + window * 5, northEast: 30, southWest: 40, southEast: noEcho },
    }),
  );
  const finished = await runCommand(["ingest", "--data", directory, "--event", "storm", ...files]);
  expect(finished.status).toBe(0);
}

test("an empty directory is explained with the command that fills it", async ({ page }) => {
  host = await startHost(directory);
  const viewer = new ViewerPage(page);
  await page.goto(host.origin);
  await expect(page.getByText(/ingest/).first()).toBeVisible();
  await expect(viewer.events.getByRole("option")).toHaveCount(0);
  await expect(viewer.map).not.toHaveAttribute("data-sequence");
});

test("a frame that is gone is said to have failed, and the other revisions still step", async ({ page }) => {
  await ingestWindows(2);
  host = await startHost(directory);
  const history = (await (await fetch(`${host.origin}/v1/storm-events/storm/revisions`)).json()) as {
    frames: { layers: { imageUrl: string }[] }[];
  };
  const frameId = /([0-9a-f]{64})\.png$/.exec(history.frames[1]!.layers[0]!.imageUrl)![1]!;
  const removed = readdirSync(join(directory, "frames"), { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(`${frameId}.png`),
  );
  expect(removed).toHaveLength(1);
  rmSync(join(directory, "frames", removed[0]!));

  const viewer = new ViewerPage(page);
  await page.goto(host.origin);
  await expect(page.getByText(/failed to load/i).first()).toBeVisible({ timeout: 30_000 });
  await viewer.expectSelected(2);
  await expect(viewer.map).not.toHaveAttribute("data-sequence");
  await viewer.button("Previous revision").click();
  await viewer.expectDrawn(1);
});

test("when the service goes away the picture stays and the status says so", async ({ page }) => {
  await ingestWindows(2);
  host = await startHost(directory);
  const viewer = new ViewerPage(page);
  await page.goto(host.origin);
  await viewer.expectDrawn(2);
  await host.stop();
  await expect(
    page
      .getByRole("status")
      .filter({ hasText: /offline|reconnecting/i })
      .first(),
  ).toBeVisible({
    timeout: 30_000,
  });
  await viewer.expectDrawn(2);
  await viewer.expectSelected(2);
});
