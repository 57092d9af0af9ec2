// A day of a live feed on a virtual clock against a real server that misbehaves by a script: 720 windows of both
// products. The catalog must then match the script, and memory and disk must stay within limits.
import { existsSync, readFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyDirectory } from "../../electron/catalog/verify/verify-directory.ts";
import {
  createFeedTrial,
  eventId,
  healthOf,
  type FeedTrial,
} from "../../electron/sources/feeds/support/feed-trial.ts";
import { createRenderPool, type RenderPool } from "../../electron/pipeline/ingest/render-pool.ts";
import { productIds, type ProductId } from "../../shared/contract/primitives.ts";
import { observationWindow } from "../../shared/revisions/observation-window.ts";
import { restamp } from "../support/restamp.ts";
import { makeGribMessage } from "../../electron/support/grib-files.ts";
import { projectRoot } from "../../electron/support/host-process.ts";
import { createDay, type Day, type MakeMessage } from "./day-script.ts";

const startAt = "2024-05-20T00:00:00Z";
const startMs = Date.parse(startAt);
const dayMs = 86_400_000;
/** Limits for a day on small grids: growth of the process, bytes on disk, bytes in staging. */
const heapGrowthBytes = 64 << 20;
const diskBytes = 32 << 20;
const stagedFiles = 24;

const realFiles: Readonly<Record<ProductId, string>> = {
  "mrms-mesh": "MRMS_MESH_00.50_20240228-025239.grib2",
  "mrms-reflectivity": "MRMS_MergedReflectivityQCComposite_00.50_20220704-110040.grib2",
};
const realFolder = join(projectRoot, "../shared/mrms/conus");
const hasRealFiles = Object.values(realFiles).every((name) => existsSync(join(realFolder, name)));
/** Window of the real files after restamping. */
const realWindow = observationWindow(new Date(startMs + 500 * 120_000).toISOString());

/** In memory: waiting for the disk would take most of the time, and power cuts are tested elsewhere. */
const memoryFolder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

let pool: RenderPool;
beforeAll(() => {
  pool = createRenderPool({
    workerUrl: new URL("../../electron/pipeline/ingest/render-worker.ts", import.meta.url),
    size: 2,
  });
});
afterAll(() => pool.close());

const makeMessage: MakeMessage = (product, observedAt, version) => {
  if (hasRealFiles && observationWindow(observedAt) === realWindow) {
    return restamp(readFileSync(join(realFolder, realFiles[product])), observedAt);
  }
  const fill = 10 + ((observationWindow(observedAt) * 3 + version) % 40);
  return makeGribMessage({ product, observedAt, fill });
};

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (each) => (await stat(join(each.parentPath, each.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Number of revisions, changes and newest messages of each window. */
async function readWindows({ catalog }: FeedTrial) {
  const windows = new Map<number, { changes: string[]; layers: Map<ProductId, string> }>();
  const published = (await catalog.listFeedLog({ limit: 20_000 })).filter(({ kind }) => kind === "published");
  for (const { observedAt, change, revisionId } of published) {
    const window = observationWindow(observedAt!);
    const entry = windows.get(window) ?? { changes: [], layers: new Map<ProductId, string>() };
    windows.set(window, entry);
    entry.changes.push(change!);
    const layers = await catalog.listLayers(eventId, revisionId!);
    entry.layers = new Map(layers.map(({ productId, messageSha256 }) => [productId, messageSha256]));
  }
  return { windows, published };
}

function expectExactly(day: Day, windows: Awaited<ReturnType<typeof readWindows>>["windows"]): void {
  const said = day.expected.map(({ window, layers, revisions, later }) => ({
    window,
    layers: Object.fromEntries([...layers].sort()),
    changes: [window, ...Array<string>(revisions - 1).fill(later ?? "")],
  }));
  const made = day.expected.map(({ window }) => {
    const { layers, changes } = windows.get(window) ?? { layers: new Map<ProductId, string>(), changes: [] };
    const [first, ...others] = changes;
    const isNew = first === "first" || first === "backfill";
    return {
      window,
      layers: Object.fromEntries([...layers].sort()),
      changes: [isNew ? window : first, ...others],
    };
  });
  expect(made).toEqual(said);
  expect(windows.size).toBe(day.expected.length);
}

function countLater({ expected }: Day, change: "correction" | "completion"): number {
  return expected.filter(({ later }) => later === change).length;
}

test(
  `a day of 720 windows ends as its script says${hasRealFiles ? "" : " (the real MRMS files are not here: without them)"}`,
  { timeout: 300_000 },
  async () => {
    const trial = await createFeedTrial(pool, startAt, memoryFolder);
    const { clock, server, catalog, directory } = trial;
    const day = createDay({ server, startMs, makeMessage, nowMs: () => clock.nowMs() });
    const feed = await trial.start();
    await clock.asleep();
    const heapBefore = process.memoryUsage().heapUsed;
    let mostStaged = 0;
    await clock.runUntil(startMs + dayMs + 40 * 60_000, async () => {
      day.apply();
      mostStaged = Math.max(mostStaged, (await readdir(join(directory, "staging"))).length);
    });
    const { windows, published } = await readWindows(trial);
    expectExactly(day, windows);

    // Every sequence once, in the order of publication.
    expect(published.map(({ sequence }) => sequence)).toEqual(published.map((_, index) => index + 1));
    // After an outage the newest window goes first, then the missed ones in order.
    for (const [first, last] of day.outages) {
      const missed = published
        .map(({ observedAt, change }) => ({ window: observationWindow(observedAt!), change }))
        .filter(({ window, change }) => window >= first && window <= last && change === "backfill")
        .map(({ window }) => window);
      expect(missed.length).toBeGreaterThanOrEqual(last - first - 1);
      expect(missed).toEqual(missed.toSorted((a, b) => a - b));
    }
    const log = await trial.log();
    for (const cause of day.causes) {
      const told = log.filter(
        ({ message = "", kind }) => ["failed", "link-down"].includes(kind) && cause.test(message),
      );
      expect([cause, told.length]).toEqual([cause, 1]);
    }
    const { counts, state } = healthOf(feed);
    expect(counts).toMatchObject({
      published: published.length,
      corrections: countLater(day, "correction"),
      completions: countLater(day, "completion"),
      duplicates: day.duplicates,
      gaps: day.missing,
      failed: day.causes.length,
    });
    expect(["source-idle", "current"]).toContain(state);
    expect(clock.logged).toEqual([]);

    await feed.close();
    const report = await verifyDirectory(directory, { signal: new AbortController().signal });
    expect(report.findings).toEqual([]);
    expect(await readdir(join(directory, "staging"))).toEqual([]);
    expect(mostStaged).toBeLessThanOrEqual(stagedFiles);
    expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(heapGrowthBytes);
    expect(await sizeOf(directory)).toBeLessThan(diskBytes);
    expect((await catalog.listAssets(eventId)).length).toBeLessThanOrEqual(2 * 720);
  },
);

test("a feed that slept for half a day continues with the newest window and keeps only its 24 hours", async () => {
  const trial = await createFeedTrial(pool, startAt);
  const { clock, catalog } = trial;
  const put = (index: number): void => {
    for (const product of productIds)
      trial.put(product, new Date(startMs + index * 120_000 + 39_000).toISOString());
  };
  for (let index = 0; index < 10; index += 1) put(index);
  clock.set(startMs + 25 * 60_000);
  await trial.start({ timing: { keepMs: 6 * 3_600_000 } });
  await clock.asleep();
  expect(await trial.story()).toHaveLength(10);
  // Asleep: the clock advances, the loop does not.
  for (let index = 350; index < 360; index += 1) put(index);
  clock.set(startMs + 360 * 120_000 + 120_000);
  await clock.runUntil(startMs + 360 * 120_000 + 10 * 60_000);
  const after = (await trial.story()).slice(10);
  expect(after[0]).toMatch(/^11:58:39 first/);
  expect(after.slice(1).map((line) => line.slice(0, 16))).toEqual(
    Array.from({ length: 9 }, (_, index) => `11:${40 + 2 * index}:39 backfill`.slice(0, 16)),
  );
  const kept = await catalog.listRevisions(eventId, 360);
  expect(kept.map(({ sequence }) => sequence)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
  expect(
    (await readdir(join(trial.directory, "sources"), { recursive: true })).filter((name) =>
      name.endsWith(".gz"),
    ),
  ).toHaveLength(20);
});
