// Kills ingest at random points of its run. After each kill the directory is sound, the sequences have no gap, and
// another ingest ends with exactly the revisions of an undisturbed run.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createRandom } from "../../electron/pipeline/demo/random.ts";
import { createStormTrial, event, findFaults, readRevisions, runChild } from "./storm-job.ts";

/** Number of kills; `npm run crash` runs the long trial. */
const kills = 12;
const seed = 20240501;
/** Maximum number of runs, since a run on a busy machine may end before its kill and is not counted. */
const attempts = 3 * kills;

const job = await createStormTrial({ correction: true });
afterAll(() => job.close());

async function expectSound(data: string): Promise<void> {
  // The first kill may precede the directory's creation.
  if (existsSync(data)) expect(await findFaults(data)).toEqual([]);
}

test("an undisturbed run publishes every window, a correction, and both layers where both products exist", () => {
  expect(job.expected).toHaveLength(8);
  expect(job.expected.filter((revision) => revision.includes(", "))).toHaveLength(7);
});

test(
  `after a kill at any of ${kills} random points, another ingest completes the directory exactly`,
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
    // The kills are spread over the run; most fall during publication.
    const amid = published.filter((count) => count > 0 && count < job.expected.length);
    expect(amid.length).toBeGreaterThan(kills / 2);
    expect(new Set(amid).size).toBeGreaterThan(job.expected.length / 2);
  },
);

test(
  "repeated kills on one directory lose nothing and publish nothing twice",
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
