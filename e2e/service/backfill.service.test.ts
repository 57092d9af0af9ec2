// An archive is fetched by two worker processes, which are killed again and again; the result is that of one fetch.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { atDirectory } from "../../electron/catalog/stores/located-stores.ts";
import { openReadableStores } from "../../electron/catalog/stores/open-stores.ts";
import type { StoresLocation } from "../../electron/catalog/stores/located-stores.ts";
import { mrmsFileName } from "../../electron/pipeline/demo/mrms-file.ts";
import { createRandom } from "../../electron/pipeline/demo/random.ts";
import { readResult } from "../../electron/sources/backfill/support/published-result.ts";
import { dayPrefix } from "../../electron/sources/feeds/mrms-name.ts";
import { sendObject, startBucketServer, type BucketServer } from "../../electron/support/bucket-server.ts";
import { hasPostgres, postgresNeeds } from "../../electron/support/engines/postgres-programs.ts";
import { makeGribMessage } from "../../electron/support/grib-files.ts";
import { runCommand, startHost, type RunningHost } from "../../electron/support/host-process.ts";
import { products } from "../../shared/products/registry.ts";
import { useService } from "./service-trial.ts";

const eventId = "plains-2024-05-20";
const startMs = Date.parse("2024-05-20T20:00:00Z");
const windows = 300;
const mostKills = 24;
const seed = 20_240_520;

const fakeTime = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";
/** Sets the clock of the second worker an hour ahead, where libfaketime is installed. */
const hourAhead: Readonly<Record<string, string>> = existsSync(fakeTime)
  ? { LD_PRELOAD: fakeTime, FAKETIME: "+1h", DONT_FAKE_MONOTONIC: "1" }
  : {};

/** Files of both products, of which some are missing, and one window has a file twice. */
async function startArchive(): Promise<BucketServer> {
  const bucket = await startBucketServer();
  onTestFinished(() => bucket.close());
  const put = (product: (typeof products)[number], ms: number, fill: number): void => {
    const observedAt = new Date(ms).toISOString();
    const key = dayPrefix(product, ms) + mrmsFileName(product, observedAt);
    const message = makeGribMessage({ product: product.id, observedAt, fill });
    bucket.put(key, gzipSync(message, { level: 1 }));
  };
  for (let window = 0; window < windows; window += 1) {
    for (const [at, product] of products.entries()) {
      if (window % 17 === 5 + at) continue;
      put(product, startMs + window * 120_000 + 39_000, 10 + (window % 50));
    }
  }
  put(products[0]!, startMs + 40 * 120_000 + 80_000, 70);
  return bucket;
}

/** Makes the archive answer one request for a file after the other, so that there is time to kill workers. */
function slowDown(bucket: BucketServer): { isHeld: boolean; readonly end: () => void } {
  const held: (() => void)[] = [];
  const gate = {
    isHeld: false,
    end: () => {
      clearInterval(timer);
      bucket.misbehaviors.clear();
      for (const answer of held.splice(0)) answer();
    },
  };
  const timer = setInterval(() => {
    if (!gate.isHeld) held.shift()?.();
  }, 150);
  onTestFinished(gate.end);
  bucket.misbehaviors.add((request, response, url) => {
    if (url.searchParams.has("list-type")) return false;
    held.push(() => {
      sendObject(request, response, bucket.objects.get(url.pathname.slice(1)));
    });
    return true;
  });
  return gate;
}

async function resultOf(location: StoresLocation): Promise<unknown> {
  const stores = await openReadableStores(location);
  try {
    return JSON.parse(JSON.stringify(await readResult(stores, eventId))) as unknown;
  } finally {
    await stores.close();
  }
}

describe.skipIf(!hasPostgres)(`a backfill by two workers${postgresNeeds}`, () => {
  const service = useService();

  test("makes what one fetch makes, wherever they are killed", { timeout: 900_000 }, async () => {
    const { folder, run, writeConfig, server, database, location } = service();
    const bucket = await startArchive();
    const end = new Date(startMs + windows * 120_000).toISOString();
    const registration = ["register", "--event", eventId, "--label", "Plains"];
    const window = ["--start", new Date(startMs).toISOString(), "--end", end];
    const request = ["fetch", "--event", eventId, "--source", `bucket:${bucket.url}`];
    const single = join(folder, "single");
    await runCommand([...registration, ...window, "--data", single]);
    expect((await runCommand([...request, "--data", single])).status).toBe(0);

    await run("migrate");
    await run(...registration, ...window);
    expect(await run(...request, "--queue")).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`${windows} windows are queued.`) as string,
    });
    expect((await run("fetch", "--event", eventId, "--status")).lines).toEqual([
      { eventId, event: "active", waiting: windows, drawing: 0, drawn: 0, published: 0, failed: 0 },
    ]);

    const config = writeConfig("worker", { roles: ["worker"], admin: { port: 0 } });
    const environments = [{}, hourAhead];
    const start = (at: number): Promise<RunningHost> =>
      startHost(join(folder, `worker-${at}`), ["--config", config], environments[at]);
    const workers = [await start(0), await start(1)];
    onTestFinished(() => Promise.all(workers.map((worker) => worker.kill())).then(() => undefined));
    const countPublished = async (): Promise<number> => {
      const sql = "SELECT count(*)::int AS n FROM backfill_windows WHERE state = 'published'";
      const [row] = await server.query<{ n: number }>(sql, database);
      return row!.n;
    };
    const random = createRandom(seed);
    const gate = slowDown(bucket);
    let kills = 0;
    while (kills < mostKills) {
      // At a request of the archive, or while a window is published.
      const isByRequest = kills % 2 === 0;
      const count = isByRequest ? () => Promise.resolve(bucket.requests.length) : countPublished;
      const goal = (await count()) + 1 + Math.floor(random() * 6);
      let published = await countPublished();
      while (published < windows && (await count()) < goal) published = await countPublished();
      if (published === windows) break;
      const at = random() < 0.5 ? 0 : 1;
      await workers[at]!.kill();
      gate.isHeld = true;
      workers[at] = await start(at);
      gate.isHeld = false;
      kills += 1;
    }
    gate.end();
    expect(kills).toBeGreaterThanOrEqual(12);
    await expect.poll(countPublished, { timeout: 120_000, interval: 200 }).toBe(windows);

    await expect
      .poll(async () => (await run("log")).lines.at(-1)?.kind, { timeout: 20_000, interval: 500 })
      .toBe("stopped");
    expect((await run("fetch", "--event", eventId, "--status")).lines).toEqual([
      { eventId, event: "complete", waiting: 0, drawing: 0, drawn: 0, published: windows, failed: 0 },
    ]);
    const metrics = await (await fetch(`${workers[0]!.admin!}/metrics`)).text();
    expect(metrics).toContain(`echotop_backfill_windows{state="published"} ${windows}`);
    const { lines: log } = await run("log");
    const count = (kind: string): number => log.filter((entry) => entry.kind === kind).length;
    expect([count("failed"), count("duplicate")]).toEqual([0, 0]);
    expect([count("received"), count("published")]).toEqual([bucket.objects.size, windows + 1]);
    expect(await resultOf(location)).toEqual(await resultOf(atDirectory(single)));
    for (const [at, worker] of workers.entries()) {
      expect(await worker.stop()).toBe(0);
      expect(readdirSync(join(folder, `worker-${at}`, "staging"))).toEqual([]);
    }
  });
});
