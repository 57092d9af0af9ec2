// The listener for its clients: routing, authentication, bodies, the envelope and raw replies.
import { createServer } from "node:net";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { isAppError } from "../../../shared/app-error.ts";
import type { ApiPart, ApiRequest } from "./api-part.ts";
import { createApiServer } from "./api-server.ts";
import { startTestApi } from "./support/test-api.ts";

const things = "/client/v4/accounts/local/things";

async function expectProblem(response: Response, status: number, code: number): Promise<string> {
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const body = (await response.json()) as { errors: { code: number; message: string }[] };
  expect(body).toEqual({
    result: null,
    success: false,
    errors: [{ code, message: expect.any(String) as string }],
    messages: [],
  });
  return body.errors[0]!.message;
}

describe("routing", () => {
  test("a route gets decoded parameters, all values of a query and the listener's origin", async () => {
    const { ask, origin } = await startTestApi();
    const response = await ask(`${things}/a%2Fb%20%C3%A9?x=1&x=2&y=%25`);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(await response.json()).toEqual({
      result: {
        params: { account: "local", name: "a/b é" },
        query: [
          ["x", "1"],
          ["x", "2"],
          ["y", "%"],
        ],
        origin,
      },
      success: true,
      errors: [],
      messages: [],
      result_info: { count: 1 },
    });
  });

  test("HEAD works wherever GET does, without a body", async () => {
    const { ask } = await startTestApi();
    for (const path of [`${things}/a`, "/client/v4/raw/stream", "/client/v4/raw/bytes"]) {
      const response = await ask(path, "artifacts:read", { method: "HEAD" });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe("");
    }
  });

  test.each([
    "/",
    "/client",
    "/client/v4",
    "/client/v4/",
    "/client/v4/nothing",
    `${things}/a/b`,
    "/gi",
    "/v1",
  ])("there is nothing at %s, with or without a token, whatever its body is", async (path) => {
    const { ask } = await startTestApi();
    await expectProblem(await ask(path, "none"), 404, 10_200);
    await expectProblem(await ask(path, "artifacts:edit", { method: "POST", body: "{" }), 404, 10_200);
  });

  test.each(["PUT", "DELETE", "OPTIONS", "PROPFIND", "GET", "QUERY"])(
    "%s on a path of other methods gets 405 and their list",
    async (method) => {
      const { ask } = await startTestApi();
      const response = await ask(things, "none", { method });
      expect(response.headers.get("allow")).toBe("POST");
      await expectProblem(response, 405, 10_100);
    },
  );

  test("a malformed percent-encoding is refused", async () => {
    const { ask } = await startTestApi();
    await expectProblem(await ask(`${things}/%zz`), 400, 10_100);
    await expectProblem(await ask(`${things}/%E0%A4%A`), 400, 10_100);
  });
});

describe("who asks", () => {
  test("a missing or unknown token gets 401 with a challenge", async () => {
    const { ask, secretOf } = await startTestApi();
    const missing = await ask(`${things}/a`, "none");
    expect(missing.headers.get("www-authenticate")).toBe('Bearer realm="Echotop"');
    await expectProblem(missing, 401, 10_000);
    const sound = secretOf("artifacts:edit");
    for (const authorization of [
      "Bearer",
      "Bearer x",
      `Bearer ept_${"0".repeat(40)}`,
      `Bearer art_v1_${"0".repeat(40)}?expires=1`,
      `Basic ${Buffer.from(`x:${sound}`).toString("base64")}`,
      sound,
      `Bearer ${sound}x`,
      `Bearer ${sound.toUpperCase()}`,
      `Bearer ${sound}, Bearer ${sound}`,
    ]) {
      const response = await ask(`${things}/a`, "none", { headers: { authorization } });
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm="Echotop"/);
      await expectProblem(response, 401, 10_000);
    }
  });

  test("accepts the scheme in any case", async () => {
    const { ask, secretOf } = await startTestApi();
    for (const scheme of ["bearer", "BEARER"]) {
      const headers = { authorization: `${scheme} ${secretOf("artifacts:read")}` };
      expect((await ask(`${things}/a`, "none", { headers })).status).toBe(200);
    }
  });

  test("edit includes read in its own group only", async () => {
    const { ask } = await startTestApi();
    expect((await ask(`${things}/a`, "artifacts:edit")).status).toBe(200);
    const refused = await ask(things, "artifacts:read", { method: "POST", body: "{" });
    expect(await expectProblem(refused, 403, 10_000)).toContain("artifacts:edit");
    await expectProblem(await ask(`${things}/a`, "zone-settings:edit"), 403, 10_000);
    await expectProblem(await ask("/client/v4/zones/z/settings", "zone-settings:read"), 403, 10_000);
    expect((await ask("/client/v4/zones/z/settings", "zone-settings:edit")).status).toBe(200);
  });

  test("an unknown account gets 404, or 401 without a token", async () => {
    const { ask } = await startTestApi();
    await expectProblem(await ask("/client/v4/accounts/other/things/a"), 404, 10_200);
    await expectProblem(await ask("/client/v4/accounts/other/things/a", "none"), 401, 10_000);
  });

  test("a part gets the id of the token", async () => {
    const asked: ApiRequest[] = [];
    const part: ApiPart = {
      routes: [
        {
          method: "GET",
          path: "/whoever",
          permission: "zone-settings:read",
          handle: (request) => Promise.resolve({ result: asked.push(request) }),
        },
      ],
      toProblem: () => undefined,
    };
    const { ask, tokens } = await startTestApi({ parts: [part] });
    const { id, plaintext } = tokens.create({ permission: "zone-settings:edit" });
    const headers = { authorization: `Bearer ${plaintext}` };
    expect((await ask("/client/v4/whoever", "none", { headers })).status).toBe(200);
    expect(asked.map(({ tokenId }) => tokenId)).toEqual([id]);
  });

  test("a new or revoked token takes effect immediately", async () => {
    const { ask, tokens } = await startTestApi();
    const { id, plaintext } = tokens.create({ permission: "artifacts:read" });
    const headers = { authorization: `Bearer ${plaintext}` };
    expect((await ask(`${things}/a`, "none", { headers })).status).toBe(200);
    tokens.revoke(id);
    expect((await ask(`${things}/a`, "none", { headers })).status).toBe(401);
  });

  test("refuses pages of other origins and accepts its own", async () => {
    const { ask, origin } = await startTestApi();
    for (const headers of [
      { origin: "http://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      await expectProblem(await ask(`${things}/a`, "artifacts:read", { headers }), 403, 10_000);
      await expectProblem(await ask("/git/a", "none", { headers }), 403, 10_000);
    }
    expect((await ask(`${things}/a`, "artifacts:read", { headers: { origin } })).status).toBe(200);
  });
});

describe("bodies", () => {
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    ({ method: "POST", body, headers }) satisfies RequestInit;

  test.each<[string, BodyInit]>([
    ["cut JSON", "{"],
    ["an array", "[]"],
    ["null", "null"],
    ["a string", '"x"'],
    ["text", "name=x"],
    ["not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["deep", "[".repeat(60_000)],
  ])("a body that is %s is 400", async (_, body) => {
    const { ask } = await startTestApi();
    await expectProblem(await ask(things, "artifacts:edit", post(body)), 400, 10_100);
  });

  test.each(["application/json", "text/plain", "application/x-www-form-urlencoded"])(
    "an object is taken as %s, and an empty body as none",
    async (type) => {
      const { ask } = await startTestApi();
      const given = await ask(things, "artifacts:edit", post('{"name":"é"}', { "content-type": type }));
      expect(given.status).toBe(201);
      expect(await given.json()).toMatchObject({ result: { name: "é" }, success: true });
      const none = await ask(things, "artifacts:edit", post("", { "content-type": type }));
      expect(await none.json()).toMatchObject({ result: "nothing" });
    },
  );

  test("accepts 64 KiB; one byte more gets 413", async () => {
    const { ask } = await startTestApi();
    const body = (byteLength: number) => `{"a":"${"x".repeat(byteLength - 8)}"}`;
    expect((await ask(things, "artifacts:edit", post(body(65_536)))).status).toBe(201);
    await expectProblem(await ask(things, "artifacts:edit", post(body(65_537))), 413, 10_100);
    const stream = new Blob([body(200_000)]).stream();
    const chunked = { method: "POST", body: stream, duplex: "half" } as RequestInit;
    await expectProblem(await ask(things, "artifacts:edit", chunked), 413, 10_100);
  });
});

describe("failures", () => {
  test("a part's own error gets its status, code and headers", async () => {
    const { ask, log } = await startTestApi();
    const response = await ask("/client/v4/fail/known");
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await expectProblem(response, 409, 10_201)).toBe("There is one already.");
    expect(log).toEqual([]);
  });

  test("any other error gets 500 and a log line, both without secrets", async () => {
    const { ask, log } = await startTestApi();
    await expectProblem(await ask("/client/v4/fail/unknown"), 500, 10_400);
    expect(log).toMatchObject([{ level: "error", facts: { route: "GET /client/v4/fail/:how" } }]);
    expect(JSON.stringify(log)).not.toMatch(/aaaa/);
    expect(log[0]!.message).toContain("said no to");
  });

  test("an unknown error is logged also if the client went away meanwhile", async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    const part: ApiPart = {
      isShared: true,
      toProblem: () => undefined,
      routes: [
        {
          method: "GET",
          path: "/late",
          permission: "artifacts:read",
          handle: async ({ signal }) => {
            asked.resolve(signal);
            await once(signal, "abort");
            throw new Error("The disk is gone.");
          },
        },
      ],
    };
    const { ask, log } = await startTestApi({ parts: [part] });
    const leaving = new AbortController();
    const left = ask("/client/v4/late", "artifacts:read", { signal: leaving.signal });
    await asked.promise;
    leaving.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => log).toMatchObject([{ message: "A request failed: The disk is gone." }]);
  });

  test("an unreadable token store gets 500 and grants nothing", async () => {
    const authenticate = (): never => {
      throw new Error("The disk is gone.");
    };
    const { ask } = await startTestApi({ tokens: { authenticate } });
    await expectProblem(await ask(`${things}/a`), 500, 10_400);
  });
});

describe("raw", () => {
  test("sends raw bytes unchanged, and 304 to a client that has them", async () => {
    const { ask } = await startTestApi();
    const response = await ask("/client/v4/raw/bytes");
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("content-length")).toBe("7");
    expect(response.headers.get("cache-control")).toBe("public, immutable");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.text()).toBe("picture");
    const again = await ask("/client/v4/raw/bytes", "artifacts:read", {
      headers: { "if-none-match": '"abc"' },
    });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
  });

  test("sends a stream as it comes; cuts the connection if it fails", async () => {
    const { ask, log } = await startTestApi();
    const response = await ask("/client/v4/raw/stream");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-length")).toBeNull();
    expect(await response.text()).toBe("one two");
    await expect(ask("/client/v4/raw/broken").then((broken) => broken.text())).rejects.toThrow();
    expect(log).toMatchObject([{ level: "warn", message: "An answer broke off: The stream broke." }]);
  });

  test("a raw prefix gets every method without authentication, but only for our Host", async () => {
    const { ask, origin, sendRaw, log } = await startTestApi();
    const push = await ask("/git/a/../b?x", "none", { method: "PUT", body: "x".repeat(200_000) });
    expect(await push.text()).toBe(`PUT /git/b?x ${origin} 200000`);
    const refused = await sendRaw("GET /git/a HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    expect(refused).toMatch(/^HTTP\/1\.1 421 /);
    await expectProblem(await ask("/git/throws", "none"), 500, 10_400);
    expect(JSON.stringify(log)).not.toContain("0123");
  });
});

describe("life", () => {
  const nothing = { parts: [], tokens: { authenticate: () => undefined }, log: () => undefined };

  test("names a taken port; then takes another, but not two at the same time", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => {
      taken.close();
    });
    await once(taken, "listening");
    const { port } = taken.address() as { port: number };
    const server = createApiServer(nothing);
    onTestFinished(() => server.close());
    const error: unknown = await server.listen({ port }).catch((thrown: unknown) => thrown);
    expect(isAppError(error, "address-in-use") && error.detail).toContain(`Port ${port}`);
    const { origin } = await server.listen({ port: 0 });
    expect((await fetch(origin)).status).toBe(404);
    await expect(server.listen({ port: 0 })).rejects.toMatchObject({ code: "conflict" });
  });

  test("closes twice without having listened, and then refuses to listen", async () => {
    const server = createApiServer(nothing);
    await server.close();
    await server.close();
    await expect(server.listen({ port: 0 })).rejects.toMatchObject({ code: "conflict" });
  });

  test("a part's signal aborts when the client goes away, not after an answer", async () => {
    const signals: AbortSignal[] = [];
    const asked = Promise.withResolvers<undefined>();
    const part: ApiPart = {
      toProblem: () => undefined,
      routes: [
        {
          method: "GET",
          path: "/wait/:how",
          permission: "artifacts:read",
          handle: async ({ params, signal }) => {
            signals.push(signal);
            if (params.how === "long") {
              asked.resolve(undefined);
              await once(signal, "abort");
              throw signal.reason;
            }
            return { result: null };
          },
        },
      ],
    };
    const { ask, log } = await startTestApi({ parts: [part] });
    expect((await ask("/client/v4/wait/short")).status).toBe(200);
    const leaving = new AbortController();
    const left = ask("/client/v4/wait/long", "artifacts:read", { signal: leaving.signal });
    await asked.promise;
    const gone = once(signals[1]!, "abort");
    leaving.abort();
    await expect(left).rejects.toThrow();
    await gone;
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    // A later request has been through the same turns of the event loop.
    expect((await ask("/client/v4/wait/short")).status).toBe(200);
    expect(log).toEqual([]);
  });
});
