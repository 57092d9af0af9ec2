// A full disk and a read-only disk under the real command line and a host. Each gives a clear message and damages
// nothing. Published data is still served, and ingest works again once there is room.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { MrmsHistory } from "../../shared/contract/index.ts";
import { runCommand } from "../../electron/support/host-process.ts";
import { startLocalHost } from "../support/local-host.ts";
import { canMount, mountSmallDisk, type SmallDisk } from "./small-disk.ts";
import { createStormTrial, event, findFaults, readRevisions, type StormTrial } from "./storm-job.ts";

let job: StormTrial;

beforeAll(async () => {
  job = await createStormTrial({ correction: true });
});
afterAll(() => job.close());

function mountForTest(options: string): SmallDisk {
  const disk = mountSmallDisk(options)!;
  onTestFinished(() => {
    disk.close();
  });
  return disk;
}

/** Returns names and sizes of all files below a directory, and the bytes of the catalog. */
function contentOf(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map(
      (path) =>
        `${path} ${statSync(path).size} ${path.endsWith(".sqlite") ? readFileSync(path).toString("base64") : ""}`,
    )
    .toSorted();
}

describe.skipIf(!canMount())("a separate disk (needs a mount)", { timeout: 60_000 }, () => {
  test("a full disk ends ingest with a clear message; with more room, another ingest completes it", async () => {
    const sizes = [200, 300, 400, 500];
    const published: number[] = [];
    for (const sizeKib of sizes) {
      const disk = mountForTest(`size=${sizeKib}k`);
      const data = join(disk.path, "data");
      const full = await runCommand(["ingest", "--data", data, "--event", event, ...job.paths]);
      if (full.status !== 0)
        expect(full.stderr).toMatch(/the disk is full|it cannot be opened|disk reported/);
      expect(full.stderr).not.toContain(data);
      disk.remount("size=16m");
      expect(await findFaults(data)).toEqual([]);
      const revisions = await readRevisions(data);
      expect(revisions).toEqual(job.expected.slice(0, revisions.length));
      published.push(revisions.length);
      const again = await runCommand(["ingest", "--data", data, "--event", event, ...job.paths]);
      expect(again.status).toBe(0);
      expect(await readRevisions(data)).toEqual(job.expected);
      expect(await findFaults(data)).toEqual([]);
    }
    // The sizes are chosen so that some runs end during publication.
    expect(published.some((count) => count < job.expected.length)).toBe(true);
  });

  test("a disk that fills up under a host does not stop it from serving published revisions", async () => {
    const disk = mountForTest("size=16m");
    const data = join(disk.path, "data");
    await job.finish(data);
    const host = await startLocalHost(data);
    disk.remount(`size=${Math.ceil(usedBytes(disk.path) / 4096) * 4}k`);
    const url = `${host.origin}/v1/storm-events/${event}/revisions?limit=360`;
    const more = await runCommand(["ingest", "--data", data, "--event", "more", ...job.paths]);
    expect(more.status).toBe(1);
    const history = MrmsHistory.parse(await (await fetch(url)).json());
    expect(history.frames).toHaveLength(job.expected.length);
    for (const { imageUrl } of history.frames.flatMap(({ layers }) => layers)) {
      expect((await fetch(host.origin + imageUrl)).status).toBe(200);
    }
    await host.close();
    disk.remount("size=16m");
    expect(await findFaults(data)).toEqual([]);
  });

  test("a read-only disk refuses writers with a clear message, can be verified, and stays unchanged", async () => {
    const disk = mountForTest("size=16m");
    const data = join(disk.path, "data");
    await job.finish(data);
    const before = contentOf(data);
    disk.remount("ro");
    const ingest = await runCommand(["ingest", "--data", data, "--event", event, ...job.paths]);
    expect(ingest.status).toBe(1);
    expect(ingest.stderr).toMatch(/read-only|permission was denied|it cannot be opened/);
    expect(ingest.stderr).not.toContain(data);
    expect(await runCommand(["verify", "--data", data])).toMatchObject({ status: 0 });
    const repair = await runCommand(["verify", "--data", data, "--repair"]);
    expect(repair.status).toBe(1);
    expect(repair.stderr).not.toContain(data);
    expect(contentOf(data)).toEqual(before);
  });
});

function usedBytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile())
    .map((entry) => Math.ceil(statSync(join(entry.parentPath, entry.name)).size / 4096) * 4096)
    .reduce((sum, size) => sum + size, 0);
}
