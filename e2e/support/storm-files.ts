// Fills a data directory with short storms, through the same commands that users run.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../../electron/pipeline/demo/random.ts";
import { MrmsHistory, MrmsManifest } from "../../shared/contract/index.ts";
import { productIds } from "../../shared/contract/primitives.ts";
import { windowMs } from "../../shared/revisions/observation-window.ts";
import { writeGribFile } from "../../electron/support/grib-files.ts";
import { runCommand, type FinishedCommand } from "../../electron/support/host-process.ts";

const startMs = Date.UTC(2024, 4, 1, 20, 0, 39);

export interface WindowsDraft {
  readonly first: number;
  readonly count: number;
  /** Offset of the values, to give two storms different pictures. */
  readonly shade?: number;
  /** True to give each frame several hundred thousand incompressible bytes. */
  readonly isLarge?: boolean;
}

/** Writes files of both products of `count` windows into a new folder, starting with window `first`. */
export function writeWindows(
  folder: string,
  { first, count, shade = 0, isLarge = false }: WindowsDraft,
): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return Array.from({ length: count }, (_, index) =>
    productIds.map((product) =>
      writeGribFile(folder, {
        product,
        observedAt: new Date(startMs + (first + index) * windowMs).toISOString(),
        ...(isLarge
          ? { columns: 800, rows: 500, values: noiseOf(first + index) }
          : {
              values: (row: number, column: number) =>
                20 + ((row * 3 + column * 5 + (first + index) * 7 + shade) % 50),
            }),
      }),
    ),
  ).flat();
}

/** Ingests both products of `count` windows, starting with window `first`. */
export async function ingestWindows(data: string, event: string, draft: WindowsDraft): Promise<void> {
  const files = writeWindows(join(data, "..", `files-${event}-${draft.first}`), draft);
  const { status, stderr } = await runCommand(["ingest", "--data", data, "--event", event, ...files]);
  if (status !== 0) throw new Error(`ingest ended with ${String(status)}: ${stderr}`);
}

/** Returns a rule for values from 5 to 75 without a pattern. */
function noiseOf(window: number): (row: number, column: number) => number {
  const random = createRandom(window + 1);
  return () => 5 + Math.floor(random() * 700) / 10;
}

/** Runs `echotop pack …` on a data directory. */
export function pack(data: string, ...args: readonly string[]): Promise<FinishedCommand> {
  const [name = "", ...rest] = args;
  return runCommand(["pack", name, "--data", data, ...rest]);
}

/** Reads all of an event that a client of the storm service can see: bytes and ETags by path. */
export async function readEvent(
  origin: string,
  event: string,
): Promise<ReadonlyMap<string, { readonly etag: string | null; readonly bytes: string }>> {
  const seen = new Map<string, { etag: string | null; bytes: string }>();
  const read = async (path: string): Promise<Buffer> => {
    const response = await fetch(`${origin}${path}`);
    if (!response.ok) throw new Error(`${path} responded with status ${response.status}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    seen.set(path, { etag: response.headers.get("etag"), bytes: bytes.toString("base64") });
    return bytes;
  };
  const list = await fetch(`${origin}/v1/storm-events/${event}/revisions?limit=360`);
  const { frames } = MrmsHistory.parse(await list.json());
  for (const { revisionId } of frames) {
    const manifest = await read(`/v1/storm-events/${event}/revisions/${revisionId!}/manifest`);
    for (const { imageUrl } of MrmsManifest.parse(JSON.parse(manifest.toString("utf8"))).layers)
      await read(imageUrl);
  }
  return seen;
}
