// Requests that no well-behaved client sends, over bare sockets: hosts, targets, framing, half-open and half-sent ones.
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ErrorBody } from "../../shared/contract/primitives.ts";
import { ContractHost } from "./contract-host.ts";
import { expectHarmless } from "./expectations.ts";
import type { RawAnswer } from "./raw-http.ts";

let host: ContractHost;

beforeAll(async () => {
  host = await ContractHost.start();
  await host.publish("storm", { minutes: 0 });
});
afterAll(() => host.stop());

const list = "/v1/storm-events";

function request(target: string, headers: readonly string[] = [], method = "GET"): string {
  return [
    `${method} ${target} HTTP/1.1`,
    `Host: 127.0.0.1:${host.port}`,
    "Connection: close",
    ...headers,
    "",
    "",
  ].join("\r\n");
}

async function ask(bytes: string): Promise<RawAnswer> {
  const [answer, ...more] = await host.exchange(bytes);
  expect(more).toEqual([]);
  return answer!;
}

function expectRefusal(answer: RawAnswer | undefined, status: number): void {
  expect(answer?.status).toBe(status);
  expect(answer?.headers["content-type"]).toBe("application/json; charset=utf-8");
  const body: unknown = JSON.parse(answer!.body);
  expect(ErrorBody.parse(body)).toEqual(body);
  expectHarmless(answer!.body);
}

describe("Host", () => {
  const withHosts = (lines: readonly string[], version = "1.1"): string =>
    [`GET ${list} HTTP/${version}`, ...lines, "Connection: close", "", ""].join("\r\n");

  test("accepts each of our names", async () => {
    for (const name of ["127.0.0.1", "localhost"]) {
      expect((await ask(withHosts([`Host: ${name}:${host.port}`]))).status).toBe(200);
      expect((await ask(withHosts([`Host: ${name}:${host.port}`], "1.0"))).status).toBe(200);
    }
  });

  test("missing, empty, doubled and foreign ones get 421", async () => {
    const own = `Host: 127.0.0.1:${host.port}`;
    const strange = [
      [],
      ["Host:"],
      [own, own],
      [own, "Host: evil.example"],
      ["Host: evil.example", own],
      ["Host: evil.example"],
      [`Host: evil.example:${host.port}`],
      ["Host: 127.0.0.1"],
      [`Host: 127.0.0.1:${host.port + 1}`],
      [`Host: 127.0.0.1:${host.port}@evil.example`],
      [`Host: 127.1:${host.port}`],
      [`Host: [::1]:${host.port}`],
      [`Host: localhost.:${host.port}`],
      [`Host: http://127.0.0.1:${host.port}`],
      [`X-Forwarded-Host: 127.0.0.1:${host.port}`, "Host: evil.example"],
    ];
    for (const lines of strange) expectRefusal(await ask(withHosts(lines)), 421);
    expectRefusal(await ask(withHosts([], "1.0")), 421);
  });

  test("is checked before path and method", async () => {
    const evil = request("/%zz/../x").replace(/Host: .*/, "Host: evil.example");
    expectRefusal(await ask(evil), 421);
    expectRefusal(await ask(evil.replace("GET", "DELETE")), 421);
  });
});

describe("targets", () => {
  test.each([
    "/../../etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/v1/../v1/storm-events",
    "//evil.example/v1/storm-events",
    "/\\evil.example",
    "/v1/storm-events/%00",
    "/v1/storm-events/storm%2fmanifest",
    "/v1/storm-events/storm/manifest%00",
    "/v1/storm-events/storm/manifest/..;/manifest",
    "/v1/storm-events/*/manifest",
    "/v1/storm-events/__proto__/manifest",
    "/v1/storm-events/constructor/revisions/toString/manifest",
    "/%",
    "/%c0%ae%c0%ae/",
  ])("%j is nothing here", async (target) => {
    expectRefusal(await ask(request(target)), 404);
  });

  test.each(["/v1/storm-events/\u00ff/manifest", "/\u0000", "/ /x", "/\t"])(
    "%j is no target",
    async (target) => {
      expectRefusal(await ask(request(target)), 400);
    },
  );

  test("needless percent-encoding is equivalent", async () => {
    expect((await ask(request("/v1/storm%2Devents/%73torm/manifest"))).status).toBe(200);
  });

  test("serves our own absolute target, and no other", async () => {
    expect((await ask(request(`http://127.0.0.1:${host.port}${list}`))).status).toBe(200);
    expectRefusal(await ask(request(`http://evil.example${list}`)), 400);
    expectRefusal(await ask(request(`https://127.0.0.1:${host.port}${list}`)), 400);
  });

  test("* and authorities are refused", async () => {
    expectRefusal(await ask(request("*", [], "OPTIONS")), 400);
    expectRefusal(await ask(request(`127.0.0.1:${host.port}`, [], "CONNECT")), 405);
  });

  test.each<[string, number]>([
    [`/v1/storm-events?${"x".repeat(15_000)}`, 200],
    [`/v1/storm-events/storm/revisions?limit=${"2".repeat(15_000)}`, 400],
    [`/v1/storm-events/${"x".repeat(15_000)}/revisions`, 400],
    [`/v1/storm-events/${"%".repeat(15_000)}/revisions`, 400],
    [`/v1/storm-events/storm/revisions/${"x".repeat(15_000)}/manifest`, 404],
    [`/v1/storm-events/storm/frames/mrms-mesh/${"0".repeat(15_000)}.png`, 404],
    [`/v1/places/search?q=${"x".repeat(15_000)}`, 400],
    [`/${"x".repeat(15_000)}`, 404],
  ])("%.45s… gets the same answer long or short", async (target, status) => {
    const answer = await ask(request(target));
    if (status === 200) expect(answer.status).toBe(200);
    else expectRefusal(answer, status);
  });

  test("too large headers or addresses get 431", async () => {
    expectRefusal(await ask(request(list, [`X: ${"x".repeat(20_000)}`])), 431);
    const many = Array.from({ length: 3_000 }, (_, index) => `X-${index}: 1`);
    expectRefusal(await ask(request(list, many)), 431);
    expectRefusal((await host.exchange(request(`/${"x".repeat(100_000)}`)))[0], 431);
  });
});

describe("framing", () => {
  test.each<[string, string[]]>([
    ["both lengths", ["Content-Length: 4", "Transfer-Encoding: chunked"]],
    ["two lengths", ["Content-Length: 4", "Content-Length: 5"]],
    ["a length that is none", ["Content-Length: four"]],
    ["a negative length", ["Content-Length: -1"]],
    ["an unknown coding", ["Transfer-Encoding: cow"]],
    ["a coding in disguise", ["Transfer-Encoding: chunked, identity"]],
    ["a folded header", ["X: 1", " folded: Content-Length: 4"]],
    ["a name with a space", ["Content-Length : 4"]],
    ["a name with a NUL", ["X\u0000: 1"]],
    ["a bare line feed", ["X: 1\nY: 2"]],
  ])("%s: gets one refusal, and the rest is not read as a request", async (_, headers) => {
    const smuggled = request("/v1/data/status");
    const answers = await host.exchange(`${request(list, headers)}0\r\n\r\n${smuggled}`);
    expect(answers.length).toBeLessThanOrEqual(1);
    if (answers[0]?.status !== 200) expectRefusal(answers[0], 400);
  });

  test("never answers a smuggled request behind a body", async () => {
    const smuggled = request("/v1/data/status");
    const hidden = `GET ${list} HTTP/1.1\r\nHost: 127.0.0.1:${host.port}\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`;
    const answers = await host.exchange(hidden + request("/v1/openapi.json"));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body).toContain('"events"');
    expect(answers[1]?.body).toContain('"openapi"');
  });

  test.each([
    "\r\n\r\n\r\n",
    "GET\r\n\r\n",
    "\u0016\u0003\u0001\u0000\u00a5\u0001",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "🌪",
  ])("%j is not HTTP: refused or ended, nothing else", async (bytes) => {
    const answers = await host.exchange(Buffer.from(bytes), { halfClose: true });
    expect(answers.length).toBeLessThanOrEqual(1);
    if (answers[0]) expectRefusal(answers[0], 400);
  });

  test("pipelined requests are answered in order, HEAD and refusals among them", async () => {
    const keepOpen = (text: string): string => text.replace("Connection: close\r\n", "");
    const answers = await host.exchange(
      keepOpen(request(list)) +
        keepOpen(request("/v1/nothing")) +
        keepOpen(request(list, [], "HEAD")) +
        keepOpen(request(list, [], "DELETE")) +
        keepOpen(request(list, ["Origin: http://evil.example"])) +
        request("/v1/storm-events/storm/manifest", ["If-None-Match: *"]),
      { methods: ["GET", "GET", "HEAD"] },
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 405, 403, 304]);
  });

  test("an expectation is met with the answer itself", async () => {
    expect(
      (await ask(request(list, ["Expect: 100-continue", "Content-Length: 10"]) + "x".repeat(10))).status,
    ).toBe(200);
    expect((await ask(request(list, ["Expect: the unexpected"]))).status).toBe(200);
  });

  test("ignores an offer of another protocol", async () => {
    const offer = ["Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"];
    const answer = await ask(request(list, offer).replace("Connection: close", "Connection: Upgrade, close"));
    expect(answer.status).toBe(200);
  });
});

describe("connections", () => {
  async function open(): Promise<Socket> {
    const socket = connect({ port: host.port, host: "127.0.0.1", allowHalfOpen: true });
    onTestFinished(() => {
      socket.destroy();
    });
    await once(socket, "connect");
    return socket;
  }

  test("answers a client that half-closes after its request", async () => {
    const answers = await host.exchange(request(list).replace("Connection: close\r\n", ""), {
      halfClose: true,
    });
    expect(answers.map(({ status }) => status)).toEqual([200]);
  });

  test("a client that resets during a request or an answer does not affect others", async () => {
    for (const bytes of ["GET /v1/st", request(list), request("/v1/openapi.json").repeat(50)]) {
      const socket = await open();
      socket.write(bytes);
      socket.resetAndDestroy();
    }
    expect((await ask(request(list))).status).toBe(200);
  });

  test("slow requests do not delay others", async () => {
    for (let index = 0; index < 50; index += 1) (await open()).write(`GET ${list} HTTP/1.1\r\nX-`);
    expect((await ask(request(list))).status).toBe(200);
  });

  test("garbage behind a running answer ends the connection without a second head", async () => {
    const frames = request("/v1/openapi.json").replace("Connection: close\r\n", "");
    const answers = await host.exchange(`${frames}garbage\r\n\r\n`);
    expect(answers[0]?.status).toBe(200);
    expect(() => JSON.parse(answers[0]!.body) as unknown).not.toThrow();
    if (answers[1]) expectRefusal(answers[1], 400);
  });
});
