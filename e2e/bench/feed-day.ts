// The soak test: a simulated day of a live feed on full-size grids. A local server publishes 720 windows of both
// products and misbehaves on the script of the end-to-end test. Measures files per second, peak memory and bytes on
// disk.
import { readFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeTemporaryDirectory, projectRoot, removeDirectory } from "../../electron/support/host-process.ts";
import type { BenchRow } from "./bench-row.ts";
import type { DayResult } from "./feed-day/run-day.ts";
import { runTimed } from "./timed-process.ts";

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let size = 0;
  for (const entry of entries)
    if (entry.isFile()) size += (await stat(join(entry.parentPath, entry.name))).size;
  return size;
}

/** Returns a row without a peer. */
function toRow(name: string, metric: string, ours: number, note: string): BenchRow {
  const none = { peer: null, peerName: "-", ratio: null, target: "-", met: null };
  return { row: 0, name, metric, ours, ...none, note };
}

export async function run(): Promise<BenchRow[]> {
  const root = makeTemporaryDirectory("feed-day");
  const data = join(root, "data");
  const resultFile = join(root, "result.json");
  try {
    const script = join(projectRoot, "e2e", "bench", "feed-day", "run-day.ts");
    const { peakMib } = await runTimed(process.execPath, [script, data, resultFile], projectRoot);
    const result = JSON.parse(readFileSync(resultFile, "utf8")) as DayResult;
    if (result.revisions !== result.expectedRevisions) {
      throw new Error(`${result.revisions} revisions instead of ${result.expectedRevisions}`);
    }
    const { files, revisions, elapsedMs, source } = result;
    const note = `${files} files, ${revisions} revisions, in ${Math.round(elapsedMs / 1000)} s; ${source}`;
    const folders = await Promise.all(["frames", "sources"].map((name) => sizeOf(join(data, name))));
    const whole = await sizeOf(data);
    const gib = 2 ** 30;
    const parts = `frames ${(folders[0]! / gib).toFixed(2)} GiB, stored sources ${(folders[1]! / gib).toFixed(2)} GiB`;
    return [
      toRow("simulated feed day", "files/s", (1000 * files) / elapsedMs, note),
      toRow("simulated feed day", "peak MiB, including its server", peakMib ?? 0, note),
      toRow("simulated feed day", "GiB on disk", whole / gib, parts),
    ];
  } finally {
    removeDirectory(root);
  }
}
