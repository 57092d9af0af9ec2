// A step of four panes at 1920 by 1080 between frames on the GPU, against four steps of a page with one such pane, in
// the same run: from the request until the last picture is drawn. The second row is the memory that the four panes
// hold. `ECHOTOP_BENCH=short` takes few steps.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { findBrowser, launchBrowser } from "./bench-browser.ts";
import { buildPage, startPageServer } from "./bench-page.ts";
import type { BenchRow } from "./bench-row.ts";
import { createConusFrame } from "./conus-frame.ts";
import { median } from "./timed-process.ts";
import type {} from "./panes-step-page/page.ts";

const warmUpRounds = 2;
const rounds = process.env.ECHOTOP_BENCH === "short" ? 4 : 16;
const seeds = [11, 12];
const mostRatio = 1.5;

const step = { row: 0, name: "step of four panes", metric: "ms until all are drawn (median)" } as const;
const stepTarget = `≤ ${mostRatio}× four single panes`;
const memory = { row: 0, name: "memory of four panes", metric: "MiB of frames" } as const;

export async function run(): Promise<BenchRow[]> {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    const note = "No browser is installed: nothing was measured.";
    const nothing = { ours: null, peer: null, peerName: "-", ratio: null, met: null, note };
    return [{ ...step, ...nothing, target: stepTarget }];
  }
  const directory = await mkdtemp(join(tmpdir(), "echotop-bench-panes-"));
  try {
    await buildPage("panes-step-page", directory);
    const frames = new Map(seeds.map((seed) => [`/frames/${seed}.png`, createConusFrame(seed)]));
    const server = await startPageServer(directory, frames);
    const browser = await launchBrowser(executablePath);
    try {
      return await measure(browser, server.url, [...frames.keys()]);
    } finally {
      await browser.close();
      await server.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function openPage(
  browser: Browser,
  url: string,
  panes: number,
  frames: readonly string[],
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await page.goto(`${url}?panes=${panes}`);
  await page.waitForFunction(() => window.panesBench !== undefined);
  await page.evaluate((urls) => window.panesBench!.prepare(urls), [...frames]);
  return page;
}

async function measure(browser: Browser, url: string, frames: readonly string[]): Promise<BenchRow[]> {
  const four = await openPage(browser, url, 4, frames);
  const single = await openPage(browser, url, 1, frames);
  const times: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
  const stepOf = (page: Page, frame: string): Promise<number> =>
    page.evaluate((imageUrl) => window.panesBench!.step(imageUrl), frame);
  for (let round = -warmUpRounds; round < rounds; round++) {
    const frame = frames[(round + warmUpRounds) % frames.length]!;
    const other = frames[(round + warmUpRounds + 1) % frames.length]!;
    await four.bringToFront();
    const ours = await stepOf(four, frame);
    await single.bringToFront();
    let peer = 0;
    for (const next of [frame, other, frame, other]) peer += await stepOf(single, next);
    if (round < 0) continue;
    times.ours.push(ours);
    times.peer.push(peer);
  }
  const ours = median(times.ours);
  const peer = median(times.peer);
  const { usedBytes, boundBytes } = await four.evaluate(() => window.panesBench!.memory());
  const peerName = "four steps of a page with one pane of the same size";
  const note = `7000 × 4296 cells, panes of 960 × 540, ${rounds} rounds; browser ${browser.version()}`;
  return [
    {
      ...step,
      ours,
      peer,
      peerName,
      ratio: peer / ours,
      target: stepTarget,
      met: ours <= mostRatio * peer,
      note,
    },
    {
      ...memory,
      ...{ ours: usedBytes / 2 ** 20, peer: null, peerName: "-", ratio: null },
      ...{ target: `≤ ${Math.round(boundBytes / 2 ** 20)}`, met: usedBytes <= boundBytes },
    },
  ];
}
