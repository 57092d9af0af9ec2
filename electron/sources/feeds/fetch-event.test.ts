import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendObject } from "../../support/bucket-server.ts";
import { isAppError, type ErrorCode } from "../../../shared/app-error.ts";
import { createFrameStore } from "../../catalog/files/file-frame-store.ts";
import { createSourceStore } from "../../catalog/files/file-source-store.ts";
import { createRenderPool, type RenderPool } from "../../pipeline/ingest/render-pool.ts";
import type { FileResult } from "../../pipeline/ingest/ingest-report.ts";
import { createBucketSource } from "./bucket-source.ts";
import { fetchEvent, type FetchOptions } from "./fetch-event.ts";
import type { MissingWindows } from "./list-event.ts";
import { createFeedTrial, limits, type FeedTrial } from "./support/feed-trial.ts";

let pool: RenderPool;
beforeAll(() => {
  pool = createRenderPool({
    workerUrl: new URL("../../pipeline/ingest/render-worker.ts", import.meta.url),
    size: 1,
  });
});
afterAll(() => pool.close());

const id = "plains-2024-05-20";
const day = "2024-05-20T";
const mesh = "mrms-mesh";
const reflectivity = "mrms-reflectivity";

interface FetchTrial extends FeedTrial {
  readonly files: FileResult[];
  readonly missing: MissingWindows[];
  fetch(changes?: Partial<FetchOptions>): ReturnType<typeof fetchEvent>;
}

/** A registered hour from 21:00, fetched a week later, with waits that take no time. */
async function createFetchTrial(): Promise<FetchTrial> {
  const trial = await createFeedTrial(pool, "2024-05-27T00:00:00Z");
  const { catalog, directory, server, clock } = trial;
  const window = { startedAt: `${day}21:00:00Z`, endedAt: `${day}21:20:00Z` };
  await catalog.registerEvent({ id, label: "Plains", ...window });
  const files: FileResult[] = [];
  const missing: MissingWindows[] = [];
  return {
    ...trial,
    files,
    missing,
    fetch: (changes = {}) =>
      fetchEvent({
        source: createBucketSource({ name: "bucket", url: server.url, fetch, limits }),
        catalog,
        frames: createFrameStore({ directory, cacheByteLimit: 0 }),
        pool,
        eventId: id,
        stagingFolder: join(directory, "staging"),
        sources: createSourceStore({ directory }),
        effects: { ...clock.effects, sleep: () => Promise.resolve() },
        signal: new AbortController().signal,
        onFile: (result) => files.push(result),
        onMissing: (each) => missing.push(each),
        onProgress: () => undefined,
        ...changes,
      }),
  };
}

function putWindows(trial: FeedTrial, minutes: readonly number[]): void {
  for (const minute of minutes) {
    const time = `${day}21:${String(minute).padStart(2, "0")}:39Z`;
    trial.put(mesh, time);
    trial.put(reflectivity, time);
  }
}

const allMinutes = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18];

async function expectFailure(work: Promise<unknown>, code: ErrorCode): Promise<void> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(isAppError(error, code)).toBe(true);
}

describe("fetching an event", () => {
  test("fills its window in order, several files at once, and completes it", async () => {
    const trial = await createFetchTrial();
    putWindows(trial, allMinutes);
    trial.put(mesh, `${day}20:58:39Z`);
    const progress: number[] = [];
    // The first response comes when a second file is requested.
    const held: (() => void)[] = [];
    trial.server.misbehaviors.add((request, response, url) => {
      if (url.searchParams.has("list-type") || held.length === 2) return false;
      held.push(() => {
        sendObject(request, response, trial.server.objects.get(url.pathname.slice(1)));
      });
      if (held.length === 2) for (const answer of held) answer();
      return true;
    });
    const report = await trial.fetch({ onProgress: (done) => progress.push(done) });
    expect(report).toEqual({ listed: 20, known: 0, failed: 0, missingWindows: 0, isComplete: true });
    expect(progress).toEqual(Array.from({ length: 21 }, (_, index) => index));
    const revisions = await trial.catalog.listRevisions(id, 360);
    expect(revisions.map(({ observedAt }) => Number(observedAt.slice(14, 16)))).toEqual(allMinutes);
    expect(await trial.catalog.findEvent(id)).toMatchObject({
      status: "complete",
      startedAt: `${day}21:00:00Z`,
      endedAt: `${day}21:20:00Z`,
    });
    expect(readdirSync(join(trial.directory, "staging"))).toEqual([]);
    const log = await trial.log();
    expect(log[0]).toMatchObject({ kind: "started", source: "fetch bucket", eventId: id });
    expect(log.filter(({ kind }) => kind === "published")).toHaveLength(10);
  });

  test("continues after an interruption, without downloading anything again", async () => {
    const trial = await createFetchTrial();
    putWindows(trial, allMinutes);
    const controller = new AbortController();
    const interrupted = trial.fetch({
      signal: controller.signal,
      onFile: (result) => {
        trial.files.push(result);
        if (trial.files.length === 6) controller.abort();
      },
    });
    await expect(interrupted).rejects.toThrow(/abort/i);
    expect(readdirSync(join(trial.directory, "staging"))).toEqual([]);
    expect(await trial.catalog.findEvent(id)).toMatchObject({ status: "active" });
    const done = (await trial.catalog.listAssets(id)).filter(({ status }) => status === "complete").length;
    expect(done).toBeGreaterThanOrEqual(6);
    trial.server.requests.length = 0;
    expect(await trial.fetch()).toMatchObject({ listed: 20, known: done, failed: 0, isComplete: true });
    expect(trial.server.requests.filter((line) => !line.includes("list-type"))).toHaveLength(20 - done);
    const sequences = (await trial.catalog.listRevisions(id, 360)).map(({ sequence }) => sequence);
    expect(sequences).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test("reports what the source does not have, in runs, and is complete nevertheless", async () => {
    const trial = await createFetchTrial();
    putWindows(trial, [0, 2, 10, 12, 14, 16]);
    trial.put(mesh, `${day}21:18:39Z`);
    expect(await trial.fetch()).toMatchObject({ missingWindows: 7, failed: 0, isComplete: true });
    expect(trial.missing).toEqual([
      { product: mesh, status: "missing", from: `${day}21:04:00Z`, to: `${day}21:10:00Z`, windows: 3 },
      {
        product: reflectivity,
        status: "missing",
        from: `${day}21:04:00Z`,
        to: `${day}21:10:00Z`,
        windows: 3,
      },
      {
        product: reflectivity,
        status: "missing",
        from: `${day}21:18:00Z`,
        to: `${day}21:20:00Z`,
        windows: 1,
      },
    ]);
  });

  test("names a file that fails, publishes the rest, and completes in a later run", async () => {
    const trial = await createFetchTrial();
    putWindows(trial, allMinutes);
    let asked = 0;
    trial.server.misbehaviors.add((_request, response, url) => {
      if (!url.pathname.endsWith("MESH_00.50_20240520-210439.grib2.gz")) return false;
      asked += 1;
      response.writeHead(500).end();
      return true;
    });
    expect(await trial.fetch()).toMatchObject({ failed: 1, missingWindows: 0, isComplete: false });
    expect(asked).toBe(4);
    const failed = trial.files.filter(({ status }) => status === "failed");
    expect(failed).toMatchObject([
      { product: mesh, error: expect.stringMatching(/210439.*status 500/) as string },
    ]);
    expect(await trial.catalog.listRevisions(id, 360)).toHaveLength(10);
    trial.server.misbehaviors.clear();
    expect(await trial.fetch()).toMatchObject({ known: 19, failed: 0, isComplete: true });
    expect(await trial.catalog.listRevisions(id, 360)).toHaveLength(11);
  });

  test("a partly failed listing is a failure, not a gap", async () => {
    const trial = await createFetchTrial();
    putWindows(trial, allMinutes);
    trial.server.misbehaviors.add((_request, response, url) => {
      if (url.searchParams.get("prefix")?.startsWith("CONUS/MESH") !== true) return false;
      response.writeHead(403).end();
      return true;
    });
    expect(await trial.fetch()).toMatchObject({
      listed: 10,
      failed: 1,
      missingWindows: 0,
      isComplete: false,
    });
  });

  test("reports why it is refused", async () => {
    const trial = await createFetchTrial();
    await expectFailure(trial.fetch({ eventId: "unknown" }), "not-found");
    await expectFailure(trial.fetch(), "not-found");
    await trial.server.close();
    await expectFailure(trial.fetch(), "upstream-unavailable");
    await trial.catalog.archiveEvent(id);
    await expectFailure(trial.fetch(), "conflict");
  });
});
