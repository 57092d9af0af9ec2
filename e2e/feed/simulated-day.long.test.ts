// The day of a live feed on a data directory, within limits of memory and disk; and a feed that sleeps.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyDirectory } from "../../electron/catalog/verify/verify-directory.ts";
import { createFeedTrial, eventId } from "../../electron/sources/feeds/support/feed-trial.ts";
import { productIds } from "../../shared/contract/primitives.ts";
import { dayNeeds, memoryFolder, playDay, startAt, useRenderPool } from "./play-day.ts";

const startMs = Date.parse(startAt);
/** Limits for a day on small grids: growth of the process, bytes on disk. */
const heapGrowthBytes = 64 << 20;
const diskBytes = 32 << 20;

const pool = useRenderPool();

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (each) => (await stat(join(each.parentPath, each.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

test(`a day of 720 windows ends as its script says${dayNeeds}`, { timeout: 300_000 }, async () => {
  const trial = await createFeedTrial(pool(), startAt, { parent: memoryFolder });
  const { directory } = trial;
  const heapBefore = process.memoryUsage().heapUsed;
  await playDay(trial);
  const report = await verifyDirectory(directory, { signal: new AbortController().signal });
  expect(report.findings).toEqual([]);
  expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(heapGrowthBytes);
  expect(await sizeOf(directory)).toBeLessThan(diskBytes);
});

test("a feed that slept for half a day continues with the newest window and keeps only its 24 hours", async () => {
  const trial = await createFeedTrial(pool(), startAt);
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
