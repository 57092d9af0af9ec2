// Row 6: a step of the viewer between CONUS frames on the GPU, against MapLibre's `ImageSource.updateImage` with the
// same PNG on the same map. Both are timed from the call until the repaint with the new picture begins to draw, and
// until the picture is drawn, which without graphics hardware takes longer than everything before.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { findBrowser, launchBrowser } from "./bench-browser.ts";
import { buildPage, startPageServer } from "./bench-page.ts";
import type { BenchRow } from "./bench-row.ts";
import { createConusFrame } from "./conus-frame.ts";
import { median } from "./timed-process.ts";
import type { StepTime } from "./viewer-step-page/page.ts";

const warmUpRounds = 2;
const rounds = 16;
const seeds = [11, 12, 13];
/** Delays after the start of a display frame, spread over 1/60 s: people step at any moment. */
const phasesMs = [1, 9, 5, 13, 3, 11, 7, 15];
const leastRatio = 20;

const row = { row: 6, name: "viewer step", target: `≥ ${leastRatio}× less time before repaint` } as const;
const peerName = "MapLibre updateImage({ url }), the same PNG, the same map";

export async function run(): Promise<BenchRow[]> {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    const note = "No browser is installed: nothing was measured.";
    const metric = "ms before repaint (median)";
    return [{ ...row, metric, ours: null, peer: null, peerName, ratio: null, met: null, note }];
  }
  const directory = await mkdtemp(join(tmpdir(), "echotop-bench-step-"));
  try {
    await buildPage("viewer-step-page", directory);
    const frames = new Map(seeds.map((seed) => [`/frames/${seed}.png`, createConusFrame(seed)]));
    const server = await startPageServer(directory, frames);
    try {
      return await measure(executablePath, server.url, [...frames.keys()]);
    } finally {
      await server.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure(executablePath: string, url: string, frames: readonly string[]): Promise<BenchRow[]> {
  const browser = await launchBrowser(executablePath);
  try {
    const page = await browser.newPage({ viewport: { width: 640, height: 400 } });
    await page.goto(url);
    await page.waitForFunction(() => window.stepBench !== undefined);
    await page.evaluate((urls) => window.stepBench!.prepare(urls), [...frames]);
    const times = await stepInTurn(page, frames);
    const ours = median(times.ours.map(({ beginMs }) => beginMs));
    const peer = median(times.peer.map(({ beginMs }) => beginMs));
    const graphics = await page.evaluate(() => window.stepBench!.graphics);
    const ratio = peer / ours;
    const drawn = `drawn after ${toRange(times.ours)} ms and ${toRange(times.peer)} ms`;
    const call = `ours works for ${median(times.call).toFixed(1)} ms and waits for the display's next frame for the rest`;
    const note = `7000 × 4296 cells, ${rounds} alternating steps of each; ${drawn}; ${call}; browser ${browser.version()}, ${graphics}`;
    const metric = "ms before repaint (median)";
    return [{ ...row, metric, ours, peer, peerName, ratio, met: ratio >= leastRatio, note }];
  } finally {
    await browser.close();
  }
}

interface StepTimes {
  readonly ours: StepTime[];
  readonly call: number[];
  readonly peer: StepTime[];
}

async function stepInTurn(page: Page, frames: readonly string[]): Promise<StepTimes> {
  const times: StepTimes = { ours: [], call: [], peer: [] };
  for (let round = -warmUpRounds; round < rounds; round++) {
    const frame = frames[(round + frames.length) % frames.length]!;
    const step = { url: frame, phaseMs: phasesMs[(round + phasesMs.length) % phasesMs.length]! };
    const ours = await page.evaluate(({ url, phaseMs }) => window.stepBench!.stepOurs(url, phaseMs), step);
    const peer = await page.evaluate(({ url, phaseMs }) => window.stepBench!.stepPeer(url, phaseMs), step);
    if (round < 0) continue;
    times.ours.push(ours);
    times.call.push(ours.callMs);
    times.peer.push(peer);
  }
  return times;
}

/** Returns the median and the range of the times until the picture is drawn. */
function toRange(times: readonly StepTime[]): string {
  const drawn = times.map(({ drawnMs }) => drawnMs);
  return `${median(drawn).toFixed(1)} (${Math.min(...drawn).toFixed(1)}–${Math.max(...drawn).toFixed(1)})`;
}
