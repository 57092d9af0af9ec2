// The status panel with a real feed from a server with the layout of a bucket: each cause has its own words, next to
// those on an earlier frame.
import { gzipSync } from "node:zlib";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { mrmsFileName } from "../../electron/pipeline/demo/mrms-file.ts";
import { dayPrefix } from "../../electron/sources/feeds/mrms-name.ts";
import type { ProductId } from "../../shared/contract/primitives.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { startBucketServer, type BucketServer } from "../../electron/support/bucket-server.ts";
import { makeGribMessage } from "../../electron/support/grib-files.ts";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import { test } from "../support/viewer-test.ts";

/** Returns an observation time this many two-minute windows ago. */
function observedAt(windowsAgo: number): string {
  const window = Math.floor(Date.now() / 120_000) - windowsAgo;
  return new Date(window * 120_000 + 38_000).toISOString().replace(".000Z", "Z");
}

function put(bucket: BucketServer, product: ProductId, at: string, bytes: Uint8Array): void {
  const key =
    dayPrefix(getProduct(product), Date.parse(at)) + mrmsFileName(getProduct(product), at, ".grib2.gz");
  bucket.put(key, bytes, at);
}

function putWindow(bucket: BucketServer, at: string): void {
  put(
    bucket,
    "mrms-reflectivity",
    at,
    gzipSync(makeGribMessage({ product: "mrms-reflectivity", observedAt: at, fill: 45 })),
  );
  put(bucket, "mrms-mesh", at, gzipSync(makeGribMessage({ product: "mrms-mesh", observedAt: at, fill: 30 })));
}

const panelOf = (page: Page) => page.getByRole("region", { name: "Sources and connection" });

test("the panel distinguishes a healthy feed, a failure, a lost source and a lost host @core", async ({
  page,
  viewer,
  station,
}) => {
  const bucket = await startBucketServer();
  const folder = makeTemporaryDirectory("feed-status");
  try {
    const configuration = join(folder, "configuration.json");
    writeFileSync(
      configuration,
      JSON.stringify({ feed: { poll_seconds: 1, pair_wait_seconds: 1, backoff_max_seconds: 2 } }),
    );
    const [goodAt, badAt] = [observedAt(2), observedAt(1)];
    putWindow(bucket, goodAt);
    await station.start(["--config", configuration, "--feed", `bucket:${bucket.url}`]);
    await page.goto(station.origin);
    await viewer.expectDrawn(1);
    const status = page.getByRole("status", { name: "Connection and freshness" });
    await expect(status).toContainText("Live feed");
    await viewer.button("Sources and connection").click();
    const panel = panelOf(page);
    await expect(panel.getByRole("heading", { name: "Live feed" })).toBeVisible();
    await expect(panel.getByText("Up to date with the source")).toBeVisible();
    const facts = panel.getByRole("region", { name: "Feed" });
    await expect(facts.getByRole("row", { name: /^Reflectivity/ })).toContainText(goodAt.slice(11, 17));

    // The newest file cannot be used: the panel names it, and the picture stays.
    for (const product of ["mrms-reflectivity", "mrms-mesh"] as const)
      put(bucket, product, badAt, gzipSync("GRIB and nothing more"));
    await expect(panel.getByRole("heading", { name: "Processing failed" })).toBeVisible({ timeout: 40_000 });
    await expect(status).toContainText("Processing failed");
    await expect(facts.getByText(/Hail size of .* failed at/)).toBeVisible();
    await viewer.expectDrawn(1);

    await bucket.close();
    await expect(panel.getByRole("heading", { name: "Can't reach source" })).toBeVisible({ timeout: 40_000 });
    await expect(status).toContainText("Can't reach source");

    await station.stop();
    await expect(panel.getByRole("heading", { name: "No connection to Echotop" })).toBeVisible({
      timeout: 40_000,
    });
    await viewer.expectDrawn(1);
  } finally {
    await bucket.close();
    removeDirectory(folder);
  }
});

test("an earlier frame is announced next to the state of the feed", async ({ page, viewer, station }) => {
  const bucket = await startBucketServer();
  try {
    for (const at of [4, 3, 2].map(observedAt)) putWindow(bucket, at);
    await station.start(["--feed", `bucket:${bucket.url}`]);
    await page.goto(station.origin);
    await expect(viewer.timeline).toHaveAttribute("aria-valuemax", "3", { timeout: 40_000 });
    await viewer.button("Previous revision").click();
    await viewer.button("Sources and connection").click();
    const panel = panelOf(page);
    await expect(panel.getByText(/^You are viewing an earlier frame/)).toBeVisible();
    await expect(panel.getByRole("heading", { name: "Live feed" })).toBeVisible();
    await viewer.button("Newest revision").click();
    await viewer.button("Sources and connection").click();
    await expect(panel.getByRole("heading", { name: "Live feed" })).toBeVisible();
    await expect(panel.getByText(/^You are viewing an earlier frame/)).toHaveCount(0);
  } finally {
    await bucket.close();
  }
});
