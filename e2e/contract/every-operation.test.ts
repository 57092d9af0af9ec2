// Rules of every operation: HEAD, other methods, unknown parameters, the guard; and paths that are not operations.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MrmsManifest } from "../../shared/contract/manifest.ts";
import { toOpenApiDocument } from "../../shared/contract/openapi.ts";
import { operations, toPath, type Operation, type OperationId } from "../../shared/contract/operations.ts";
import { overlayDraftOf } from "../../electron/catalog/support/drafts.ts";
import { ContractHost } from "./contract-host.ts";
import { expectProblem } from "./expectations.ts";

let host: ContractHost;
/** An address with data for each operation. */
let addresses: Record<OperationId, string>;

beforeAll(async () => {
  host = await ContractHost.start();
  const { eventId, revisionId, manifest } = await host.publish("storm", { minutes: 0 });
  const [layer] = MrmsManifest.parse(JSON.parse(Buffer.from(manifest).toString("utf8"))).layers;
  const { sha256 } = await host.catalog.keepOverlay(overlayDraftOf(eventId));
  addresses = {
    searchPlaces: `${toPath("searchPlaces")}?q=norman`,
    listStormEvents: toPath("listStormEvents"),
    listRevisions: toPath("listRevisions", { eventId }),
    getLatestManifest: toPath("getLatestManifest", { eventId }),
    getRevisionManifest: toPath("getRevisionManifest", { eventId, revisionId }),
    getFrame: layer!.imageUrl,
    openStream: toPath("openStream", { eventId }),
    getDataStatus: toPath("getDataStatus"),
    listRevisionPage: toPath("listRevisionPage", { eventId }),
    getLatest: toPath("getLatest", { eventId }),
    getSteps: toPath("getSteps", { eventId }),
    getSource: toPath("getSource", { eventId, revisionId, productId: layer!.id }),
    listKeptOverlays: toPath("listKeptOverlays", { eventId }),
    getKeptOverlay: toPath("getKeptOverlay", { eventId, sha256 }),
    listOverlays: toPath("listOverlays"),
    getOverlayFile: toPath("getOverlayFile", { sha256 }),
  };
});
afterAll(() => host.stop());

const each = Object.entries(operations).map(([id, operation]) => [id as OperationId, operation] as const);
/** No overlay of a person is configured here. */
const statusesOf = (id: OperationId): readonly number[] => (id === "getOverlayFile" ? [404] : [200, 426]);

describe("every operation", () => {
  test.each(each)("%s: HEAD says what GET says, without a body", async (id) => {
    const get = await host.get(addresses[id]);
    const head = await host.get(addresses[id], {}, "HEAD");
    expect(statusesOf(id)).toContain(get.status);
    expect(head.status).toBe(get.status);
    expect(await head.text()).toBe("");
    for (const name of ["content-type", "content-length", "etag", "cache-control", "upgrade"]) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
    expect(head.headers.get("content-length")).toBe(String((await get.arrayBuffer()).byteLength));
  });

  test.each(each)("%s: any other method is 405 and names the two", async (id) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "QUERY", "PURGE"]) {
      const response = await host.get(addresses[id], { origin: host.origin }, method);
      await expectProblem(response, 405);
      expect(response.headers.get("allow")).toBe("GET, HEAD");
    }
  });

  test.each(each)("%s: unknown query parameters change nothing", async (id, operation: Operation) => {
    const separator = addresses[id].includes("?") ? "&" : "?";
    const response = await host.get(`${addresses[id]}${separator}x=1&x=2&cursor=%zz&page`);
    expect(operation.responses).toHaveProperty(String(response.status));
    expect(statusesOf(id)).toContain(response.status);
  });

  test.each(each)(
    "%s: a page of another origin is refused before anything else, ours is served",
    async (id) => {
      const evil = "http://evil.example";
      await expectProblem(await host.get(addresses[id], { origin: evil }), 403);
      await expectProblem(await host.get(addresses[id], { origin: evil }, "POST"), 403);
      await expectProblem(await host.get(addresses[id], { "sec-fetch-site": "cross-site" }), 403);
      const own = { origin: host.origin, "sec-fetch-site": "same-origin" };
      expect(statusesOf(id)).toContain((await host.get(addresses[id], own)).status);
    },
  );

  test.each(each.filter(([id]) => id !== "openStream"))("%s: a body on GET is ignored", async (id) => {
    // fetch refuses to send one, so the two requests are written out.
    const request = (extra: string, body: string): string =>
      `GET ${addresses[id]} HTTP/1.1\r\nHost: 127.0.0.1:${host.port}\r\n${extra}\r\n${body}`;
    const [first, second, ...more] = await host.exchange(
      request("Content-Length: 4\r\n", "POST") + request("Connection: close\r\n", ""),
    );
    expect(statusesOf(id)).toContain(first?.status);
    expect(second?.status).toBe(first?.status);
    // Answers of one state may differ in it, as their weak tag says.
    const withoutTime = (body = ""): string => body.replace(/"generatedAt":"[^"]*"/, "");
    expect(withoutTime(second?.body)).toEqual(withoutTime(first?.body));
    expect(more).toEqual([]);
  });
});

test("GET /v1/openapi.json serves the document", async () => {
  const response = await host.get("/v1/openapi.json");
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(toOpenApiDocument())));
  await expectProblem(await host.get("/v1/openapi.json", {}, "POST"), 405);
});

test.each([
  "/v1",
  "/v1/",
  "/v2/storm-events",
  "/v1/storm-events/",
  "/v1//storm-events",
  "/V1/storm-events",
  "/v1/storm-events/storm",
  "/v1/storm-events/storm/manifest/",
  "/v1/places",
  "/index.html/x",
  "/x",
])("%s gets 404 in JSON with any method", async (path) => {
  await expectProblem(await host.get(path), 404);
  await expectProblem(await host.get(path, {}, "HEAD").then(withBody), 404);
  await expectProblem(await host.get(path, {}, "DELETE"), 404);
});

/** Checks a HEAD answer with the body of GET. */
function withBody(response: Response): Response {
  return new Response('{"message":"-"}', { status: response.status, headers: response.headers });
}
