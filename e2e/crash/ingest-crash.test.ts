// A power cut's little brother: ingest is killed at random points of its run, and each time the directory is sound, its
// sequences have no gap, and another ingest ends with exactly what one that was never killed publishes.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createRandom } from "../../electron/pipeline/demo/random.ts";
import { createStormTrial, event, findFaults, readRevisions, runChild } from "./storm-job.ts";

/** The long campaign is `npm run crash`. */
const kills = 12;
const seed = 20240501;
/** A run that ends before its kill is not counted; so many are allowed on a machine that is busy with other things. */
const attempts = 3 * kills;

const job = await createStormTrial({ correction: true });
afterAll(() => job.close());

async function expectSound(data: string): Promise<void> {
  // The first of all kills may come before there is a directory.
  if (existsSync(data)) expect(await findFaults(data)).toEqual([]);
}

test("the job is what it should be: every window, a correction, both layers where there are two", () => {
  expect(job.expected).toHaveLength(8);
  expect(job.expected.filter((revision) => revision.includes(", "))).toHaveLength(7);
});

test(
  `a kill at any of ${kills} random points leaves a sound directory that another ingest completes exactly`,
  { timeout: 300_000 },
  async () => {
    const random = createRandom(seed);
    const whole = await runChild({ data: join(job.root, "whole"), paths: job.paths, event, workers: false });
    expect(whole.errors).toBe("");
    const times = whole.lines.flatMap((line) => ("atMs" in line ? line.atMs : []));
    const gapMs = (times.at(-1)! - times[0]!) / (times.length - 1);
    const published: number[] = [];

    const killOnce = async (index: number): Promise<void> => {
      const data = join(job.root, `run-${index}`);
      const files = Math.floor(random() * job.fileCount);
      const ms = random() * (files === 0 ? times[0]! : 2 * gapMs);
      const workers = index % 5 === 4;
      const end = await runChild({ data, paths: job.paths, event, workers, kill: { files, ms } });
      expect(end.errors).toBe("");
      await expectSound(data);
      const revisions = await readRevisions(data);
      expect(revisions).toEqual(job.expected.slice(0, revisions.length));
      await job.finish(data);
      await expectSound(data);
      expect(await readRevisions(data)).toEqual(job.expected);
      await rm(data, { recursive: true });
      if (end.signal === "SIGKILL") published.push(revisions.length);
    };

    let index = 0;
    const lane = async (): Promise<void> => {
      while (published.length < kills && index < attempts) await killOnce(index++);
    };
    await Promise.all([lane(), lane()]);
    expect(published.length).toBeGreaterThanOrEqual(kills);
    // The points are spread over the run: most of them amid publication.
    const amid = published.filter((count) => count > 0 && count < job.expected.length);
    expect(amid.length).toBeGreaterThan(kills / 2);
    expect(new Set(amid).size).toBeGreaterThan(job.expected.length / 2);
  },
);

test(
  "a process that is killed again and again on one directory still loses nothing and repeats nothing",
  { timeout: 120_000 },
  async () => {
    const random = createRandom(seed + 1);
    const data = join(job.root, "again");
    let before: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const kill = { files: 1 + Math.floor(random() * 3), ms: random() * 10 };
      await runChild({ data, paths: job.paths, event, workers: false, kill });
      await expectSound(data);
      const revisions = await readRevisions(data);
      expect(revisions.slice(0, before.length)).toEqual(before);
      before = revisions;
    }
    await job.finish(data);
    expect(await readRevisions(data)).toEqual(job.expected);
  },
);
