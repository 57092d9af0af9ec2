import { existsSync, readdirSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AppError, isAppError } from "../../../shared/app-error.ts";
import { FeedHealth } from "../../../shared/contract/feed-health.ts";
import { createRenderPool, type RenderPool } from "../../pipeline/ingest/render-pool.ts";
import { createFeedTrial, eventId, healthOf } from "./support/feed-trial.ts";

let pool: RenderPool;
beforeAll(() => {
  pool = createRenderPool({
    workerUrl: new URL("../../pipeline/ingest/render-worker.ts", import.meta.url),
    size: 1,
  });
});
afterAll(() => pool.close());

const mesh = "mrms-mesh";
const reflectivity = "mrms-reflectivity";
const day = "2024-05-20T";

function at(time: string): number {
  return Date.parse(`${day}${time}Z`);
}

describe("a feed", () => {
  test("publishes both products of a window as one revision of an operational event", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    const key = trial.put(mesh, `${day}21:00:39Z`);
    trial.put(reflectivity, `${day}21:00:37Z`);
    const feed = await trial.start();
    expect(healthOf(feed).state).toBe("starting");
    await trial.clock.asleep();
    expect(await trial.story()).toEqual(["21:00:39 first mesh+refl"]);
    const event = await trial.catalog.findEvent(eventId);
    expect(event).toMatchObject({
      kind: "operational-feed",
      label: "CONUS live",
      status: "active",
      startedAt: `${day}21:00:37Z`,
      endedAt: `${day}21:00:39Z`,
    });
    const revision = (await trial.catalog.findLatestRevision(eventId))!;
    const layers = await trial.catalog.listLayers(eventId, revision.revisionId);
    expect(layers[1]).toMatchObject({
      sourceUrl: trial.server.url + key,
      sourceLastModified: `${day}21:03:00Z`,
    });
    const health = healthOf(feed);
    expect(FeedHealth.parse(health)).toEqual(health);
    expect(health).toMatchObject({
      state: "current",
      pendingWindows: 0,
      linkProblem: null,
      counts: { received: 2, published: 1, failed: 0 },
    });
    expect(health.products[0]).toMatchObject({
      newestPublishedAt: `${day}21:00:39Z`,
      arrivalDelayMs: 141_000,
    });
    expect(readdirSync(join(trial.directory, "staging"))).toEqual([]);
    expect(existsSync(join(trial.directory, "sources"))).toBe(true);
  });

  test("waits a limited time for the second product, then publishes one, and the other when it arrives", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    trial.put(mesh, `${day}21:00:39Z`);
    const feed = await trial.start();
    await trial.clock.runUntil(at("21:03:59"));
    expect(await trial.story()).toEqual([]);
    expect(healthOf(feed)).toMatchObject({ state: "current", pendingWindows: 1 });
    await trial.clock.runUntil(at("21:04:01"));
    expect(await trial.story()).toEqual(["21:00:39 first mesh"]);
    trial.put(reflectivity, `${day}21:00:37Z`);
    await trial.clock.runUntil(at("21:07:00"));
    expect(await trial.story()).toEqual(["21:00:39 first mesh", "21:00:39 completion mesh+refl"]);
  });

  test("finds the second product soon, before the next regular poll", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    trial.put(mesh, `${day}21:00:39Z`);
    await trial.start();
    await trial.clock.runUntil(at("21:03:20"));
    trial.put(reflectivity, `${day}21:00:37Z`);
    await trial.clock.runUntil(at("21:03:40"));
    expect(await trial.story()).toEqual(["21:00:39 first mesh+refl"]);
  });

  test("after an outage publishes the newest window first, then the missed ones in order", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    const feed = await trial.start();
    await trial.clock.asleep();
    for (const minute of ["00", "02", "04", "06", "08"]) {
      trial.put(mesh, `${day}21:${minute}:39Z`);
      trial.put(reflectivity, `${day}21:${minute}:39Z`);
    }
    trial.server.misbehaviors.add((_request, response) => {
      response.destroy();
      return true;
    });
    await trial.clock.runUntil(at("21:12:00"));
    expect(healthOf(feed)).toMatchObject({ state: "link-down", counts: { failed: 1 } });
    expect(healthOf(feed).linkProblem).toMatch(/^Can't reach the source: /);
    trial.server.misbehaviors.clear();
    await trial.clock.runUntil(at("21:25:00"));
    expect((await trial.story()).map((line) => line.slice(3, 5))).toEqual(["08", "00", "02", "04", "06"]);
    expect(healthOf(feed)).toMatchObject({
      linkProblem: null,
      counts: { published: 5, backfills: 4, failed: 1 },
    });
    const kinds = (await trial.log()).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind.startsWith("link"))).toEqual(["link-down", "link-up"]);
    expect(healthOf(feed).state).toBe("source-idle");
  });

  test("a newer window is published before a long backlog", async () => {
    const trial = await createFeedTrial(pool, `${day}21:50:00Z`);
    const windows = Array.from({ length: 22 }, (_, index) => String(2 * index).padStart(2, "0"));
    for (const minute of windows) trial.put(mesh, `${day}21:${minute}:39Z`);
    let listings = 0;
    trial.server.misbehaviors.add((_request, _response, url) => {
      if (url.searchParams.get("list-type") === null) return false;
      listings += 1;
      if (listings === 1) trial.clock.set(at("21:50:05"));
      return false;
    });
    // Ten seconds a file, so that the feed polls again during its backlog.
    trial.server.misbehaviors.add((_request, _response, url) => {
      if (url.searchParams.get("list-type") !== null) return false;
      trial.clock.set(trial.clock.nowMs() + 10_000);
      if (trial.server.requests.length === 8) {
        trial.put(mesh, `${day}21:46:39Z`);
        trial.put(reflectivity, `${day}21:46:39Z`);
      }
      return false;
    });
    await trial.start();
    await trial.clock.runUntil(at("22:10:00"));
    const order = (await trial.story()).map((line) => line.slice(3, 5));
    expect(order).toHaveLength(23);
    expect(order.slice(0, 3)).toEqual(["00", "02", "04"]);
    expect(order.indexOf("46")).toBeLessThan(14);
    expect(order.filter((minute) => minute !== "42" && minute !== "46")).toEqual(windows.slice(0, -1));
  });

  test("downloads a file again when its ETag changes: a correction, or a duplicate", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    trial.put(mesh, `${day}21:00:39Z`, 10);
    const key = trial.put(reflectivity, `${day}21:00:37Z`, 30);
    const feed = await trial.start();
    await trial.clock.asleep();
    trial.put(mesh, `${day}21:00:39Z`, 20);
    await trial.clock.runUntil(at("21:06:00"));
    expect(await trial.story()).toEqual(["21:00:39 first mesh+refl", "21:00:39 correction mesh+refl"]);
    trial.server.objects.set(key, { ...trial.server.objects.get(key)!, etag: "another" });
    await trial.clock.runUntil(at("21:09:00"));
    expect(healthOf(feed).counts).toMatchObject({ published: 2, corrections: 1, duplicates: 1, received: 4 });
    trial.put(mesh, `${day}21:00:39Z`, 10);
    await trial.clock.runUntil(at("21:12:00"));
    expect(healthOf(feed).counts).toMatchObject({ published: 3, corrections: 2, duplicates: 1, received: 5 });
  });

  test("continues where an earlier run ended, without downloading anything twice", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    trial.put(mesh, `${day}21:00:39Z`);
    trial.put(reflectivity, `${day}21:00:39Z`);
    const first = await trial.start();
    await trial.clock.asleep();
    await first.close();
    expect(healthOf(first).state).toBe("stopped");
    trial.server.requests.length = 0;
    trial.put(mesh, `${day}21:02:39Z`);
    trial.clock.set(at("21:05:00"));
    const second = await trial.start();
    await trial.clock.asleep();
    const fetched = trial.server.requests.filter((line) => !line.includes("list-type"));
    expect(fetched).toHaveLength(1);
    expect(healthOf(second).products[0]!.newestPublishedAt).toBe(`${day}21:00:39Z`);
  });

  test("logs a bad file once with its cause, retries it a limited number of times, and never publishes it", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    const key = trial.put(mesh, `${day}21:00:39Z`);
    const good = trial.server.objects.get(key)!;
    trial.server.put(key, good.bytes.slice(0, -20));
    trial.put(reflectivity, `${day}21:00:39Z`);
    trial.server.put(key.replace("210039", "2100"), good.bytes);
    const feed = await trial.start();
    await trial.clock.runUntil(at("23:30:00"));
    expect(await trial.story()).toEqual(["21:00:39 first refl"]);
    const failed = (await trial.log()).filter(({ kind }) => kind === "failed");
    expect(failed.map(({ locator, message }) => [locator!.slice(-24), message])).toEqual([
      ["_00.50_20240520-2100.grib2.gz".slice(-24), "Not an MRMS file name of this product."],
      ["_20240520-210039.grib2.gz".slice(-24), expect.stringMatching(/incomplete|damaged/)],
    ]);
    expect(healthOf(feed).counts).toMatchObject({ failed: 2, published: 1 });
    expect(trial.server.requests.filter((line) => line.endsWith("-210039.grib2.gz")).length).toBe(7);
    const status = (await trial.catalog.listNewestAssets()).find(({ productId }) => productId === mesh);
    expect(status).toMatchObject({ status: "failed" });
    expect(healthOf(feed).products.map(({ lastFailure }) => lastFailure?.observedAt)).toContain(
      `${day}21:00:39Z`,
    );
    trial.server.objects.set(key, good);
    await trial.clock.runUntil(at("23:50:00"));
    expect(healthOf(feed).products.map(({ lastFailure }) => lastFailure)).toEqual([null, null]);
    expect(await trial.story()).toEqual(["21:00:39 first refl", "21:00:39 completion mesh+refl"]);
  });

  test("refuses a file from more than 10 minutes ahead of the clock until the clock reaches it", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    trial.put(mesh, `${day}21:20:39Z`);
    await trial.start();
    await trial.clock.runUntil(at("21:09:00"));
    expect(await trial.story()).toEqual([]);
    const refused = (await trial.log()).filter(({ kind }) => kind === "refused");
    expect(refused.map(({ observedAt, message }) => [observedAt, message])).toEqual([
      [`${day}21:20:39Z`, "Observed more than 10 minutes ahead of the clock."],
    ]);
    await trial.clock.runUntil(at("21:25:00"));
    expect(await trial.story()).toEqual(["21:20:39 first mesh"]);
  });

  test("reports windows that its source skipped, and removes what is older than it keeps", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    const feed = await trial.start({ timing: { keepMs: 3_600_000 } });
    for (let minute = 0; minute < 90; minute += 2) {
      if (minute === 10 || minute === 12) continue;
      const observedMs = at("21:00:39") + minute * 60_000;
      await trial.clock.runUntil(observedMs + 100_000);
      const observedAt = new Date(observedMs).toISOString();
      trial.put(mesh, observedAt);
      trial.put(reflectivity, observedAt);
    }
    await trial.clock.runUntil(at("22:33:00"));
    expect(healthOf(feed).counts).toMatchObject({ published: 43, gaps: 4, failed: 0, backfills: 0 });
    const gaps = (await trial.log()).filter(({ kind }) => kind === "gap");
    expect(gaps.map(({ productId, observedAt }) => `${productId!} ${observedAt!.slice(11)}`)).toEqual([
      "mrms-mesh 21:10:00Z",
      "mrms-reflectivity 21:10:00Z",
      "mrms-mesh 21:12:00Z",
      "mrms-reflectivity 21:12:00Z",
    ]);
    const kept = await trial.catalog.listRevisions(eventId, 360);
    expect(kept[0]!.observedAt).toBe(`${day}21:28:39Z`);
    expect(kept.at(-1)!.sequence).toBe(43);
    expect(await trial.catalog.listAssets(eventId)).toHaveLength(62);
  });

  test("works on after the clock is set back or ahead by a day", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    trial.put(mesh, `${day}21:00:39Z`);
    trial.put(reflectivity, `${day}21:00:39Z`);
    await trial.start();
    await trial.clock.asleep();
    trial.clock.set(at("21:03:00") - 86_400_000);
    trial.put(mesh, "2024-05-19T21:02:39Z");
    await trial.clock.runUntil(at("21:15:00") - 86_400_000);
    trial.clock.set(at("21:05:00"));
    trial.put(mesh, `${day}21:02:39Z`);
    await trial.clock.runUntil(at("21:12:00"));
    expect(await trial.story()).toContain("21:02:39 first mesh");
  });

  test("survives an unwritable data directory, and continues once it is writable", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    trial.put(mesh, `${day}21:00:39Z`);
    trial.put(reflectivity, `${day}21:00:39Z`);
    await rm(join(trial.directory, "staging"), { recursive: true });
    const feed = await trial.start();
    await trial.clock.runUntil(at("21:06:00"));
    expect(healthOf(feed)).toMatchObject({ state: "processing-failed", counts: { failed: 1, published: 0 } });
    await mkdir(join(trial.directory, "staging"));
    await trial.clock.runUntil(at("21:30:00"));
    expect(await trial.story()).toEqual(["21:00:39 first mesh+refl"]);
  });

  test("pauses between attempts while its log cannot be written, and writes it later", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    const append = trial.catalog.appendFeedLog.bind(trial.catalog);
    let attempts = 0;
    let isFull = true;
    trial.catalog.appendFeedLog = async (entries) => {
      if (!isFull) return append(entries);
      attempts += 1;
      // A refusal that comes at once, again and again, would end this test's own timers.
      await new Promise(setImmediate);
      throw new AppError("storage-failed", "The catalog could not be written: the disk is full.");
    };
    trial.put(mesh, `${day}21:00:39Z`);
    const feed = await trial.start();
    await trial.clock.runUntil(at("21:33:00"));
    expect(attempts).toBeGreaterThan(1);
    expect(attempts).toBeLessThan(60);
    expect(healthOf(feed).products[0]?.lastFailure?.message).toContain("the disk is full");
    isFull = false;
    await trial.clock.runUntil(at("21:50:00"));
    const kinds = (await trial.log()).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["started", "received", "published", "failed"]));
    expect(healthOf(feed).state).not.toBe("processing-failed");
    expect(healthOf(feed).products.map(({ lastFailure }) => lastFailure)).toEqual([null, null]);
  });

  test("keeps staging small while publishing fails", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    trial.put(mesh, `${day}21:00:39Z`);
    trial.put(reflectivity, `${day}21:00:39Z`);
    const feed = await trial.start();
    await trial.clock.asleep();
    await trial.catalog.archiveEvent(eventId);
    let mostStaged = 0;
    for (let minute = 2; minute < 58; minute += 2) {
      const time = `21:${String(minute).padStart(2, "0")}:39`;
      await trial.clock.runUntil(at(time) + 100_000, () => {
        mostStaged = Math.max(mostStaged, readdirSync(join(trial.directory, "staging")).length);
      });
      trial.put(mesh, `${day}${time}Z`);
      trial.put(reflectivity, `${day}${time}Z`);
    }
    await trial.clock.runUntil(at("22:30:00"));
    expect(healthOf(feed)).toMatchObject({ state: "processing-failed", counts: { published: 1, failed: 1 } });
    expect(healthOf(feed).products[0]!.lastFailure!.message).toMatch(/archived/);
    expect(mostStaged).toBeGreaterThan(0);
    expect(mostStaged).toBeLessThanOrEqual(4);
    expect((await trial.log()).filter(({ kind }) => kind === "failed")).toHaveLength(1);
    await feed.close();
    expect(readdirSync(join(trial.directory, "staging"))).toEqual([]);
    const kept = readdirSync(join(trial.directory, "sources"), { recursive: true, withFileTypes: true });
    expect(kept.filter((entry) => entry.isFile())).toHaveLength(2);
  });

  test("publishes the newer version of a file that was replaced while its window waited", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    trial.put(mesh, `${day}21:00:39Z`, 10);
    const feed = await trial.start();
    await trial.clock.runUntil(at("21:03:20"));
    trial.put(mesh, `${day}21:00:39Z`, 20);
    await trial.clock.runUntil(at("21:03:40"));
    trial.put(reflectivity, `${day}21:00:39Z`);
    await trial.clock.runUntil(at("21:06:00"));
    expect(await trial.story()).toEqual(["21:00:39 first mesh+refl"]);
    expect(healthOf(feed).counts).toMatchObject({ received: 3, published: 1 });
    expect(readdirSync(join(trial.directory, "staging"))).toEqual([]);
  });

  test("reports how late the newest observation was, not older ones", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    trial.put(mesh, `${day}21:02:00Z`);
    const feed = await trial.start();
    await trial.clock.runUntil(at("21:06:00"));
    const late = healthOf(feed).products[0]!.arrivalDelayMs;
    trial.put(mesh, `${day}20:10:00Z`);
    await trial.clock.runUntil(at("21:20:00"));
    expect(healthOf(feed).counts).toMatchObject({ received: 2, backfills: 1 });
    expect(healthOf(feed).products[0]!.arrivalDelayMs).toBe(late);
  });

  test("is refused for another kind of event", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    await trial.catalog.registerEvent({
      id: eventId,
      label: "A benchmark",
      startedAt: `${day}20:00:00Z`,
      endedAt: `${day}22:00:00Z`,
    });
    const refusal: unknown = await trial.start().catch((error: unknown) => error);
    expect(isAppError(refusal, "conflict")).toBe(true);
  });

  test("stops at once during a download, and leaves nothing in staging", async () => {
    const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
    trial.put(mesh, `${day}21:00:39Z`);
    const { promise: asked, resolve } = Promise.withResolvers<undefined>();
    trial.server.misbehaviors.add((_request, response, url) => {
      if (url.searchParams.get("list-type") !== null) return false;
      response.write("GRIB");
      resolve(undefined);
      return true;
    });
    const feed = await trial.start();
    await asked;
    await Promise.all([feed.close(), feed.close()]);
    expect(readdirSync(join(trial.directory, "staging"))).toEqual([]);
    expect((await trial.log()).map(({ kind }) => kind)).toEqual(["started", "stopped"]);
  });
});
