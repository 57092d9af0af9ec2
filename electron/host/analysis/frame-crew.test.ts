import { expect, test } from "vitest";
import { reflectivity } from "../../../shared/products/reflectivity.ts";
import { createFrameStore } from "../../catalog/files/file-frame-store.ts";
import { temporaryDirectory } from "../../catalog/support/drafts.ts";
import { encodeSwath } from "./swath-picture.ts";
import { runCrew, type CrewOptions } from "./frame-crew.ts";
import type { FrameJobs } from "./frame-jobs.ts";

const workerUrl = new URL("frame-worker.ts", import.meta.url);
const bounds: [number, number, number, number] = [-98, 35.8, -97.6, 36];
const cells = {
  columns: 40,
  rows: 20,
  westUdeg: -98_000_000,
  northUdeg: 36_000_000,
  spacingXUdeg: 10_000,
  spacingYUdeg: 10_000,
};

/** Stores frames that draw one class everywhere; returns their ids. */
async function storeFrames(directory: string, classes: readonly number[]): Promise<string[]> {
  const frames = createFrameStore({ directory });
  const block = { rowStart: 0, rowEnd: 20, columnStart: 0, columnEnd: 40 };
  const coverage = { bounds, width: 4, height: 2, bits: Uint8Array.of(0xff) };
  const table = { product: reflectivity.id, unit: reflectivity.unit, edges: [5, 10, 20, 40] };
  const ids: string[] = [];
  for (const index of classes) {
    const highest = new Uint8Array(800).fill(index);
    ids.push(await frames.put(await encodeSwath({ classes: table, coverage, cells, block, highest })));
  }
  return ids;
}

type Result = FrameJobs["place"]["result"];

async function readAll(
  frameIds: readonly string[],
  options: Pick<CrewOptions<"place">, "directory" | "signal" | "onResult">,
): Promise<void> {
  const items = frameIds.map((frameId) => ({ frameId, bounds }));
  await runCrew({ kind: "place", setup: [-97.8, 35.9], items }, { ...options, workerUrl });
}

test("a crew passes on the results in the order of the frames, also those that cannot be read", async () => {
  const directory = await temporaryDirectory();
  const [first, second, third] = await storeFrames(directory, [1, 2, 4]);
  const results: Result[] = [];
  const missing = "0".repeat(64);
  await readAll([third!, missing, first!, second!, first!], {
    directory,
    signal: new AbortController().signal,
    onResult: (result) => results.push(result),
  });
  expect(results.map((result) => (result.kind === "class" ? result.range.lower : result.kind))).toEqual([
    40,
    "failed",
    5,
    10,
    5,
  ]);
});

test("a crew ends with the reason of an interrupt", async () => {
  const directory = await temporaryDirectory();
  const [frameId] = await storeFrames(directory, [3]);
  const controller = new AbortController();
  const reason = new Error("interrupted");
  const results: Result[] = [];
  const many = Array.from({ length: 20_000 }, () => frameId!);
  const reading = readAll(many, {
    directory,
    signal: controller.signal,
    onResult: (result) => {
      results.push(result);
      controller.abort(reason);
    },
  });
  await expect(reading).rejects.toBe(reason);
  expect(results.length).toBeLessThan(many.length);
});
