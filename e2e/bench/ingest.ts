// Rows 1 and 2: from a gzipped CONUS file to a published revision, against GDAL making the same picture: gunzip, warp
// to EPSG:3857, color relief, PNG. Both run as whole processes and alternate in one run.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { classEdges, stopOfClass } from "../../shared/products/product.ts";
import { defaultPalette, stopColors, toRgba } from "../../shared/products/palettes.ts";
import { reflectivity } from "../../shared/products/reflectivity.ts";
import {
  echotopProgram,
  makeTemporaryDirectory,
  projectRoot,
  removeDirectory,
} from "../../electron/support/host-process.ts";
import type { BenchRow } from "./bench-row.ts";
import { loadConusMessage, writeConusFiles } from "./conus-files.ts";
import { median, runTimed, type TimedRun } from "./timed-process.ts";

const rounds = 5;
const manyFiles = 30;
const gdalTools = ["gdalwarp", "gdaldem", "gunzip"] as const;

function isInstalled(tool: string): boolean {
  return spawnSync(tool, ["--version"], { stdio: "ignore" }).error === undefined;
}

/** Writes the class table as GDAL's color file: a value and its color per line, transparent below the first class. */
function writeColorFile(directory: string): string {
  const colors = stopColors(reflectivity, defaultPalette).map(toRgba);
  const stops = stopOfClass(reflectivity);
  const lines = classEdges(reflectivity).map((edge, index) => {
    return `${edge} ${colors[stops[index]!]!.join(" ")}`;
  });
  const path = join(directory, "colors.txt");
  writeFileSync(path, ["-9999 0 0 0 0", "4.99 0 0 0 0", ...lines].join("\n"));
  return path;
}

function runOurs(paths: readonly string[], directory: string): Promise<TimedRun> {
  const data = join(directory, "data");
  rmSync(data, { recursive: true, force: true });
  const args = [echotopProgram, "ingest", "--data", data, "--event", "bench", ...paths];
  return runTimed(process.execPath, args, projectRoot);
}

async function runGdal(path: string, directory: string, colors: string): Promise<TimedRun> {
  const grib = join(directory, "peer.grib2");
  const warped = join(directory, "peer.tif");
  const png = join(directory, "peer.png");
  for (const file of [grib, warped, png]) rmSync(file, { force: true });
  const parts = [
    await runTimed("sh", ["-c", 'exec gunzip -c "$0" > "$1"', path, grib], directory),
    await runTimed("gdalwarp", ["-q", "-t_srs", "EPSG:3857", "-r", "near", grib, warped], directory),
    await runTimed("gdaldem", ["color-relief", "-q", "-alpha", "-of", "PNG", warped, colors, png], directory),
  ];
  return {
    wallMs: parts.reduce((sum, { wallMs }) => sum + wallMs, 0),
    peakMib: parts.reduce<number | null>(
      (most, { peakMib }) => (peakMib === null ? most : Math.max(most ?? 0, peakMib)),
      null,
    ),
  };
}

function peak(runs: readonly TimedRun[]): number | null {
  const peaks = runs.flatMap(({ peakMib }) => (peakMib === null ? [] : [peakMib]));
  return peaks.length === 0 ? null : median(peaks);
}

export async function run(): Promise<BenchRow[]> {
  const directory = makeTemporaryDirectory("bench-ingest");
  try {
    const conus = loadConusMessage();
    mkdirSync(join(directory, "in"));
    const paths = writeConusFiles(conus, join(directory, "in"), manyFiles);
    const missing = gdalTools.find((tool) => !isInstalled(tool));
    const colors = writeColorFile(directory);
    const peerName = missing === undefined ? "GDAL" : `${missing} is not installed`;

    // Fills the caches first: programs and files on disk, and Node's compiled code.
    await runOurs([paths[0]!], directory);
    if (missing === undefined) await runGdal(paths[0]!, directory, colors);
    const ours: TimedRun[] = [];
    const peer: TimedRun[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await runOurs([paths[0]!], directory));
      if (missing === undefined) peer.push(await runGdal(paths[0]!, directory, colors));
    }
    const many = await runOurs(paths, directory);
    let peerManyMs: number | null = null;
    if (missing === undefined) {
      peerManyMs = 0;
      for (const path of paths) peerManyMs += (await runGdal(path, directory, colors)).wallMs;
    }
    return toRows({
      ours,
      peer,
      many,
      peerManyMs,
      peerName,
      note: `${conus.source}; ${availableParallelism()} cores`,
    });
  } finally {
    removeDirectory(directory);
  }
}

interface Figures {
  readonly ours: readonly TimedRun[];
  readonly peer: readonly TimedRun[];
  readonly many: TimedRun;
  readonly peerManyMs: number | null;
  readonly peerName: string;
  readonly note: string;
}

function toRows({ ours, peer, many, peerManyMs, peerName, note }: Figures): BenchRow[] {
  const compare = (mine: number, theirs: number | null, least: number) => ({
    ours: mine,
    peer: theirs,
    peerName,
    ratio: theirs === null ? null : theirs / mine,
    met: theirs === null ? null : theirs / mine >= least,
    note,
  });
  const oursMs = median(ours.map(({ wallMs }) => wallMs));
  const peerMs = peer.length === 0 ? null : median(peer.map(({ wallMs }) => wallMs));
  const rows: BenchRow[] = [
    {
      row: 1,
      name: "one CONUS grib2.gz to a published revision",
      metric: "ms, whole process",
      target: "10x faster",
      ...compare(oursMs, peerMs, 10),
    },
  ];
  const oursMib = peak(ours);
  if (oursMib !== null) {
    rows.push({
      row: 1,
      name: "one CONUS grib2.gz to a published revision, peak memory",
      metric: "MiB",
      target: "less than a third",
      ...compare(oursMib, peak(peer), 3),
    });
  }
  rows.push({
    row: 2,
    name: `${manyFiles} CONUS files`,
    metric: "ms, whole process",
    target: "15x faster",
    ...compare(many.wallMs, peerManyMs, 15),
  });
  return rows;
}
