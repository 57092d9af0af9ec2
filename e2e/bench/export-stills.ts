// Stills on the command line: 60 revisions of CONUS size, two layers each, as pictures of 1080p, against a headless
// browser that opens the viewer, steps through the same revisions and takes screenshots. Both run as whole programs;
// the service that the browser needs is started beforehand. `STILLS` shortens it.
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createFrameStore } from "../../electron/catalog/files/file-frame-store.ts";
import { openCatalog } from "../../electron/catalog/sqlite/open-catalog.ts";
import { sha256Of } from "../../electron/platform/sha256.ts";
import {
  echotopProgram,
  makeTemporaryDirectory,
  projectRoot,
  removeDirectory,
  startHost,
} from "../../electron/support/host-process.ts";
import { windowMs } from "../../shared/revisions/observation-window.ts";
import { findBrowser, launchBrowser } from "./bench-browser.ts";
import type { BenchRow } from "./bench-row.ts";
import { conusFrameBounds, createConusFrame } from "./conus-frame.ts";
import { runTimed } from "./timed-process.ts";

const size = { width: 1920, height: 1080 } as const;
const eventId = "bench";
const leastRatio = 3;
const products = [
  { productId: "mrms-reflectivity", look: "echo" },
  { productId: "mrms-mesh", look: "hail" },
] as const;

export async function run(): Promise<BenchRow[]> {
  const { STILLS: stills = "60" } = process.env;
  const count = Number(stills);
  const executablePath = findBrowser();
  const directory = makeTemporaryDirectory("bench-stills");
  try {
    const data = join(directory, "data");
    await publish(data, count);
    const out = join(directory, "ours");
    const args = ["--format", "png", "--revisions", "all", "--size", "1920x1080"];
    const command = [
      echotopProgram,
      "export",
      eventId,
      "--data",
      data,
      ...args,
      "--out",
      join(out, "still.png"),
    ];
    const { wallMs, peakMib } = await runTimed(process.execPath, command, projectRoot);
    requireCount(out, count);
    const peerMs =
      executablePath === undefined
        ? undefined
        : await takeScreenshots(executablePath, { data, directory, count });
    return [toRow({ count, wallMs, peakMib, peerMs })];
  } finally {
    removeDirectory(directory);
  }
}

/** Publishes seeded frames, each another picture. */
async function publish(directory: string, count: number): Promise<void> {
  const catalog = await openCatalog({ directory, now: () => new Date() });
  const frames = createFrameStore({ directory });
  const firstMs = Date.UTC(2024, 4, 20, 20, 0, 40);
  for (let revision = 0; revision < count; revision++) {
    const observedAt = new Date(firstMs + revision * windowMs).toISOString().replace(".000Z", "Z");
    const layers = await Promise.all(
      products.map(async ({ productId, look }) => {
        const frameId = await frames.put(createConusFrame(revision, look));
        return {
          ...{
            productId,
            observedAt,
            frameId,
            bounds: [...conusFrameBounds] as [number, number, number, number],
          },
          messageSha256: sha256Of(frameId),
          sourceUrl: "ni:///sha-256;AAAA",
          sourceLastModified: undefined,
        };
      }),
    );
    await catalog.publish({ event: { id: eventId, label: "Benchmark" }, layers, assetIds: [] });
  }
  await frames.close();
  await catalog.close();
}

interface PeerWork {
  readonly data: string;
  readonly directory: string;
  readonly count: number;
}

/** Returns the time from the browser's start to its last picture. */
async function takeScreenshots(
  executablePath: string,
  { data, directory, count }: PeerWork,
): Promise<number> {
  const out = join(directory, "peer");
  mkdirSync(out);
  const host = await startHost(data);
  try {
    const startedMs = performance.now();
    const browser = await launchBrowser(executablePath);
    try {
      const page = await browser.newPage({ viewport: size });
      await page.goto(host.origin);
      const drawn = (sequence: number) =>
        page.locator(`[role="region"][aria-label="Storm map"][data-sequence="${sequence}"]`).waitFor();
      await drawn(count);
      await page.keyboard.press("Home");
      for (let sequence = 1; sequence <= count; sequence++) {
        if (sequence > 1) await page.keyboard.press("ArrowRight");
        await drawn(sequence);
        await page.screenshot({ path: join(out, `${sequence}.png`) });
      }
    } finally {
      await browser.close();
    }
    const elapsedMs = performance.now() - startedMs;
    requireCount(out, count);
    return elapsedMs;
  } finally {
    await host.stop();
  }
}

function requireCount(folder: string, count: number): void {
  const found = readdirSync(folder).length;
  if (found !== count) throw new Error(`${folder} has ${found} pictures, not ${count}.`);
}

interface Measured {
  readonly count: number;
  readonly wallMs: number;
  readonly peakMib: number | null;
  readonly peerMs: number | undefined;
}

function toRow({ count, wallMs, peakMib, peerMs }: Measured): BenchRow {
  const [ours, peer] = [count / (wallMs / 1000), peerMs === undefined ? null : count / (peerMs / 1000)];
  return {
    row: 0,
    name: "export stills",
    metric: "stills a second, 1080p, two CONUS layers",
    ...{ ours, peer, peerName: "headless browser's screenshots" },
    ratio: peer === null ? null : ours / peer,
    target: `${leastRatio}x`,
    met: peer === null ? null : ours / peer >= leastRatio,
    note: `${count} stills in ${(wallMs / 1000).toFixed(1)} s, peak ${peakMib?.toFixed(0) ?? "?"} MiB`,
  };
}
