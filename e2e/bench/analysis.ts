// The difference of two frames of the whole country, and the swath of sixty from disk, against numpy and Pillow
// doing the same work on the same frames. The answers are compared.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { openReadableCatalog } from "../../electron/catalog/sqlite/open-catalog.ts";
import { createFrameStore } from "../../electron/catalog/files/file-frame-store.ts";
import { decodeCells } from "../../electron/host/analysis/decode-cells.ts";
import { readHistory, type HistoryLayer } from "../../electron/host/analysis/event-history.ts";
import {
  echotopProgram,
  makeTemporaryDirectory,
  projectRoot,
  removeDirectory,
} from "../../electron/support/host-process.ts";
import { toCellGround, type CellFrame } from "../../shared/analysis/cell-frame.ts";
import { measureDifference } from "../../shared/analysis/difference.ts";
import { findCell } from "../../shared/geo/grid.ts";
import { reflectivity } from "../../shared/products/reflectivity.ts";
import type { BenchRow } from "./bench-row.ts";
import {
  conus,
  loadConusMessage,
  makeConusMessage,
  writeMovingConusFiles,
  type ConusMessage,
} from "./conus-files.ts";
import { median, runTimed } from "./timed-process.ts";

const frameCount = 60;
const differenceRounds = 15;
const swathRounds = 3;
const leastDifferenceRatio = 5;
const mostDifferenceMs = 120;
const leastSwathRatio = 10;
const peerScript = join(import.meta.dirname, "analysis", "numpy-peer.py");

/** Python may be there several times; the first that has both packages counts. */
const python = ["python3", "/usr/bin/python3"].find(
  (program) => spawnSync(program, ["-c", "import numpy, PIL"], { stdio: "ignore" }).status === 0,
);
const peerName =
  python === undefined ? "python3-numpy and python3-pil are not installed" : "numpy and Pillow";

export async function run(): Promise<BenchRow[]> {
  const real = loadConusMessage();
  const messages = real.source === "real file" ? [real, makeConusMessage()] : [real];
  const rows: BenchRow[] = [];
  for (const message of messages) rows.push(...(await runWith(message)));
  return rows;
}

async function runWith(message: ConusMessage): Promise<BenchRow[]> {
  const directory = makeTemporaryDirectory("bench-analysis");
  try {
    const data = join(directory, "data");
    mkdirSync(join(directory, "in"));
    writeMovingConusFiles(message, join(directory, "in"), frameCount);
    const args = [echotopProgram, "ingest", "--data", data, "--event", "bench", join(directory, "in")];
    await runTimed(process.execPath, args, projectRoot);
    const frames = await loadFrames(data);
    const note = `${message.source}; ${availableParallelism()} cores`;
    return [
      compareDifferences(frames, directory, note),
      await compareSwaths(frames, { data, directory, note }),
    ];
  } finally {
    removeDirectory(directory);
  }
}

interface LoadedFrame {
  readonly cells: CellFrame;
  /** The frame for the peer. */
  readonly plain: object;
}

async function loadFrames(data: string): Promise<LoadedFrame[]> {
  const catalog = await openReadableCatalog({ directory: data });
  const store = createFrameStore({ directory: data, cacheByteLimit: 0 });
  const { revisions } = await readHistory(catalog, "bench", new AbortController().signal);
  await catalog.close();
  const loaded: LoadedFrame[] = [];
  for (const { layers } of revisions) {
    const { frameId, bounds } = layers[0]!;
    const cells = await decodeCells((await store.read(frameId))!, bounds);
    if (typeof cells === "string") throw new Error(`A frame is ${cells}.`);
    loaded.push({ cells, plain: toPlain(data, layers[0]!, cells) });
  }
  return loaded;
}

/** Returns the pixel rows too, which the decoded cells no longer need. */
function toPlain(
  data: string,
  { frameId, bounds }: HistoryLayer,
  { cells, block, coverage, grid }: CellFrame,
): object {
  const file = join(data, "frames", frameId.slice(0, 2), `${frameId}.png`);
  const { width, height, bits } = coverage;
  const heightPx = countPngRows(file);
  const frame = { bounds, widthPx: grid.widthPx, heightPx };
  const { pixelRows } = toCellGround(frame, coverage)!;
  return {
    ...{ file, pixelRows: [...pixelRows], rowStart: block.rowStart, columnStart: block.columnStart },
    ...{ rows: cells!.rows, coverage: { width, height, bits: Buffer.from(bits).toString("hex") } },
  };
}

function countPngRows(file: string): number {
  return readFileSync(file).readUInt32BE(20);
}

function writeTask(directory: string, task: object): string {
  const path = join(directory, "task.json");
  writeFileSync(path, JSON.stringify({ rows: conus.rows, columns: conus.columns, ...task }));
  return path;
}

function compareDifferences(frames: readonly LoadedFrame[], directory: string, note: string): BenchRow {
  const [before, after] = [frames[0]!, frames[1]!];
  const elapsed: number[] = [];
  let answer = measureDifference(before.cells, after.cells);
  for (let round = 0; round < differenceRounds; round += 1) {
    const startedMs = performance.now();
    answer = measureDifference(before.cells, after.cells);
    elapsed.push(performance.now() - startedMs);
  }
  const ours = median(elapsed);
  let peer: number | null = null;
  if (python !== undefined) {
    const frameList = [before.plain, after.plain];
    const task = writeTask(directory, { kind: "difference", rounds: differenceRounds, frames: frameList });
    const { stdout, stderr } = spawnSync(python, [peerScript, task], { encoding: "utf8" });
    if (stdout === "") throw new Error(stderr);
    const { result, elapsedMs } = JSON.parse(stdout) as { result: number[]; elapsedMs: number[] };
    const { up, down, appeared, vanished } = answer.cells;
    const rise = answer.biggestRise!;
    const place = findCell(conus, ...rise.coordinate)!;
    const mine = [up, down, appeared, vanished, rise.classes, place.row * conus.columns + place.column];
    if (String(mine) !== String(result)) throw new Error(`${String(mine)} is not ${String(result)}`);
    peer = median(elapsedMs);
  }
  const ratio = peer === null ? null : peer / ours;
  return {
    ...{ row: 0, name: "difference of two decoded CONUS frames", metric: "ms", ours, peer, peerName, ratio },
    target: `${leastDifferenceRatio}x, below ${mostDifferenceMs} ms`,
    met: ratio === null ? null : ratio >= leastDifferenceRatio && ours < mostDifferenceMs,
    note,
  };
}

interface SwathPlace {
  readonly data: string;
  readonly directory: string;
  readonly note: string;
}

/** Whole processes, alternating. */
async function compareSwaths(
  frames: readonly LoadedFrame[],
  { data, directory, note }: SwathPlace,
): Promise<BenchRow> {
  const args = [echotopProgram, "swath", "bench", "--layer", reflectivity.id, "--data", data];
  const task = writeTask(directory, { kind: "swath", frames: frames.map(({ plain }) => plain) });
  if (python !== undefined) checkSwaths(args, [python, peerScript, task]);
  const ours: number[] = [];
  const peer: number[] = [];
  for (let round = 0; round < swathRounds; round += 1) {
    ours.push((await runTimed(process.execPath, args, projectRoot)).wallMs);
    if (python !== undefined) peer.push((await runTimed(python, [peerScript, task], projectRoot)).wallMs);
  }
  const mine = median(ours);
  const theirs = python === undefined ? null : median(peer);
  const ratio = theirs === null ? null : theirs / mine;
  return {
    ...{ row: 0, name: `swath of ${frameCount} CONUS frames from disk`, metric: "ms a process" },
    ...{ ours: mine, peer: theirs, peerName, ratio, target: `${leastSwathRatio}x` },
    met: ratio === null ? null : ratio >= leastSwathRatio,
    note,
  };
}

/** Fills the caches of both, and compares their answers. */
function checkSwaths(args: readonly string[], [program, ...peerArgs]: [string, ...string[]]): void {
  const run = (command: string, list: readonly string[]): unknown =>
    JSON.parse(spawnSync(command, list, { encoding: "utf8", cwd: projectRoot }).stdout);
  const { histogram } = run(process.execPath, args) as { histogram: [number, number][] };
  const { result } = run(program, peerArgs) as { result: number[] };
  const counts = result.filter((count) => count > 0);
  if (String(counts) !== String(histogram.map(([, cells]) => cells))) throw new Error("The swaths differ.");
}
