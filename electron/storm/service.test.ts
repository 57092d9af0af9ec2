// The service over a catalog in memory: what damage, failure and a missing viewer look like to a client, and how the
// service lives and ends. The walk through every operation, over the real catalog, is in e2e/contract.
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, connect } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { AppError, isAppError } from "../../shared/app-error.ts";
import { ErrorBody } from "../../shared/contract/primitives.ts";
import { MrmsHistory } from "../../shared/contract/history.ts";
import { DataServiceStatus } from "../../shared/contract/data-status.ts";
import { createStormService, type StormService } from "./service.ts";
import { MemoryCatalog, MemoryFrames, toManifest } from "./support/memory-catalog.ts";
import { placesOf, startTestService } from "./support/test-service.ts";

const noPlaces = placesOf({ attribution: "", results: [] });

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

const sound = toManifest("storm", "R1", 1, "2026-05-20T21:00:00Z");

describe("damaged manifests", () => {
  test.each<[string, { bytes?: Uint8Array; sha256?: string }]>([
    ["no JSON", { bytes: Buffer.from("{") }],
    ["empty", { bytes: new Uint8Array() }],
    ["not UTF-8", { bytes: Buffer.from([0x22, 0xff, 0x22]) }],
    ["null", { bytes: json(null) }],
    ["without layers", { bytes: json({ ...sound, layers: [] }) }],
    ["of another mode", { bytes: json({ ...sound, mode: "replay" }) }],
    ["with an opacity of 2", { bytes: json({ ...sound, layers: [{ ...sound.layers[0], opacity: 2 }] }) }],
    [
      "with bounds off the Earth",
      { bytes: json({ ...sound, layers: [{ ...sound.layers[0], bounds: [0, 0, 0, 91] }] }) },
    ],
    ["of another event", { bytes: json({ ...sound, eventId: "other" }) }],
    ["of another revision", { bytes: json({ ...sound, revisionId: "R2" }) }],
    ["changed since publication", { sha256: "0".repeat(64) }],
  ])("a stored manifest that is %s gives 502, one log line, and no part of it", async (_, change) => {
    const { catalog, get, log } = await startTestService();
    catalog.publish("storm", change);
    for (const path of ["/v1/storm-events/storm/manifest", "/v1/storm-events/storm/revisions/R1/manifest"]) {
      for (let again = 0; again < 2; again += 1) {
        const response = await get(path, { "if-none-match": "*" });
        expect(response.status).toBe(502);
        expect(response.headers.get("etag")).toBeNull();
        expect(response.headers.get("cache-control")).toBe("no-store");
        const body = (await response.json()) as ErrorBody;
        expect(ErrorBody.parse(body)).toEqual(body);
        expect(body.message).toBe("What is stored here does not keep its contract.");
      }
    }
    const lines = log.filter(({ message }) => message.includes("manifest is damaged and is not served"));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.facts).toMatchObject({ eventId: "storm", revisionId: "R1" });
  });

  test("a damaged revision is left out of the list, and the rest keeps its order", async () => {
    const { catalog, get, log } = await startTestService();
    catalog.publish("storm");
    catalog.publish("storm", { bytes: Buffer.from("{}") });
    catalog.publish("storm");
    const history = MrmsHistory.parse(await (await get("/v1/storm-events/storm/revisions")).json());
    expect(history.frames.map(({ sequence }) => sequence)).toEqual([1, 3]);
    expect(history.latestSequence).toBe(3);
    expect(log.some(({ facts }) => facts?.revisionId === "R2")).toBe(true);
  });

  test("a list says of itself what its newest sound manifest says, and before there is one what its origin is", async () => {
    const { catalog, get } = await startTestService();
    const readHead = async (eventId: string): Promise<MrmsHistory> =>
      MrmsHistory.parse(await (await get(`/v1/storm-events/${eventId}/revisions`)).json());
    catalog.publish("storm");
    catalog.publish("storm", { bytes: Buffer.from("{}") });
    expect(await readHead("storm")).toMatchObject({
      attribution: "Somebody",
      disclosure: "Made for a test.",
    });
    catalog.addEvent({ id: "empty", origin: "synthetic" });
    expect((await readHead("empty")).disclosure).toMatch(/^SYNTHETIC/);
  });

  test("optional members may be missing from a stored manifest", async () => {
    const identity = ["eventId", "revisionId", "sequence"];
    const anonymous = Object.fromEntries(Object.entries(sound).filter(([name]) => !identity.includes(name)));
    const { catalog, get } = await startTestService();
    catalog.publish("storm", { bytes: json(anonymous) });
    const response = await get("/v1/storm-events/storm/manifest");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(anonymous);
  });
});

describe("damaged and missing frames", () => {
  test("a frame that does not match its id gives 404 and a log line", async () => {
    const { catalog, frames, get, log } = await startTestService();
    const frameId = await frames.put(Buffer.from("picture"));
    catalog.addFrame("storm", "mrms-mesh", frameId);
    frames.damage(frameId);
    const response = await get(`/v1/storm-events/storm/frames/mrms-mesh/${frameId}.png`);
    expect(response.status).toBe(404);
    expect(ErrorBody.parse(await response.json()).message).toBe("This frame is not available.");
    expect(log.map(({ message }) => message)).toContain("A stored frame is damaged and is not served.");
  });

  test("a frame is there only for the event and the product that show it", async () => {
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

  test("a published frame that is gone gives 404 and a log line", async () => {
    const { catalog, get, log } = await startTestService();
    catalog.addFrame("storm", "mrms-mesh", "abc");
    expect((await get("/v1/storm-events/storm/frames/mrms-mesh/abc.png")).status).toBe(404);
    expect(log.map(({ message }) => message)).toContain("A published frame is missing.");
  });
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

  test("a catalog that cannot be read gives 502 and a log line, without its words", async () => {
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

  test("a damaged event is not available to the list of its revisions, and a stored error to the rest", async () => {
    const error = new AppError("stored-data-invalid", "The row of /secret/catalog.db is damaged.");
    const { get, log } = await startTestService({ catalog: new FailingCatalog(error) });
    const list = await get("/v1/storm-events/storm/revisions");
    expect(list.status).toBe(404);
    expect(await list.json()).toEqual({ message: "The data of this storm event is not available." });
    expect(log).toMatchObject([{ level: "error", facts: { eventId: "storm" } }]);
    expect((await get("/v1/storm-events/storm/manifest")).status).toBe(502);
  });

  test("a fault of ours gives 500 and a log line, without its words", async () => {
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

test("a processing error is reported without the path of the file that it was about", async () => {
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

test("a list keeps its tag while nothing changes, whatever the time, and says when it was made", async () => {
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

describe("viewer files", () => {
  async function makeViewer(): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), "echotop-viewer-"));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    await mkdir(join(directory, "viewer", "assets"), { recursive: true });
    await writeFile(join(directory, "secret.txt"), "secret");
    const viewer = join(directory, "viewer");
    await writeFile(join(viewer, "index.html"), "<!doctype html><title>Echotop</title>");
    await writeFile(join(viewer, "assets", "main-Ab3_d-9z.js"), "export {};");
    await writeFile(join(viewer, "assets", "plain.css"), "body {}");
    await symlink(join(directory, "secret.txt"), join(viewer, "link.txt"));
    return viewer;
  }

  test("the page revalidates, hashed assets are immutable, both carry the page's policy", async () => {
    const { get } = await startTestService({ viewer: await makeViewer() });
    const page = await get("/");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    expect(await page.text()).toContain("Echotop");
    expect((await get("/?event=storm")).status).toBe(200);
    expect((await get("/index.html")).headers.get("etag")).toBe(page.headers.get("etag"));
    const script = await get("/assets/main-Ab3_d-9z.js");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect((await get("/assets/plain.css")).headers.get("cache-control")).toBe("no-cache");
    for (const { headers } of [page, script]) {
      const policy = headers.get("content-security-policy")!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    }
    const again = await get("/", { "if-none-match": page.headers.get("etag")! });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
  });

  test("nothing outside the folder, and no link out of it, is served", async () => {
    const { get, port } = await startTestService({ viewer: await makeViewer() });
    for (const path of [
      "/link.txt",
      "/assets",
      "/assets/",
      "/..%2fsecret.txt",
      "/%2e%2e/secret.txt",
      "/assets/..%2f..%2fsecret.txt",
    ]) {
      expect((await get(path)).status).toBe(404);
    }
    const socket = connect(port, "127.0.0.1");
    socket.end(`GET /../secret.txt HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
    expect(text).not.toContain("secret");
  });

  test.each([undefined, "/nowhere/at/all"])(
    "without a built viewer (%s) the root says so in a plain sentence",
    async (viewer) => {
      const { get } = await startTestService({ viewer });
      const response = await get("/");
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(await response.text()).toMatch(/^The viewer is not built\./);
    },
  );
});

/** The status that a request under a Host of its own gets. */
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

  test("a taken port is named, and the service may then take another", async () => {
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

  test("bound beyond loopback, it answers to the names it was given and the loopback's own, and to no address", async () => {
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

  test("a service that never listened closes", async () => {
    const service = await createEmptyService();
    await service.close();
  });

  test("closing ends kept-alive connections, and cuts off an answer that takes too long", async () => {
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
