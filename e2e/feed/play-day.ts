// A day of a live feed on a virtual clock against a real server that misbehaves by a script: 720 windows of both
// products. The catalog must then match the script.
import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { FeedLogRecord } from "../../electron/catalog/catalog.ts";
import { createRenderPool, type RenderPool } from "../../electron/pipeline/ingest/render-pool.ts";
import { eventId, healthOf, type FeedTrial } from "../../electron/sources/feeds/support/feed-trial.ts";
import type { ProductId } from "../../shared/contract/primitives.ts";
import { observationWindow } from "../../shared/revisions/observation-window.ts";
import { restamp } from "../support/restamp.ts";
import { makeGribMessage } from "../../electron/support/grib-files.ts";
import { projectRoot } from "../../electron/support/host-process.ts";
import { createDay, type Day, type MakeMessage } from "./day-script.ts";

export const startAt = "2024-05-20T00:00:00Z";
const startMs = Date.parse(startAt);
const dayMs = 86_400_000;
/** Limit for downloads on their way. */
const stagedFiles = 24;

const realFiles: Readonly<Record<ProductId, string>> = {
  "mrms-mesh": "MRMS_MESH_00.50_20240228-025239.grib2",
  "mrms-reflectivity": "MRMS_MergedReflectivityQCComposite_00.50_20220704-110040.grib2",
};
const realFolder = join(projectRoot, "../shared/mrms/conus");
const hasRealFiles = Object.values(realFiles).every((name) => existsSync(join(realFolder, name)));
/** Window of the real files after restamping. */
const realWindow = observationWindow(new Date(startMs + 500 * 120_000).toISOString());

/** Follows the name of a test of a whole day. */
export const dayNeeds = hasRealFiles ? "" : " (the real MRMS files are not here: without them)";

/** In memory: waiting for the disk would take most of the time, and power cuts are tested elsewhere. */
export const memoryFolder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Starts the render pool of a test file. */
export function useRenderPool(): () => RenderPool {
  let pool: RenderPool;
  beforeAll(() => {
    pool = createRenderPool({
      workerUrl: new URL("../../electron/pipeline/ingest/render-worker.ts", import.meta.url),
      size: 2,
    });
  });
  afterAll(() => pool.close());
  return () => pool;
}

const makeMessage: MakeMessage = (product, observedAt, version) => {
  if (hasRealFiles && observationWindow(observedAt) === realWindow) {
    return restamp(readFileSync(join(realFolder, realFiles[product])), observedAt);
  }
  const fill = 10 + ((observationWindow(observedAt) * 3 + version) % 40);
  return makeGribMessage({ product, observedAt, fill });
};

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

/** Plays the day, expects what its script says, and ends the feed. Returns the log's publications, in their order. */
export async function playDay(trial: FeedTrial): Promise<readonly FeedLogRecord[]> {
  const { clock, server, catalog, stagingFolder } = trial;
  const day = createDay({ server, startMs, makeMessage, nowMs: () => clock.nowMs() });
  const feed = await trial.start();
  await clock.asleep();
  let mostStaged = 0;
  await clock.runUntil(startMs + dayMs + 40 * 60_000, async () => {
    day.apply();
    mostStaged = Math.max(mostStaged, (await readdir(stagingFolder)).length);
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
  expect(await readdir(stagingFolder)).toEqual([]);
  expect(mostStaged).toBeLessThanOrEqual(stagedFiles);
  expect((await catalog.listAssets(eventId)).length).toBeLessThanOrEqual(2 * 720);
  return published;
}
