// The service over a catalog in memory: what a client sees of damaged frames and failures, and how the service starts
// and closes. Tests of every operation, over the real catalog, are in e2e/contract.
import { createServer, connect } from "node:net";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { AppError, isAppError } from "../../../shared/app-error.ts";
import { ErrorBody } from "../../../shared/contract/primitives.ts";
import { DataServiceStatus } from "../../../shared/contract/data-status.ts";
import { createStormService, type StormService } from "./service.ts";
import type { FoundPlaces } from "./places/place-provider.ts";
import { MemoryCatalog, MemoryFrames } from "./support/memory-catalog.ts";
import { placesOf, startTestService } from "./support/test-service.ts";

const noPlaces = placesOf({ attribution: "", results: [] });

describe("damaged and missing frames", () => {
  test("a damaged frame gets 404 and a log line", async () => {
    const { catalog, frames, get, log } = await startTestService();
    const frameId = await frames.put(Buffer.from("picture"));
    catalog.addFrame("storm", "mrms-mesh", frameId);
    frames.damage(frameId);
    const response = await get(`/v1/storm-events/storm/frames/mrms-mesh/${frameId}.png`);
    expect(response.status).toBe(404);
    expect(ErrorBody.parse(await response.json()).message).toBe("This frame is not available.");
    expect(log.map(({ message }) => message)).toContain("A stored frame is damaged and is not served.");
  });

  test("a frame exists only for the event and product that show it", async () => {
    const { catalog, frames, get } = await startTestService();
    const frameId = await frames.put(Buffer.from("picture"));
    catalog.addFrame("storm", "mrms-mesh", frameId);
    const path = (event: string, product: string): string =>
      `/v1/storm-events/${event}/frames/${product}/${frameId}.png`;
    expect((await get(path("storm", "mrms-mesh"))).status).toBe(200);
    expect((await get(path("storm", "mrms-reflectivity"))).status).toBe(404);
    expect((await get(path("other", "mrms-mesh"))).status).toBe(404);
    expect(frames.readCount).toBe(1);
  });

  test("a missing published frame gets 404 and a log line", async () => {
    const { catalog, get, log } = await startTestService();
    catalog.addFrame("storm", "mrms-mesh", "abc");
    expect((await get("/v1/storm-events/storm/frames/mrms-mesh/abc.png")).status).toBe(404);
    expect(log.map(({ message }) => message)).toContain("A published frame is missing.");
  });
});

test.each([
  [503, "storage-unavailable"],
  [502, "storage-failed"],
] as const)("a frame gets %d, not 404, while its store fails with %s", async (status, code) => {
  const { catalog, frames, get } = await startTestService();
  catalog.addFrame("storm", "mrms-mesh", "abc");
  frames.read = () => Promise.reject(new AppError(code, "The object store is away."));
  expect((await get("/v1/storm-events/storm/frames/mrms-mesh/abc.png")).status).toBe(status);
});

describe("failures", () => {
  class FailingCatalog extends MemoryCatalog {
    readonly error: Error;
    constructor(error: Error) {
      super();
      this.error = error;
    }
    override listEvents = (): Promise<never> => Promise.reject(this.error);
    override findEvent = (): Promise<never> => Promise.reject(this.error);
    override findLatestRevision = (): Promise<never> => Promise.reject(this.error);
    override listNewestAssets = (): Promise<never> => Promise.reject(this.error);
  }
  const paths = [
    "/v1/storm-events",
    "/v1/storm-events/storm/revisions",
    "/v1/storm-events/storm/manifest",
    "/v1/data/status",
  ];

  test("an unreadable catalog gets 502 and a log line, without the error's text", async () => {
    const error = new AppError("storage-failed", "Cannot read /secret/catalog.db.", {
      context: { file: "/secret" },
    });
    const { get, log } = await startTestService({ catalog: new FailingCatalog(error) });
    for (const path of paths) {
      const response = await get(path);
      expect(response.status).toBe(502);
      expect(await response.json()).toEqual({ message: "The stored data cannot be read." });
    }
    expect(log.filter(({ level }) => level === "error")).toHaveLength(paths.length);
  });

  test("a damaged event gets 404 for its revisions and 502 elsewhere", async () => {
    const error = new AppError("stored-data-invalid", "The row of /secret/catalog.db is damaged.");
    const { get, log } = await startTestService({ catalog: new FailingCatalog(error) });
    const list = await get("/v1/storm-events/storm/revisions");
    expect(list.status).toBe(404);
    expect(await list.json()).toEqual({ message: "The data of this storm event is not available." });
    expect(log).toMatchObject([{ level: "error", facts: { eventId: "storm" } }]);
    expect((await get("/v1/storm-events/storm/manifest")).status).toBe(502);
  });

  test("an unexpected error gets 500 and a log line, without its text", async () => {
    const { get, log } = await startTestService({
      catalog: new FailingCatalog(new TypeError("x of /secret/file.ts")),
    });
    for (const path of paths) {
      const response = await get(path);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toMatch(/secret|TypeError| at /);
    }
    expect(log).toHaveLength(paths.length);
  });

  test.each([
    ["upstream-rate-limited", 429],
    ["upstream-unavailable", 502],
  ] as const)("a place provider's %s is %i", async (code, status) => {
    const places = {
      search: () => Promise.reject(new AppError(code, "http://upstream/ said no.")),
      close: () => Promise.resolve(),
    };
    const { get } = await startTestService({ places });
    const response = await get("/v1/places/search?q=norman");
    expect(response.status).toBe(status);
    expect(ErrorBody.parse(await response.json()).message).not.toContain("upstream/");
  });
});

test("reports a processing error without the path of its file", async () => {
  const { catalog, get } = await startTestService();
  const asset = {
    id: 1,
    eventId: "storm",
    byteLength: undefined,
    sha256: undefined,
    lastModifiedAt: undefined,
    observedAt: undefined,
    completedAt: undefined,
  };
  catalog.setAssets([
    {
      ...asset,
      locator: "/home/me/x.grib2",
      productId: "mrms-reflectivity",
      status: "failed",
      errorMessage: "/home/me/x.grib2 is cut short.",
    },
    { ...asset, locator: "y", productId: "mrms-mesh", status: "discovered", errorMessage: undefined },
    { ...asset, locator: "z", productId: undefined, status: "failed", errorMessage: "unknown" },
  ]);
  const status = DataServiceStatus.parse(await (await get("/v1/data/status")).json());
  expect(status.products).toEqual([
    {
      product_id: "mrms-mesh",
      status: "discovered",
      observed_at: null,
      completed_at: null,
      error_message: null,
    },
    {
      product_id: "mrms-reflectivity",
      status: "failed",
      observed_at: null,
      completed_at: null,
      error_message: "x.grib2 is cut short.",
    },
  ]);
});

test("a client that ends its side after its request gets an answer that comes later", async () => {
  const asked = Promise.withResolvers<undefined>();
  const found = Promise.withResolvers<FoundPlaces>();
  const search = (): Promise<FoundPlaces> => {
    asked.resolve(undefined);
    return found.promise;
  };
  const { port, get } = await startTestService({ places: { search, close: () => Promise.resolve() } });
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.end(`GET /v1/places/search?q=norman HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
  await asked.promise;
  // Once another request is answered, the service has seen the end of this one.
  await get("/v1/storm-events");
  found.resolve({ attribution: "Somebody", results: [] });
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test("a list keeps its tag while nothing changes, and has the time of its creation", async () => {
  let nowMs = Date.UTC(2026, 4, 20);
  const { catalog, get } = await startTestService({ clock: () => new Date(nowMs) });
  catalog.addEvent({ id: "storm" });
  const first = await get("/v1/storm-events");
  nowMs += 60_000;
  const second = await get("/v1/storm-events");
  expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
  const [before, after] = [await first.json(), await second.json()] as {
    generatedAt: string;
    events: unknown;
  }[];
  expect(before?.generatedAt).toBe("2026-05-20T00:00:00.000Z");
  expect(after?.generatedAt).toBe("2026-05-20T00:01:00.000Z");
  expect(after?.events).toEqual(before?.events);
  catalog.addEvent({ id: "storm", label: "Another label" });
  expect((await get("/v1/storm-events")).headers.get("etag")).not.toBe(first.headers.get("etag"));
});

/** Returns the status of a request with this Host. */
async function statusFor(port: number, host: string): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  socket.end(`GET /v1/storm-events HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return Number(text.slice(9, 12));
}

describe("life", () => {
  const createEmptyService = (): Promise<StormService> =>
    createStormService({
      catalog: new MemoryCatalog(),
      frames: new MemoryFrames(),
      places: noPlaces,
      viewer: undefined,
      clock: () => new Date(),
      log: () => undefined,
      hosts: [],
    });

  test("names a taken port, and may then take another", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => {
      taken.close();
    });
    await once(taken, "listening");
    const { port } = taken.address() as { port: number };
    const service = await createEmptyService();
    onTestFinished(() => service.close());
    const error: unknown = await service
      .listen({ host: "127.0.0.1", port })
      .catch((thrown: unknown) => thrown);
    expect(isAppError(error, "address-in-use") && error.detail).toContain(`Port ${port}`);
    const { url } = await service.listen({ host: "127.0.0.1", port: 0 });
    expect((await fetch(`${url}/v1/storm-events`)).status).toBe(200);
  });

  test("beyond loopback, answers only to configured and loopback names", async () => {
    const { port } = await startTestService({ hosts: ["storm.example"] }, "0.0.0.0");
    for (const [name, status] of [
      ["storm.example", 200],
      ["127.0.0.1", 200],
      ["localhost", 200],
      ["0.0.0.0", 421],
      ["192.168.1.5", 421],
      ["other.example", 421],
    ] as const) {
      expect(await statusFor(port, `${name}:${port}`), name).toBe(status);
    }
  });

  test("closes without having listened", async () => {
    const service = await createEmptyService();
    await service.close();
  });

  test("cuts a connection on which nothing moves", async () => {
    const places = { search: () => new Promise<never>(() => undefined), close: () => Promise.resolve() };
    const { get } = await startTestService({ places, idleMs: 50 });
    await expect(get("/v1/places/search?q=norman")).rejects.toThrow();
    expect((await get("/v1/storm-events")).status).toBe(200);
  });

  test("closing ends idle connections and cuts a slow answer", async () => {
    const places = { search: () => new Promise<never>(() => undefined), close: () => Promise.resolve() };
    const { get, port, service } = await startTestService({ places });
    const idle = connect(port, "127.0.0.1");
    idle.write(`GET /v1/storm-events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    await once(idle, "data");
    const silent = connect(port, "127.0.0.1");
    await once(silent, "connect");
    const endless = expect(get("/v1/places/search?q=norman")).rejects.toThrow();
    await get("/v1/storm-events");
    idle.resume();
    silent.resume();
    const ended = Promise.all([once(idle, "close"), once(silent, "close")]);
    await service.close();
    await ended;
    await endless;
  });
});
