// One day of a feed on full-size grids, in its own process. Arguments: the data directory, the result file, and
// optionally the number of windows, if not the whole day.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFrameStore } from "../../../electron/catalog/files/file-frame-store.ts";
import { createSourceStore } from "../../../electron/catalog/files/file-source-store.ts";
import { openCatalog } from "../../../electron/catalog/sqlite/open-catalog.ts";
import { createBucketSource } from "../../../electron/sources/feeds/bucket-source.ts";
import { startFeed } from "../../../electron/sources/feeds/start-feed.ts";
import { createSteppedClock } from "../../../electron/sources/feeds/support/stepped-clock.ts";
import { toFeedTiming } from "../../../electron/host/config/config-file.ts";
import { createRenderPool } from "../../../electron/pipeline/ingest/render-pool.ts";
import { createDay, windowsADay } from "../../feed/day-script.ts";
import { startBucketServer } from "../../../electron/support/bucket-server.ts";
import { createFullSizeMessages } from "./full-size.ts";

export interface DayResult {
  readonly source: string;
  readonly windows: number;
  readonly files: number;
  readonly revisions: number;
  readonly expectedRevisions: number;
  readonly failed: number;
  readonly elapsedMs: number;
}

const startMs = Date.parse("2024-05-20T00:00:00Z");
const windowMs = 120_000;
/** Time after the last window for late files. */
const settleMs = 40 * 60_000;

const [directory, resultFile, windowsText] = process.argv.slice(2);
if (directory === undefined || resultFile === undefined)
  throw new Error("run-day DIRECTORY RESULT [WINDOWS]");
const windows = Number(windowsText ?? windowsADay);

const { makeMessage, source } = createFullSizeMessages();
const server = await startBucketServer();
const clock = createSteppedClock(startMs);
const pool = createRenderPool({
  workerUrl: new URL("../../../electron/pipeline/ingest/render-worker.ts", import.meta.url),
});
const catalog = await openCatalog({ directory, now: clock.effects.now });
const frames = createFrameStore({ directory, cacheByteLimit: 0 });
const day = createDay({ server, startMs, makeMessage, nowMs: () => clock.nowMs() });

const startedMs = performance.now();
const feed = await startFeed({
  source: createBucketSource({
    name: `bucket:${server.url}`,
    url: server.url,
    fetch,
    limits: { answerMs: 5000, windowMs: 1000, minWindowBytes: 1000 },
  }),
  eventId: "conus-live",
  label: "CONUS live",
  timing: toFeedTiming(undefined),
  catalog,
  frames,
  pool,
  stagingFolder: join(directory, "staging"),
  sources: createSourceStore({ directory }),
  effects: clock.effects,
});
const isWholeDay = windows === windowsADay;
await clock.runUntil(startMs + windows * windowMs + (isWholeDay ? settleMs : 0), () => {
  day.apply();
});
const elapsedMs = performance.now() - startedMs;
const { counts } = feed.health()[0]!;
await feed.close();
await pool.close();
await catalog.close();
await server.close();

const result: DayResult = {
  source,
  windows,
  files: counts.received,
  revisions: counts.published,
  expectedRevisions: day.expected.reduce((sum, { revisions }) => sum + revisions, 0),
  failed: counts.failed,
  elapsedMs,
};
writeFileSync(resultFile, JSON.stringify(result));
