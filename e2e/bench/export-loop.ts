// A loop of CONUS revisions saved as MP4 of 1920 by 1080 from the dialog Export, against screenshots of the page at
// each revision, made into a video by ffmpeg in the same run. The first loop has its map off screen drawn, which takes
// seconds without a graphics card; the second row is the same loop once more, the last one the growth of the browser's
// memory meanwhile. `ECHOTOP_BENCH=short` takes few revisions.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { findBrowser } from "./bench-browser.ts";
import { toGrowthRow, type BenchRow } from "./bench-row.ts";
import { waitForDrawn, withConusViewer } from "./conus-viewer.ts";
import { median, runTimed } from "./timed-process.ts";

const revisions = process.env.ECHOTOP_BENCH === "short" ? 12 : 60;
const framesPerSecond = 15;
const leastRatio = 3;
const playedS = revisions / framesPerSecond;
const sampleMs = 100;

const loop = {
  row: 0,
  name: `loop of ${revisions} CONUS revisions`,
  metric: "s to an MP4 at 1080p",
} as const;
const target = `≤ ${playedS}, as it plays, and ${leastRatio}× faster`;

export async function run(): Promise<BenchRow[]> {
  const executablePath = findBrowser();
  if (executablePath === undefined) return [toNothing("No browser is installed: nothing was measured.")];
  const options = { name: "export-loop", revisions, executablePath };
  return await withConusViewer(options, async ({ page, root, note }) => {
    const ours = await saveLoop(page, join(root, "ours.mp4"));
    // The first loop fills what later ones use again: only a second one shows whether memory stays as it is.
    const again = await saveLoop(page, join(root, "again.mp4"));
    const peerS = await takeScreenshots(page, root);
    return toRows([ours, again], peerS, note);
  });
}

interface Saved {
  readonly seconds: number;
  /** From the first frame, which has the map off screen drawn, to the end. */
  readonly frameMs: number;
  readonly growthMib: number;
  readonly megabytes: number;
}

/** Saves the loop as a person does, and reads the browser's memory meanwhile. */
async function saveLoop(page: Page, path: string): Promise<Saved> {
  await page.getByRole("radio", { name: `${framesPerSecond} frames per second` }).check();
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("radio", { name: "1080p" }).check();
  const save = page.getByRole("button", { name: "Save loop" });
  await save.waitFor();
  const samples: number[] = [];
  const sampler = setInterval(() => samples.push(readChildrenMib(process.pid)), sampleMs);
  const startedMs = performance.now();
  const saved = page.waitForEvent("download", { timeout: 600_000 });
  await save.click();
  await page.getByRole("progressbar", { name: /^Saving loop, [1-9]/ }).waitFor({ timeout: 120_000 });
  const firstMs = performance.now();
  const download = await saved;
  const endedMs = performance.now();
  clearInterval(sampler);
  await download.saveAs(path);
  await page.keyboard.press("Escape");
  // The first third loads the map; then memory should stay as it is.
  const third = Math.floor(samples.length / 3);
  const growthMib = median(samples.slice(-third)) - median(samples.slice(third, -third));
  return {
    seconds: (endedMs - startedMs) / 1000,
    frameMs: (endedMs - firstMs) / (revisions - 1),
    growthMib,
    megabytes: statSync(path).size / 1e6,
  };
}

/** Steps through the revisions, takes a screenshot of each, and has ffmpeg make the video. */
async function takeScreenshots(page: Page, root: string): Promise<number | undefined> {
  if (spawnSync("ffmpeg", ["-version"]).status !== 0) return undefined;
  const folder = join(root, "screenshots");
  mkdirSync(folder);
  const timeline = page.getByRole("slider", { name: "Revision timeline" });
  const startedMs = performance.now();
  await timeline.focus();
  await timeline.press("Home");
  for (let sequence = 1; sequence <= revisions; sequence++) {
    await waitForDrawn(page, sequence);
    await page.screenshot({ path: join(folder, `${String(sequence).padStart(3, "0")}.png`) });
    if (sequence < revisions) await timeline.press("ArrowRight");
  }
  const input = ["-framerate", String(framesPerSecond), "-i", "%03d.png"];
  await runTimed("ffmpeg", [...input, "-c:v", "libx264", "-pix_fmt", "yuv420p", "peer.mp4"], folder);
  return (performance.now() - startedMs) / 1000;
}

/** Returns the private and shared memory of all processes below one, files in memory left out. */
function readChildrenMib(pid: number): number {
  const parents = new Map<number, number>();
  const sizes = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const status = readStatus(name);
    const read = (field: string): number =>
      Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
    parents.set(Number(name), read("PPid"));
    sizes.set(Number(name), read("RssAnon") + read("RssShmem"));
  }
  const isBelow = (child: number): boolean => {
    const parent = parents.get(child);
    return parent !== undefined && parent > 0 && (parent === pid || isBelow(parent));
  };
  return [...sizes].filter(([child]) => isBelow(child)).reduce((sum, [, kib]) => sum + kib, 0) / 1024;
}

function readStatus(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "latin1");
  } catch (error) {
    // The process may end meanwhile; any other error is a bug in the benchmark.
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
    throw error;
  }
}

function toNothing(note: string): BenchRow {
  return { ...loop, ours: null, peer: null, peerName: "-", ratio: null, target, met: null, note };
}

/** `loops` are the first and the second. */
function toRows(loops: readonly [Saved, Saved], peerS: number | undefined, note: string): BenchRow[] {
  const rows = loops.map(({ seconds, frameMs, megabytes }, index) => {
    const ratio = peerS === undefined ? null : peerS / seconds;
    return {
      ...loop,
      ...{ ours: seconds, peer: peerS ?? null, peerName: "page screenshots and ffmpeg", ratio, target },
      name: index === 0 ? loop.name : "the same loop once more",
      met: seconds <= playedS && (ratio === null || ratio >= leastRatio),
      note: `${frameMs.toFixed(0)} ms a frame after the first; ${megabytes.toFixed(1)} MB; ${note}`,
    };
  });
  const memory = "the browser's processes, last third against the second";
  return [...rows, toGrowthRow(0, "memory while a loop is saved again", loops[1].growthMib, memory)];
}
