// The job of the crash tests: a folder of small MRMS files, the expected revisions, and processes that ingest it.
import { spawn } from "node:child_process";
import { mkdirSync, utimesSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { MrmsManifest } from "../../shared/contract/manifest.ts";
import type { ReadableCatalog } from "../../electron/catalog/catalog.ts";
import { createFrameStore } from "../../electron/catalog/files/file-frame-store.ts";
import { openCatalog, openReadableCatalog } from "../../electron/catalog/sqlite/open-catalog.ts";
import { verifyDirectory } from "../../electron/catalog/verify/verify-directory.ts";
import { ingestPaths } from "../../electron/pipeline/ingest/ingest-paths.ts";
import { createRenderPool, type RenderPool } from "../../electron/pipeline/ingest/render-pool.ts";
import { writeGribFile } from "../../electron/support/grib-files.ts";
import type { ChildLine, ChildRequest } from "./ingest-child.ts";

export const event = "storm";
const windows = 7;
const childFile = fileURLToPath(new URL("ingest-child.ts", import.meta.url));

export interface StormJob {
  readonly root: string;
  readonly mesh: string;
  readonly reflectivity: string;
  /** Paths of both folders. */
  readonly paths: readonly string[];
  readonly fileCount: number;
}

/** A job, its expected revisions, and the means to finish it in this process. */
export interface StormTrial extends StormJob {
  /** Revisions in the form of {@link readRevisions}. */
  readonly expected: readonly string[];
  /** Ingests the rest of the job into a directory. */
  finish(data: string): Promise<void>;
  /** Removes the files and every directory below `root`. */
  close(): Promise<void>;
}

export async function createStormTrial(options: StormJobOptions): Promise<StormTrial> {
  const root = await mkdtemp(join(tmpdir(), "echotop-crash-"));
  const job = writeStormJob(root, options);
  const pool = createRenderPool({
    workerUrl: new URL("../../electron/pipeline/ingest/render-worker.ts", import.meta.url),
    size: 1,
  });
  const finish = (data: string): Promise<void> => finishJob(data, job.paths, pool);
  const whole = join(root, "expected");
  await finish(whole);
  const expected = await readRevisions(whole);
  const close = async (): Promise<void> => {
    await pool.close();
    await rm(root, { recursive: true, force: true });
  };
  return { ...job, expected, finish, close };
}

interface StormJobOptions {
  /**
   * True to add a file that corrects an earlier time. With two concurrent processes, the result depends on which is
   * ahead.
   */
  readonly correction: boolean;
}

/** Writes both products for most windows and only hail for one; every picture is unique. */
function writeStormJob(root: string, { correction }: StormJobOptions): StormJob {
  const mesh = join(root, "mesh");
  const reflectivity = join(root, "reflectivity");
  mkdirSync(mesh);
  mkdirSync(reflectivity);
  let fileCount = 0;
  const write = (folder: string, minute: number, second: number, shade: number, name?: string): void => {
    const product = folder === mesh ? "mrms-mesh" : "mrms-reflectivity";
    const observedAt = new Date(Date.UTC(2024, 4, 1, 20, minute, second)).toISOString();
    const values = (row: number, column: number): number => ((row * 7 + column + shade) % 12) * 5;
    const path = writeGribFile(folder, { product, observedAt, values, ...(name ? { name } : {}) });
    utimesSync(path, 1_700_000_000 + fileCount, 1_700_000_000 + fileCount);
    fileCount += 1;
  };
  for (let window = 0; window < windows; window += 1) {
    write(mesh, 2 * window, 39, window);
    if (window !== 2) write(reflectivity, 2 * window, 40, window);
  }
  if (correction) write(mesh, 6, 39, 100, "MRMS_MESH_00.50_20240501-200639_corrected.grib2.gz");
  const paths = [mesh, reflectivity];
  return { root, mesh, reflectivity, paths, fileCount };
}

export interface ChildEnd {
  readonly lines: readonly ChildLine[];
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly errors: string;
}

export interface ChildLimits {
  /** Maximum size of a file in KiB; larger writes fail. */
  readonly fileKib?: number;
}

/** Runs a child until it ends or is killed. */
export function runChild(request: ChildRequest, { fileKib }: ChildLimits = {}): Promise<ChildEnd> {
  const args = [childFile, JSON.stringify(request)];
  // A shared compile cache lets children start faster.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(dirname(request.data), "compile-cache") };
  // The shell counts in blocks of 512 bytes.
  const child =
    fileKib === undefined
      ? spawn(process.execPath, args, { env })
      : spawn("sh", ["-c", `ulimit -f ${2 * fileKib} && exec "$0" "$@"`, process.execPath, ...args], { env });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const complete = output.slice(0, output.lastIndexOf("\n") + 1).split("\n");
      const lines = complete.filter((line) => line !== "").map((line) => JSON.parse(line) as ChildLine);
      resolve({ lines, code, signal, errors });
    });
  });
}

async function finishJob(data: string, paths: readonly string[], pool: RenderPool): Promise<void> {
  const catalog = await openCatalog({ directory: data, now: () => new Date() });
  const frames = createFrameStore({ directory: data });
  try {
    await ingestPaths({
      paths,
      event: { id: event },
      catalog,
      frames,
      pool,
      onFile: (result) => {
        if (result.status === "failed") throw new Error(result.error);
      },
    });
  } finally {
    await catalog.close();
  }
}

/**
 * Returns sequence, and time and frame of each layer, for all revisions of the event; empty if there is no catalog yet.
 */
export async function readRevisions(data: string): Promise<string[]> {
  let catalog: ReadableCatalog;
  try {
    catalog = await openReadableCatalog({ directory: data });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "not-found") return [];
    throw error;
  }
  try {
    const revisions = await catalog.listRevisions(event, 360);
    return revisions.map(({ sequence, manifest }) => {
      const { layers } = MrmsManifest.parse(JSON.parse(Buffer.from(manifest).toString("utf8")));
      const shown = layers.map(
        ({ observedAt, imageUrl }) => `${observedAt} ${basename(imageUrl).slice(0, 8)}`,
      );
      return `${sequence}: ${shown.join(", ")}`;
    });
  } finally {
    await catalog.close();
  }
}

/** Returns the faults that `verify` finds in a directory; empty if it is sound. */
export async function findFaults(data: string): Promise<unknown[]> {
  const { findings } = await verifyDirectory(data);
  return findings.filter(({ severity }) => severity === "fault");
}
