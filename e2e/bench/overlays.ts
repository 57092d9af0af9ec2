// Panning and zooming with 5,000 warnings and 20,000 reports on the map, against the same map without them, in the same
// run: time of a frame until the GPU has drawn it. `ECHOTOP_BENCH=short` takes few frames.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { findBrowser, launchBrowser } from "./bench-browser.ts";
import { buildPage, startPageServer } from "./bench-page.ts";
import type { BenchRow } from "./bench-row.ts";
import { createConusFrame } from "./conus-frame.ts";
import { median } from "./timed-process.ts";
import type {} from "./overlays-page/page.ts";

const polygons = 5_000;
const reports = 20_000;
const isShort = process.env.ECHOTOP_BENCH === "short";
const rounds = isShort ? 2 : 5;
const frames = isShort ? 30 : 60;
const mostRatio = 1.3;
const frameUrl = "/frames/17.png";
const kinds = ["pan", "zoom"] as const;

const target = `≤ ${mostRatio}× the bare map`;
const peerName = "the same map without overlays";

function headOf(kind: string): Pick<BenchRow, "row" | "name" | "metric"> {
  return { row: 0, name: `${kind} with overlays`, metric: "ms a frame (median)" };
}

export async function run(): Promise<BenchRow[]> {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    const note = "No browser is installed: nothing was measured.";
    const nothing = { ours: null, peer: null, peerName, ratio: null, met: null, target, note };
    return kinds.map((kind) => ({ ...headOf(kind), ...nothing }));
  }
  const directory = await mkdtemp(join(tmpdir(), "echotop-bench-overlays-"));
  try {
    await buildPage("overlays-page", directory);
    const server = await startPageServer(directory, new Map([[frameUrl, createConusFrame(17)]]));
    const browser = await launchBrowser(executablePath);
    try {
      return await measure(browser, server.url);
    } finally {
      await browser.close();
      await server.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function openPage(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 568 } });
  await page.goto(address);
  await page.waitForFunction(() => window.overlaysBench !== undefined);
  await page.evaluate((url) => window.overlaysBench!.prepare(url), frameUrl);
  return page;
}

async function measure(browser: Browser, url: string): Promise<BenchRow[]> {
  const bare = await openPage(browser, `${url}?polygons=0&reports=0`);
  const full = await openPage(browser, `${url}?polygons=${polygons}&reports=${reports}`);
  const rows: BenchRow[] = [];
  for (const kind of kinds) {
    const ours: number[] = [];
    const peer: number[] = [];
    // The first round loads tiles and shaders of both.
    for (let round = -1; round < rounds; round++) {
      for (const [page, times] of [
        [full, ours],
        [bare, peer],
      ] as const) {
        await page.bringToFront();
        const taken = await page.evaluate(([how, count]) => window.overlaysBench!.move(how, count), [
          kind,
          frames,
        ] as const);
        if (round >= 0) times.push(...taken);
      }
    }
    const [oursMs, peerMs] = [median(ours), median(peer)];
    rows.push({
      ...headOf(kind),
      ...{ ours: oursMs, peer: peerMs, peerName, ratio: oursMs / peerMs, target },
      met: oursMs <= mostRatio * peerMs,
      note: `${polygons} warnings, ${reports} reports, 1000 × 568, ${rounds} rounds of ${frames} frames; browser ${browser.version()}`,
    });
  }
  return rows;
}
