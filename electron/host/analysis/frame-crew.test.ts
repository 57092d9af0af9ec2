import { deflateSync, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { reflectivity } from "../../../shared/products/reflectivity.ts";
import { atDirectory } from "../../catalog/stores/located-stores.ts";
import { createFrameStore } from "../../catalog/files/file-frame-store.ts";
import { temporaryDirectory } from "../../catalog/support/drafts.ts";
import { encodeSwath } from "./swath-picture.ts";
import { runCrew, type CrewOptions } from "./frame-crew.ts";
import { decodeCells } from "./decode-cells.ts";
import { makeSwath } from "./swath-report.ts";
import { frameWorks, type FrameJobs } from "./frame-jobs.ts";
import { parsePng } from "../../platform/png/read.ts";
import { makeChunk } from "../../platform/png/support/make-chunk.ts";

const workerUrl = new URL("frame-worker.ts", import.meta.url);
const bounds: [number, number, number, number] = [-98, 35.8, -94, 36];
const cells = {
  columns: 400,
  rows: 20,
  westUdeg: -98_000_000,
  northUdeg: 36_000_000,
  spacingXUdeg: 10_000,
  spacingYUdeg: 10_000,
};

/** Stores frames that draw one class everywhere, or what `toIndex` makes of it; returns their ids. */
async function storeFrames(
  directory: string,
  classes: readonly number[],
  toIndex: (index: number, cell: number) => number = (index) => index,
  edges = [5, 10, 20, 40],
): Promise<string[]> {
  const frames = createFrameStore({ directory });
  const block = { rowStart: 0, rowEnd: 20, columnStart: 0, columnEnd: 400 };
  const coverage = { bounds, width: 40, height: 2, bits: new Uint8Array(10).fill(0xff) };
  const table = { product: reflectivity.id, unit: reflectivity.unit, edges };
  const ids: string[] = [];
  for (const index of classes) {
    const highest = Uint8Array.from({ length: 8000 }, (_, cell) => toIndex(index, cell));
    ids.push(await frames.put(await encodeSwath({ classes: table, coverage, cells, block, highest })));
  }
  return ids;
}

type Result = FrameJobs["place"]["result"];

async function readAll(
  frameIds: readonly string[],
  options: Pick<CrewOptions<"place">, "location" | "signal" | "onResult">,
): Promise<void> {
  const items = frameIds.map((frameId) => ({ frameId, bounds }));
  await runCrew(items.length, { kind: "place", setup: [-97.8, 35.9], items }, { ...options, workerUrl });
}

test("a crew passes on the results in the order of the frames, also those that cannot be read", async () => {
  const directory = await temporaryDirectory();
  const [first, second, third] = await storeFrames(directory, [1, 2, 4]);
  const results: Result[] = [];
  const missing = "0".repeat(64);
  await readAll([third!, missing, first!, second!, first!], {
    location: atDirectory(directory),
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

/** Replaces the deflated picture of a PNG. */
function withPicture(png: Buffer, replace: (deflated: Uint8Array) => Uint8Array): Buffer {
  const { content, offset } = parsePng(png).chunks.find(({ type }) => type === "IDAT")!;
  const picture = makeChunk("IDAT", replace(content));
  return Buffer.concat([png.subarray(0, offset - 8), picture, makeChunk("IEND", Buffer.alloc(0))]);
}

test("a swath reads a picture that repeats several bytes, and no other again", async () => {
  const directory = await temporaryDirectory();
  const frameIds = await storeFrames(
    directory,
    [1, 3, 2],
    (index, cell) => index + (((cell * 7919) % 11) & 1),
  );
  const store = createFrameStore({ directory });
  const png = Buffer.from((await store.read(frameIds[1]!))!);
  const other = await store.put(
    withPicture(png, (deflated) => deflateSync(inflateSync(deflated), { level: 9 })),
  );
  expect(other).not.toBe(frameIds[1]);
  const reference = await decodeCells(png, bounds);
  if (typeof reference === "string") throw new Error(reference);
  const reads: string[] = [];
  const work = frameWorks.swath(
    {
      ...store,
      read: (frameId) => {
        reads.push(frameId);
        return store.read(frameId);
      },
    },
    reference,
  );
  const ids = [frameIds[0]!, other, frameIds[2]!];
  for (const frameId of ids) expect(await work.run({ frameId, bounds })).toBe("used");
  expect([...work.finish()!.highest]).toEqual(
    Array.from({ length: 8000 }, (_, cell) => 3 + (((cell * 7919) % 11) & 1)),
  );
  expect(reads).toEqual([ids[0], other, other, ids[2]]);
});

test("a swath without a damaged picture has the cells of the others", async () => {
  const directory = await temporaryDirectory();
  // Too rough for long runs, so that some cells are raised before the damage is found.
  const frameIds = await storeFrames(
    directory,
    [2, 4, 3],
    (index, cell) => index - (((cell * 7919) % 11) & 1),
  );
  const store = createFrameStore({ directory });
  const png = Buffer.from((await store.read(frameIds[1]!))!);
  // Cut short, but with the checksums of a whole PNG.
  const damaged = await store.put(withPicture(png, (deflated) => deflated.subarray(0, -12)));
  const reference = await decodeCells((await store.read(frameIds[0]!))!, bounds);
  if (typeof reference === "string") throw new Error(reference);
  const work = frameWorks.swath(store, reference);
  const uses: string[] = [];
  for (const frameId of [frameIds[0]!, damaged, frameIds[2]!]) uses.push(await work.run({ frameId, bounds }));
  expect(uses).toEqual(["used", "failed", "used"]);
  expect(new Set(work.finish()!.highest)).toEqual(new Set([2, 3]));
});

test("a swath whose first pictures turn out to be damaged has the classes of the first sound one", async () => {
  const directory = await temporaryDirectory();
  const toRough = (index: number, cell: number): number => index - (((cell * 7919) % 11) & 1);
  const [other] = await storeFrames(directory, [2], toRough, [1, 2]);
  const sound = await storeFrames(directory, [2, 4, 3], toRough);
  const frames = createFrameStore({ directory });
  const damaged: string[] = [];
  for (const frameId of [other!, sound[0]!]) {
    const png = Buffer.from((await frames.read(frameId))!);
    damaged.push(await frames.put(withPicture(png, (deflated) => deflated.subarray(0, -12))));
  }
  const revisions = [...damaged, ...sound].map((frameId, index) => {
    const observedAt = `2026-05-01T21:0${index * 2}:00Z`;
    const layer = { id: reflectivity.id, observedAt, imageUrl: frameId, frameId, bounds };
    const revisionId = `revision-${index}`;
    return { revisionId, publishedAt: observedAt, observedAt, sequence: index + 1, layers: [layer] };
  });
  const { line, swath } = await makeSwath(
    { revisions, layer: reflectivity.id, span: {} },
    {
      ...{ frames, workerUrl, location: atDirectory(directory), onProgress: () => undefined },
      signal: new AbortController().signal,
    },
  );
  expect(line.windows).toEqual({
    used: 3,
    missing: revisions.slice(0, 2).map(({ observedAt }) => ({ observedAt, why: "failed" })),
  });
  const lower = Array.from({ length: 8000 }, (_, cell) => toRough(4, cell) === 3).filter(Boolean).length;
  expect(line.histogram).toEqual([
    [20, lower],
    [40, 8000 - lower],
  ]);
  expect(swath?.classes.edges).toEqual([5, 10, 20, 40]);
});

test("a crew ends with the reason of an interrupt", async () => {
  const directory = await temporaryDirectory();
  const [frameId] = await storeFrames(directory, [3]);
  const controller = new AbortController();
  const reason = new Error("interrupted");
  const results: Result[] = [];
  const many = Array.from({ length: 20_000 }, () => frameId!);
  const reading = readAll(many, {
    location: atDirectory(directory),
    signal: controller.signal,
    onResult: (result) => {
      results.push(result);
      controller.abort(reason);
    },
  });
  await expect(reading).rejects.toBe(reason);
  expect(results.length).toBeLessThan(many.length);
});
