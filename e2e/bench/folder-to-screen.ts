// From a watched folder to the screen: a pair of real CONUS files is renamed into the folder that a host follows, and
// the time runs from the rename of the second file until the viewer has drawn the revision. Each pair has another
// picture, so that no frame comes from a cache.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { mrmsFileName } from "../../electron/pipeline/demo/mrms-file.ts";
import { makeTemporaryDirectory, removeDirectory, startHost } from "../../electron/support/host-process.ts";
import { MrmsManifest } from "../../shared/contract/index.ts";
import { productIds } from "../../shared/contract/primitives.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { windowMs } from "../../shared/revisions/observation-window.ts";
import { findBrowser, launchBrowser } from "./bench-browser.ts";
import type { BenchRow } from "./bench-row.ts";
import { createFullSizeMessages } from "./feed-day/full-size.ts";

const warmUpPairs = 2;
const pairs = 20;
const drawnLimitMs = 30_000;
const eventId = "conus-live";

const quantiles = [
  { name: "p50", share: 0.5, mostMs: 1200 },
  { name: "p95", share: 0.95, mostMs: 2000 },
] as const;

interface Times {
  /** From the second rename to the drawn picture. */
  readonly drawnMs: readonly number[];
  /** From the second rename to the revision's publication. */
  readonly publishedMs: readonly number[];
}

export async function run(): Promise<BenchRow[]> {
  const executablePath = findBrowser();
  const { makeMessage, source } = createFullSizeMessages();
  if (executablePath === undefined)
    return toRows(undefined, "No browser is installed: nothing was measured.");
  if (source.includes("synthetic")) {
    return toRows(undefined, "Skipped: ../shared/mrms/conus has no real MESH and reflectivity files.");
  }
  const root = makeTemporaryDirectory("folder-to-screen");
  try {
    const stage = join(root, "stage");
    const folder = join(root, "feed");
    mkdirSync(stage);
    mkdirSync(folder);
    const host = await startHost(join(root, "data"), ["--feed", `folder:${folder}`]);
    const browser = await launchBrowser(executablePath);
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.goto(host.origin);
      const firstMs = (Math.floor(Date.now() / windowMs) - warmUpPairs - pairs) * windowMs + 38_000;
      const drawnMs: number[] = [];
      const publishedMs: number[] = [];
      for (let pair = 0; pair < warmUpPairs + pairs; pair++) {
        const observedAt = new Date(firstMs + pair * windowMs).toISOString();
        const files = productIds.map((product) => {
          const name = mrmsFileName(getProduct(product), observedAt, ".grib2.gz");
          writeFileSync(join(stage, name), gzipSync(makeMessage(product, observedAt, 0)));
          return name;
        });
        // The order of the two alternates, as it does at the source.
        if (pair % 2 === 1) files.reverse();
        const drawn = watchDrawn(page, pair + 1);
        for (const name of files) renameSync(join(stage, name), join(folder, name));
        const renamedMs = Date.now();
        const drawnAtMs = await drawn;
        if (pair < warmUpPairs) continue;
        drawnMs.push(drawnAtMs - renamedMs);
        publishedMs.push((await readPublishedMs(host.origin)) - renamedMs);
      }
      return toRows({ drawnMs, publishedMs }, `${source}; browser ${browser.version()}`);
    } finally {
      await browser.close();
      await host.stop();
    }
  } finally {
    removeDirectory(root);
  }
}

/** Resolves with the time at which the viewer has drawn a revision, in milliseconds since the Unix epoch. */
function watchDrawn(page: Page, sequence: number): Promise<number> {
  return page.evaluate(
    ([wanted, limitMs]) =>
      new Promise<number>((resolve, reject) => {
        const region = document.querySelector('[role="region"][aria-label="Storm map"]')!;
        const look = (): void => {
          if (region.getAttribute("data-sequence") !== String(wanted)) return;
          clearTimeout(timer);
          observer.disconnect();
          resolve(Date.now());
        };
        const observer = new MutationObserver(look);
        const timer = setTimeout(() => {
          const drawn = region.getAttribute("data-sequence");
          reject(new Error(`Revision ${wanted} was not drawn in ${limitMs} ms; revision ${drawn} is.`));
        }, limitMs);
        observer.observe(region, { attributes: true, attributeFilter: ["data-sequence"] });
        look();
      }),
    [sequence, drawnLimitMs] as const,
  );
}

async function readPublishedMs(origin: string): Promise<number> {
  const latest = await fetch(`${origin}/v1/storm-events/${eventId}/manifest`);
  return Date.parse(MrmsManifest.parse(await latest.json()).generatedAt);
}

function toQuantile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.ceil(share * ascending.length) - 1]!;
}

function toRows(times: Times | undefined, note: string): BenchRow[] {
  return quantiles.map(({ name, share, mostMs }) => {
    const ours = times === undefined ? null : toQuantile(times.drawnMs, share);
    const parts = times && `published after ${toQuantile(times.publishedMs, share)} ms`;
    return {
      ...{ row: 0, name: "folder to screen", metric: `ms from the second rename to its pixels (${name})` },
      ...{ ours, peer: null, peerName: "-", ratio: null, target: `below ${mostMs}` },
      ...{ met: ours === null ? null : ours < mostMs },
      note: parts === undefined ? note : `${pairs} pairs; ${parts}; ${note}`,
    };
  });
}
