// The story of a place over 360 revisions of CONUS frames, five places at once: until the first bars, until the whole,
// a second time, and how long the page's thread was ever busy. Frames come over HTTP, and none is kept by the browser.
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { build, mergeConfig } from "vite";
import { renderFile, type RenderedFile } from "../../electron/pipeline/raster/render-file.ts";
import { projectRoot } from "../../electron/support/host-process.ts";
import viewerConfig from "../../renderer/vite.config.ts";
import type { Coordinate } from "../../shared/contract/index.ts";
import { findBrowser, launchBrowser } from "./bench-browser.ts";
import type { BenchRow } from "./bench-row.ts";
import { loadConusMessage } from "./conus-files.ts";
import type { BenchLayer, StoryTimes } from "./place-story-page/page.ts";

/** A short form reads fewer: `STORY_REVISIONS=36 npm run bench -- place-story`. */
const revisions = Number(process.env.STORY_REVISIONS ?? 360);
const places: readonly Coordinate[] = [
  [-97.44, 35.22],
  [-93.62, 41.59],
  [-96.8, 32.78],
  [-104.99, 39.74],
  [-80.84, 35.23],
];
const limits = { firstMs: 300, wholeMs: 8000, againMs: 50, longestGapMs: 50 } as const;
const metrics = {
  firstMs: "ms to the first bars",
  wholeMs: "ms to the whole",
  againMs: "ms again",
  longestGapMs: "ms of the page's thread at once",
} as const;

export async function run(): Promise<BenchRow[]> {
  const executablePath = findBrowser();
  const directory = await mkdtemp(join(tmpdir(), "echotop-bench-story-"));
  try {
    if (executablePath === undefined)
      return toRows(undefined, "No browser is installed: nothing was measured.");
    const frames = await renderFrames();
    await buildPage(directory);
    const server = await startServer(directory, frames);
    const browser = await launchBrowser(executablePath);
    try {
      const page = await browser.newPage();
      await page.goto(server.url);
      await page.waitForFunction(() => window.tellStory !== undefined);
      const layers = frames.map(({ product, frame: { bounds } }): BenchLayer => ({
        id: product.id,
        bounds: [...bounds],
      }));
      const times = await page.evaluate(({ of, count, at }) => window.tellStory!(of, count, at), {
        of: layers,
        count: revisions,
        at: [...places],
      });
      const bytes = frames
        .map(({ frame: { png } }) => `${(png.length / 2 ** 20).toFixed(1)} MiB`)
        .join(" and ");
      const note = `${revisions} revisions of ${layers.length} layers, frames of ${bytes}, ${times.readings} readings; longest turn without reading ${times.idleGapMs.toFixed(0)} ms; browser ${browser.version()}`;
      return toRows(times, note);
    } finally {
      await browser.close();
      await server.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function toRows(times: StoryTimes | undefined, note: string): BenchRow[] {
  return (["firstMs", "wholeMs", "againMs", "longestGapMs"] as const).map((key) => ({
    ...{ row: 0, name: "place story", metric: metrics[key], target: `below ${limits[key]}` },
    ...{ ours: times?.[key] ?? null, peer: null, peerName: "-", ratio: null },
    ...{ met: times ? times[key] < limits[key] : null, note },
  }));
}

const hailFile = join(projectRoot, "../shared/mrms/conus/MRMS_MESH_00.50_20240228-025239.grib2");

async function renderFrames(): Promise<RenderedFile[]> {
  const files = [loadConusMessage().message, ...(existsSync(hailFile) ? [readFileSync(hailFile)] : [])];
  const frames: RenderedFile[] = [];
  for (const file of files) frames.push(await renderFile(file));
  return frames;
}

async function buildPage(outDir: string): Promise<void> {
  const root = fileURLToPath(new URL("place-story-page", import.meta.url));
  const output = { outDir, emptyOutDir: true };
  await build(mergeConfig(viewerConfig, { configFile: false, logLevel: "error", root, build: output }));
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".png": "image/png",
};

async function startServer(
  directory: string,
  frames: readonly RenderedFile[],
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const pictures = new Map(frames.map(({ product, frame }) => [`/frames/${product.id}.png`, frame.png]));
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const name = path === "/" ? "/index.html" : path;
    const picture = pictures.get(name);
    const content = picture ? Promise.resolve(picture) : readFile(join(directory, normalize(name)));
    content.then(
      (bytes) => {
        response.setHeader("content-type", contentTypes[extname(name)] ?? "application/octet-stream");
        response.setHeader("cache-control", "no-store");
        response.end(bytes);
      },
      () => {
        response.writeHead(404).end();
      },
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => {
        resolve();
      });
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}
