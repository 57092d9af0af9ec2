// An ingest process that a test kills at a chosen moment: `node ingest-child.ts '{"data":…,"paths":[…],…}'`. Prints one
// JSON line per file, and at the end its duration or its error.
import { Worker } from "node:worker_threads";
import { isAppError } from "../../shared/app-error.ts";
import { createFrameStore } from "../../electron/catalog/files/file-frame-store.ts";
import { openCatalog } from "../../electron/catalog/sqlite/open-catalog.ts";
import { ingestPaths } from "../../electron/pipeline/ingest/ingest-paths.ts";
import type { FileResult } from "../../electron/pipeline/ingest/ingest-report.ts";
import { createRenderPool } from "../../electron/pipeline/ingest/render-pool.ts";

export interface ChildRequest {
  readonly data: string;
  readonly paths: readonly string[];
  readonly event: string;
  /**
   * True to draw in worker threads, as in real use; false to draw in this thread, so that most of the time is
   * publication.
   */
  readonly workers: boolean;
  /** Makes the event an operational feed and prunes it to this length once the files are published. */
  readonly keepMs?: number;
  readonly kill?: KillPoint;
}

/**
 * Sends SIGKILL `ms` milliseconds after `files` files were reported; after 0 files, the time starts when the catalog
 * opens.
 */
export interface KillPoint {
  readonly files: number;
  readonly ms: number;
}

export type ChildLine =
  | { readonly status: "complete" | "unchanged" | "failed"; readonly file: string; readonly atMs: number }
  | { readonly pruned: number; readonly prunedMs: number }
  | { readonly elapsedMs: number }
  | { readonly error: { readonly code: string; readonly detail: string } };

/** A separate thread sends the signal, so that it arrives even while this thread is busy. */
const killer = `
  const { parentPort, workerData } = require("node:worker_threads");
  const flag = new Int32Array(workerData.flag);
  parentPort.postMessage("armed");
  Atomics.wait(flag, 0, 0);
  Atomics.wait(flag, 0, 1, workerData.ms);
  process.kill(process.pid, "SIGKILL");`;

async function armKiller(ms: number): Promise<() => void> {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(killer, { eval: true, workerData: { flag: flag.buffer, ms } });
  worker.unref();
  await new Promise((resolve) => worker.once("message", resolve));
  return () => {
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
}

function print(line: ChildLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function run({ data, paths, event, workers, keepMs, kill }: ChildRequest): Promise<void> {
  const startClock = kill ? await armKiller(kill.ms) : () => undefined;
  const worker = workers ? "../../electron/pipeline/ingest/render-worker.ts" : "./no-such-worker.ts";
  const pool = createRenderPool({ workerUrl: new URL(worker, import.meta.url), size: 2 });
  const startedMs = performance.now();
  let reported = 0;
  const onFile = ({ status, file }: FileResult): void => {
    print({ status, file, atMs: performance.now() - startedMs });
    reported += 1;
    if (reported === kill?.files) startClock();
  };
  if (kill?.files === 0) startClock();
  try {
    const catalog = await openCatalog({ directory: data, now: () => new Date() });
    const frames = createFrameStore({ directory: data });
    const kind = keepMs === undefined ? "historical-event" : "operational-feed";
    await ingestPaths({ paths, event: { id: event, kind }, catalog, frames, pool, onFile });
    if (keepMs !== undefined) {
      const fromMs = performance.now();
      const { revisions } = await catalog.prune(event, keepMs);
      print({ pruned: revisions, prunedMs: performance.now() - fromMs });
    }
    await catalog.close();
    print({ elapsedMs: performance.now() - startedMs });
  } catch (error) {
    if (!isAppError(error)) throw error;
    print({ error: { code: error.code, detail: error.detail } });
    process.exitCode = 1;
  } finally {
    await pool.close();
  }
}

await run(JSON.parse(process.argv[2]!) as ChildRequest);
