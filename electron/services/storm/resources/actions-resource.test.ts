import { request } from "node:http";
import { describe, expect, test, vi } from "vitest";
import type { Dispatch } from "../../../../shared/contract/actions.ts";
import { createFeedCounts, type FeedHealth } from "../../../../shared/contract/feed-health.ts";
import { startTestService, type TestService } from "../support/test-service.ts";
import { maxActionBytes } from "../storm-limits.ts";

const token = "t0ken-of_this-run";

async function setUp() {
  const dispatch = vi.fn<Dispatch>(() => Promise.resolve({ ok: { tasks: [] } }));
  const service = await startTestService({ actions: { dispatch, token } });
  return { dispatch, service };
}

interface Post {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly method?: string;
}

function post({ url }: TestService, { path = "/app/tasks.list", headers, body = "{}", method }: Post = {}) {
  return fetch(url + path, {
    method: method ?? "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body,
  });
}

/** Every refusal is one sentence in JSON, and the action never ran. */
async function expectRefused(response: Response, status: number, dispatch: { mock: { calls: unknown[] } }) {
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  const body = (await response.json()) as Record<string, unknown>;
  expect(Object.keys(body)).toEqual(["message"]);
  expect(body.message).toMatch(/^[A-Z].*\.$/);
  expect(dispatch.mock.calls).toEqual([]);
}

describe("an action over HTTP", () => {
  test("runs for a program with the token", async () => {
    const { service, dispatch } = await setUp();
    const response = await post(service, { path: "/app/tasks.stop", body: '{"taskId":"task-1"}' });
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({ tasks: [] });
    expect(dispatch).toHaveBeenCalledExactlyOnceWith("tasks.stop", { taskId: "task-1" });
  });

  test("runs for our own page", async () => {
    const { service } = await setUp();
    const headers = { origin: service.url, "sec-fetch-site": "same-origin" };
    expect((await post(service, { headers })).status).toBe(200);
  });

  test.each([
    ["no token", ""],
    ["another token", "Bearer another"],
    ["a longer token", `Bearer ${token}x`],
    ["the token under another scheme", `Basic ${token}`],
    ["the token twice", `Bearer ${token}, Bearer ${token}`],
  ])("is refused with %s", async (_what, authorization) => {
    const { service, dispatch } = await setUp();
    const response = await post(service, { headers: { authorization } });
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    await expectRefused(response, 401, dispatch);
  });

  test("is refused to a page of another origin, token or not", async () => {
    const { service, dispatch } = await setUp();
    await expectRefused(await post(service, { headers: { origin: "http://evil.example" } }), 403, dispatch);
    await expectRefused(await post(service, { headers: { "sec-fetch-site": "cross-site" } }), 403, dispatch);
  });

  test("is refused if there is no token: the service is read-only", async () => {
    const dispatch = vi.fn<Dispatch>();
    const service = await startTestService({ actions: { dispatch, token: undefined } });
    await expectRefused(await post(service), 403, dispatch);
    await expectRefused(await post(service, { headers: { authorization: "Bearer " } }), 403, dispatch);
  });

  test.each(["/app/tasks", "/app/", "/app", "/app/files.add", "/app/tasks.list/x", "/app/__proto__"])(
    "is not there under %s",
    async (path) => {
      const { service, dispatch } = await setUp();
      await expectRefused(await post(service, { path }), 404, dispatch);
    },
  );

  test.each(["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])("is refused with %s", async (method) => {
    const { service, dispatch } = await setUp();
    const response = await fetch(`${service.url}/app/tasks.list`, { method });
    expect(response.headers.get("allow")).toBe("POST");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    await expectRefused(response, 405, dispatch);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/json5", ""])(
    "takes no body of type %j",
    async (type) => {
      const { service, dispatch } = await setUp();
      await expectRefused(await post(service, { headers: { "content-type": type } }), 415, dispatch);
    },
  );

  test.each([
    ["nothing", ""],
    ["half an object", '{"taskId":'],
    ["bytes that are no UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
  ])("refuses %s as a body", async (_what, body) => {
    const { service, dispatch } = await setUp();
    await expectRefused(await post(service, { body }), 400, dispatch);
  });

  test.each(["tasks.list", "briefings.saveSteps"] as const)(
    "accepts a body of %s up to its limit, with or without a length",
    async (name) => {
      const { service, dispatch } = await setUp();
      const path = `/app/${name}`;
      const fits = JSON.stringify("x".repeat(maxActionBytes(name) - 2));
      expect((await post(service, { path, body: fits })).status).toBe(200);
      dispatch.mockClear();
      await expectRefused(await post(service, { path, body: `${fits} ` }), 413, dispatch);
      expect(await sendChunked(service, path, `${fits} `)).toBe(413);
      expect(dispatch).not.toHaveBeenCalled();
    },
  );

  test.each([
    ["invalid-input", 400],
    ["not-found", 404],
    ["conflict", 409],
    ["steps-changed", 412],
    ["source-invalid", 422],
    ["unexpected", 500],
  ] as const)("answers a %s with its sentence", async (code, status) => {
    const { service, dispatch } = await setUp();
    dispatch.mockResolvedValueOnce({ problem: { code, detail: "So it is." } });
    const response = await post(service);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ message: "So it is." });
  });

  test("does not run on paths of the contract", async () => {
    const { service, dispatch } = await setUp();
    await expectRefused(await post(service, { path: "/v1/storm-events" }), 405, dispatch);
  });
});

/** Returns a body without a length, in pieces. */
function sendChunked({ port }: TestService, path: string, body: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const outgoing = request(
    {
      port,
      host: "127.0.0.1",
      method: "POST",
      path,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    },
    (response) => {
      response.resume();
      resolve(response.statusCode);
    },
  );
  outgoing.on("error", reject);
  outgoing.write(body.slice(0, 1_000));
  outgoing.end(body.slice(1_000));
  return promise;
}

describe("the feeds' health", () => {
  const health: FeedHealth = {
    source: "noaa",
    eventId: "conus-live",
    state: "current",
    lastCheckedAt: null,
    lastReachedAt: null,
    nextCheckAt: null,
    linkProblem: null,
    pendingWindows: 0,
    products: [],
    counts: createFeedCounts(),
  };

  test("is read by anybody who may look, and revalidated", async () => {
    const service = await startTestService({ feeds: () => [health] });
    const response = await service.get("/app/feeds");
    expect(await response.json()).toEqual({ feeds: [health] });
    const again = await service.get("/app/feeds", { "if-none-match": response.headers.get("etag")! });
    expect(again.status).toBe(304);
  });

  test("is empty without feeds, and read-only", async () => {
    const service = await startTestService();
    expect(await (await service.get("/app/feeds")).json()).toEqual({ feeds: [] });
    const written = await fetch(`${service.url}/app/feeds`, { method: "POST" });
    expect(written.status).toBe(405);
    expect(written.headers.get("allow")).toBe("GET, HEAD");
  });
});
