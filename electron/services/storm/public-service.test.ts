import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { LatestRevision } from "../../../shared/contract/latest-revision.ts";
import { startTestService, type TestService } from "./support/test-service.ts";

async function startPublic(): Promise<TestService> {
  const viewer = mkdtempSync(join(tmpdir(), "echotop-viewer-"));
  onTestFinished(() => {
    rmSync(viewer, { recursive: true });
  });
  writeFileSync(
    join(viewer, "index.html"),
    "<!doctype html><html><head><title>Echotop</title></head></html>",
  );
  const service = await startTestService({
    isPublic: true,
    viewer,
    feeds: () => [],
    actions: { dispatch: () => Promise.reject(new Error("An action ran.")), token: "token" },
  });
  service.catalog.addEvent({ id: "storm" });
  return service;
}

const shared = "public, max-age=0, s-maxage=5";

describe("a public service", () => {
  test("says which revision is the newest, in a few bytes with an entity tag", async () => {
    const { catalog, get } = await startPublic();
    catalog.publish("storm");
    const first = await get("/app/events/storm/latest");
    expect(first.headers.get("cache-control")).toBe(shared);
    const etag = first.headers.get("etag")!;
    const body = await first.text();
    expect(body.length).toBeLessThan(300);
    expect(LatestRevision.parse(JSON.parse(body))).toMatchObject({
      eventId: "storm",
      revisionId: "R1",
      sequence: 1,
    });
    const same = await get("/app/events/storm/latest", { "if-none-match": etag });
    expect(same.status).toBe(304);
    expect(same.headers.get("cache-control")).toBe(shared);
    catalog.publish("storm");
    const second = await get("/app/events/storm/latest", { "if-none-match": etag });
    expect(LatestRevision.parse(await second.json()).sequence).toBe(2);
  });

  test("the manifest that it names never changes, and says so", async () => {
    const { catalog, get } = await startPublic();
    catalog.publish("storm");
    const { manifestUrl } = LatestRevision.parse(await (await get("/app/events/storm/latest")).json());
    const manifest = await get(manifestUrl);
    expect(manifest.status).toBe(200);
    expect(manifest.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  test.each(["/v1/storm-events", "/app/events/storm/revisions", "/v1/data/status", "/", "/v1/openapi.json"])(
    "shared caches keep %s for five seconds",
    async (path) => {
      const { get } = await startPublic();
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe(shared);
    },
  );

  test("shared caches keep what is not there for five seconds, and no refusal", async () => {
    const { get } = await startPublic();
    for (const path of ["/x", "/app/events/none/latest", "/app/events/storm/latest"]) {
      const response = await get(path);
      expect([path, response.status, response.headers.get("cache-control")]).toEqual([path, 404, shared]);
    }
    expect((await get("/v1/places/search?q=n")).headers.get("cache-control")).toBe("no-store");
    expect((await get("/v1/storm-events", { host: "evil.example" })).status).toBe(200);
  });

  test("an answer depends on its address alone, and every page may read it", async () => {
    const { catalog, get } = await startPublic();
    catalog.publish("storm");
    for (const path of [
      "/",
      "/v1/storm-events",
      "/app/events/storm/latest",
      "/v1/storm-events/storm/manifest",
    ]) {
      const plain = await get(path);
      const crossSite = await get(path, {
        origin: "https://news.example",
        "sec-fetch-site": "cross-site",
        "accept-encoding": "br",
        "accept-language": "de",
        cookie: "a=b",
        authorization: "Bearer token",
      });
      const headersOf = ({ headers }: Response) => [...headers].filter(([name]) => name !== "date");
      expect(headersOf(crossSite)).toEqual(headersOf(plain));
      expect(plain.headers.get("access-control-allow-origin")).toBe("*");
      expect(plain.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
      expect(plain.headers.get("vary")).toBeNull();
      expect(plain.headers.get("set-cookie")).toBeNull();
      expect((await crossSite.text()).replaceAll(/"generatedAt":"[^"]*"/g, "")).toBe(
        (await plain.text()).replaceAll(/"generatedAt":"[^"]*"/g, ""),
      );
    }
  });

  test("has no stream, no feeds and no actions", async () => {
    const { url, get, openSocket } = await startPublic();
    expect((await get("/v1/storm-events/storm/stream")).status).toBe(404);
    expect((await get("/app/feeds")).status).toBe(404);
    const headers = { authorization: "Bearer token", "content-type": "application/json" };
    for (const name of ["tasks.list", "events.remove", "live.start"]) {
      const response = await fetch(`${url}/app/${name}`, { method: "POST", headers, body: "{}" });
      expect(response.status).toBe(404);
    }
    const { socket } = openSocket("storm");
    const [, response] = (await once(socket, "unexpected-response")) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(404);
  });

  test("tells its page that it is public", async () => {
    const { get } = await startPublic();
    expect(await (await get("/")).text()).toContain('<head><meta name="echotop-service" content="public" />');
  });
});

test("a service that is not public has the newest revision too, to be revalidated by this origin's pages", async () => {
  const { catalog, get } = await startTestService();
  catalog.publish("storm");
  const response = await get("/app/events/storm/latest");
  expect(response.headers.get("cache-control")).toBe("no-cache");
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
});
