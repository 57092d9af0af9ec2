import { describe, expect, onTestFinished, test } from "vitest";
import type { CatalogReader, EventRecord } from "../../catalog/catalog.ts";
import { AppError } from "../../../shared/app-error.ts";
import { openAdmin, type AdminSources } from "../../host/start/open-admin.ts";
import { MemoryCatalog, MemoryFrames } from "../storm/support/memory-catalog.ts";
import { createCatalogFacts } from "./catalog-facts.ts";

const address = { address: "127.0.0.1", port: 0 };

async function startAdmin(sources: Partial<AdminSources> = {}) {
  const catalog = new MemoryCatalog();
  const admin = openAdmin(address, {
    catalog,
    frames: new MemoryFrames(),
    feeds: () => [],
    countStreams: () => 0,
    gateway: () => undefined,
    isDraining: () => false,
    now: () => new Date("2026-05-20T22:00:00Z"),
    ...sources,
  });
  onTestFinished(() => admin.close());
  const origin = await admin.listen();
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(origin + path, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  /** Returns the value of a sample, by its name with labels. */
  const readSample = async (sample: string): Promise<number | undefined> => {
    const line = (await read("/metrics")).text.split("\n").find((text) => text.startsWith(`${sample} `));
    return line === undefined ? undefined : Number(line.slice(sample.length));
  };
  return { catalog, admin, origin, read, readSample };
}

/** A catalog whose reading fails, or never ends. */
function brokenCatalog(listEvents: CatalogReader["listEvents"]): CatalogReader {
  const catalog = new MemoryCatalog();
  catalog.listEvents = listEvents;
  return catalog;
}

describe("probes", () => {
  test("a process that serves is alive and ready", async () => {
    const { read } = await startAdmin();
    expect(await read("/livez")).toMatchObject({ status: 200, text: '{"status":"alive"}' });
    const ready = await read("/readyz");
    expect(ready).toMatchObject({ status: 200, text: '{"status":"ready","catalog":"available"}' });
    expect(ready.headers.get("cache-control")).toBe("no-store");
  });

  test("a process that is to end is alive and not ready", async () => {
    const { read } = await startAdmin({ isDraining: () => true });
    expect((await read("/livez")).status).toBe(200);
    expect(await read("/readyz")).toMatchObject({
      status: 503,
      text: expect.stringContaining("draining") as string,
    });
  });

  test.each([
    ["fails", () => Promise.reject(new AppError("storage-failed", "db1 refused s3cr3t"))],
    ["never answers", () => new Promise<never>(() => undefined)],
  ])(
    "a catalog that %s is told, and leaves the process ready for what it holds",
    async (_what, listEvents) => {
      const { read, readSample } = await startAdmin({ catalog: brokenCatalog(listEvents) });
      expect(await read("/readyz")).toMatchObject({
        status: 200,
        text: '{"status":"ready","catalog":"unavailable"}',
      });
      expect(await readSample("echotop_catalog_up")).toBe(0);
      expect((await read("/metrics")).text).not.toContain("s3cr3t");
    },
  );

  test("answers only on its own name, to reading", async () => {
    const { origin, read } = await startAdmin();
    expect((await read("/metrics", { origin: "http://evil.example" })).status).toBe(403);
    expect((await read("/")).status).toBe(404);
    expect((await fetch(`${origin}/livez`, { method: "POST" })).status).toBe(405);
  });
});

describe("metrics", () => {
  test("count requests by operation and status, with their durations", async () => {
    const { admin, readSample } = await startAdmin();
    admin.meter.answered("getFrame", 200, 3);
    admin.meter.answered("getFrame", 200, 30);
    admin.meter.answered("getFrame", 404, 1);
    expect(await readSample('echotop_requests_total{operation="getFrame",status="200"}')).toBe(2);
    expect(await readSample('echotop_requests_total{operation="getFrame",status="404"}')).toBe(1);
    expect(await readSample('echotop_request_duration_seconds_bucket{le="0.005",operation="getFrame"}')).toBe(
      2,
    );
    expect(await readSample('echotop_request_duration_seconds_count{operation="getFrame"}')).toBe(3);
  });

  test("tell streams, notices, the frame cache and the process", async () => {
    const frames = Object.assign(new MemoryFrames(), {
      cacheUse: () => ({ hits: 7, misses: 2, byteLength: 900 }),
    });
    const { admin, readSample } = await startAdmin({ frames, countStreams: () => 12 });
    admin.meter.notified(12);
    admin.meter.notified(3);
    expect(await readSample("echotop_streams")).toBe(12);
    expect(await readSample("echotop_notices_sent_total")).toBe(15);
    expect(await readSample('echotop_frame_cache_reads{result="hit"}')).toBe(7);
    expect(await readSample('echotop_frame_cache_reads{result="miss"}')).toBe(2);
    expect(await readSample("echotop_frame_cache_bytes")).toBe(900);
    expect(await readSample("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  });

  test("tell how a gateway is, if there is one", async () => {
    const { read } = await startAdmin();
    expect((await read("/metrics")).text).not.toContain("echotop_gateway");
    let hasCurrentSettings = true;
    const { readSample } = await startAdmin({
      gateway: () =>
        ({
          settings: { isCurrent: () => hasCurrentSettings },
          log: { state: () => ({ waiting: 7, lost: 2 }) },
        }) as unknown as ReturnType<AdminSources["gateway"]>,
    });
    expect(await readSample("echotop_gateway_settings_up")).toBe(1);
    hasCurrentSettings = false;
    expect(await readSample("echotop_gateway_settings_up")).toBe(0);
    expect(await readSample("echotop_gateway_records_waiting")).toBe(7);
    expect(await readSample("echotop_gateway_records_lost")).toBe(2);
  });

  test("tell each event's newest sequence, and the age of live ones", async () => {
    const { catalog, readSample } = await startAdmin();
    catalog.addEvent({ id: "past" });
    catalog.addEvent({ id: "live", kind: "operational-feed", endedAt: "2026-05-20T21:56:00Z" });
    catalog.publish("live");
    catalog.publish("live");
    expect(await readSample('echotop_event_newest_sequence{event="live"}')).toBe(2);
    expect(await readSample('echotop_event_newest_sequence{event="past"}')).toBe(0);
    expect(await readSample('echotop_event_newest_age_seconds{event="live"}')).toBe(240);
    expect(await readSample('echotop_event_newest_age_seconds{event="past"}')).toBeUndefined();
  });

  test("name at most twenty events, however many there are", async () => {
    const { catalog, read } = await startAdmin();
    for (let index = 0; index < 150; index += 1) catalog.addEvent({ id: `storm-${index}` });
    const named = (await read("/metrics")).text.match(/event_newest_sequence\{event="/g);
    expect(named).toHaveLength(20);
  });

  test("tell the state of each feed", async () => {
    const { readSample } = await startAdmin({
      feeds: () => [{ ...blankFeed, eventId: "conus", state: "link-down", pendingWindows: 3 }],
    });
    expect(await readSample('echotop_feed_state{event="conus",state="link-down"}')).toBe(1);
    expect(await readSample('echotop_feed_state{event="conus",state="current"}')).toBe(0);
    expect(await readSample('echotop_feed_pending_windows{event="conus"}')).toBe(3);
  });
});

const blankFeed = {
  source: "folder:/srv/s3cr3t",
  lastCheckedAt: null,
  lastReachedAt: null,
  nextCheckAt: null,
  linkProblem: null,
  products: [],
  counts: {
    ...{ received: 0, published: 0, corrections: 0, completions: 0, backfills: 0 },
    ...{ duplicates: 0, failed: 0, gaps: 0 },
  },
};

test("publications count what is new since the first reading, of any event", async () => {
  const events = new Map([["a", 5]]);
  const listEvents = () =>
    Promise.resolve([...events].map(([id, latestSequence]) => ({ id, latestSequence }) as EventRecord));
  const read = createCatalogFacts({ listEvents }, 1_000);
  expect((await read()).publications).toBe(0);
  events.set("a", 8).set("b", 2);
  expect((await read()).publications).toBe(5);
  // An event that the list lost for a while was not published again.
  events.delete("a");
  await read();
  events.set("a", 8);
  expect((await read()).publications).toBe(5);
});
