// Refusals over real sockets: requests that another reader of the same bytes would understand differently.
import fc from "fast-check";
import { once } from "node:events";
import { connect } from "node:net";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startScriptedOrigin, type ScriptedOrigin } from "../../../support/scripted-origin.ts";
import { head, startTestGateway, statusOf, type TestGateway } from "../support/test-gateway.ts";

let origin: ScriptedOrigin;
let gateway: TestGateway;
beforeEach(async () => {
  origin = await startScriptedOrigin();
  onTestFinished(() => origin.stop());
  origin.page("/", "<p>Page</p>");
  gateway = await startTestGateway({ kind: "http", url: origin.url });
});

const post = (...headers: readonly string[]): string => head("POST /", ...headers);

test.each<[string, number, () => string]>([
  ["without a Host", 400, () => "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["of HTTP/1.0 without a Host", 400, () => "GET / HTTP/1.0\r\n\r\n"],
  ["with two Hosts", 400, () => head("GET /", "Host: other.example")],
  ["with one Host twice", 400, () => head("GET /", "hOST: brief.example")],
  ["with an empty Host", 421, () => "GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n"],
  ["for another host", 421, () => "GET / HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n"],
  ["for another host in its target", 421, () => head("GET http://other.example/")],
  ["for another host of the zone in its target", 421, () => head("GET http://docs.brief.example/")],
  ["with a name in its target", 400, () => head("OPTIONS *")],
  ["with an unknown scheme in its target", 400, () => head("GET ftp://brief.example/")],
  [
    "with a length and a coding",
    400,
    () => `${post("Content-Length: 3", "Transfer-Encoding: chunked")}0\r\n\r\n`,
  ],
  [
    "with a coding and a length",
    400,
    () => `${post("Transfer-Encoding: chunked", "Content-Length: 3")}0\r\n\r\n`,
  ],
  ["with two lengths", 400, () => `${post("Content-Length: 3", "Content-Length: 4")}abcd`],
  ["with a signed length", 400, () => `${post("Content-Length: +3")}abc`],
  ["with a length in two words", 400, () => `${post("Content-Length: 3, 3")}abc`],
  ["with chunked twice", 400, () => `${post("Transfer-Encoding: chunked, identity")}0\r\n\r\n`],
  ["with an unknown coding", 400, () => `${post("Transfer-Encoding: xchunked")}0\r\n\r\n`],
  [
    "with a coding of HTTP/1.0",
    400,
    () => `POST / HTTP/1.0\r\nHost: brief.example\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ["with a coding that is not read", 501, () => `${post("Transfer-Encoding: gzip, chunked")}0\r\n\r\n`],
  ["with a broken chunk", 400, () => `${post("Transfer-Encoding: chunked")}zz\r\n`],
  ["with a space before the colon", 400, () => head("GET /", "X : 1")],
  ["with a folded header", 400, () => head("GET /", "X: 1\r\n Host: other.example")],
  ["with a bare line feed", 400, () => head("GET /", "X: 1\nY: 2")],
  ["with a bare carriage return", 400, () => head("GET /", "X: 1\rY: 2")],
  ["with a NUL", 400, () => head("GET /", "X: \0")],
  ["that asks for an echo of its headers", 501, () => head("TRACE /", "Cookie: session=secret")],
  ["that opens a tunnel", 501, () => head("CONNECT other.example:443")],
  [
    "that wants a socket",
    501,
    () => `GET / HTTP/1.1\r\nHost: brief.example\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
  ],
  ["that expects what is not to be had", 417, () => head("GET /", "Expect: tea")],
  ["with a head without end", 431, () => head("GET /", `X: ${"x".repeat(40_000)}`)],
])("a request %s is %d and never reaches the origin", async (_, status, text) => {
  const answer = await gateway.send(text());
  expect(statusOf(answer)).toBe(status);
  expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  if (status !== 417) expect(answer.toLowerCase()).toContain("content-type: text/plain");
  expect(origin.seen("/")).toHaveLength(0);
  expect(gateway.records).toHaveLength(0);
});

describe("accepted requests", () => {
  test.each<[string, string]>([
    ["an absolute target of the same host", "GET http://BRIEF.example:80/"],
    ["an absolute target without a path", "GET https://brief.example"],
    ["an unusual method", "PROPFIND /"],
    ["HTTP/1.0 with a Host", "GET / HTTP/1.0"],
  ])("%s", async (_, line) => {
    const text = line.includes(" HTTP/") ? `${line}\r\nHost: brief.example\r\n\r\n` : head(line);
    expect(statusOf(await gateway.send(text))).toBe(200);
    expect(origin.seen("/")[0]?.method).toBe(line.split(" ", 1)[0]);
  });

  test("an absolute target with the same name below a wildcard, in another spelling", async () => {
    const text =
      "GET http://a.wild.example:80/ HTTP/1.1\r\nHost: A.wild.example.\r\nConnection: close\r\n\r\n";
    expect(statusOf(await gateway.send(text))).toBe(200);
  });

  test("an offer of HTTP/2 is declined", async () => {
    const text =
      "GET / HTTP/1.1\r\nHost: brief.example\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n";
    expect(statusOf(await gateway.send(text))).toBe(200);
    const names = origin.seen("/")[0]!.rawHeaders.map((name) => name.toLowerCase());
    expect(names).not.toContain("upgrade");
    expect(names).not.toContain("http2-settings");
  });
});

test("an unread body is not taken for a request", async () => {
  const hidden = "GET / HTTP/1.1\r\nHost: brief.example\r\n\r\n";
  const answer = await gateway.send(
    `POST / HTTP/1.1\r\nHost: other.example\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  );
  expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 421"]);
  expect(origin.seen("/")).toHaveLength(0);
});

test.each([
  [
    "of an unsupported transfer coding",
    "Host: brief.example\r\nTransfer-Encoding: gzip, chunked",
    "0\r\n\r\n",
  ],
  ["for another host", "Host: other.example\r\nContent-Length: 2", "hi"],
])("nothing is read after a refused body %s", async (_, headers, body) => {
  // On an open connection, a request would reach the origin at once.
  await gateway.send(head("GET /first"));
  const answer = await gateway.send(`POST / HTTP/1.1\r\n${headers}\r\n\r\n${body}${head("GET /")}`);
  expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toHaveLength(1);
  expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  // The origin has seen everything that was sent before this request.
  await gateway.send(head("GET /last"));
  expect(origin.seen("/")).toHaveLength(0);
  expect(gateway.records).toHaveLength(2);
});

test("pipelined requests are answered in order", async () => {
  origin.page("/2", "second");
  const answer = await gateway.send(`GET / HTTP/1.1\r\nHost: brief.example\r\n\r\n${head("GET /2")}`);
  expect(answer.indexOf("<p>Page</p>")).toBeGreaterThan(0);
  expect(answer.indexOf("second")).toBeGreaterThan(answer.indexOf("<p>Page</p>"));
});

test("an origin that is the gateway itself is detected", async () => {
  // Each request returns to the gateway with its own Via.
  await gateway.send(head("GET /"));
  const via = origin.seen("/")[0]!.rawHeaders.at(-1)!;
  expect(statusOf(await gateway.send(head("GET /", `Via: 1.0 x, ${via}`)))).toBe(508);
});

test("random heads get one answer each or a closed connection, and the gateway still works", async () => {
  const line = fc.constantFrom(
    ...[
      "Host: brief.example",
      "Host: x",
      "Content-Length: 3",
      "Content-Length: -1",
      "Transfer-Encoding: chunked",
    ],
    ...[
      "Transfer-Encoding: x",
      "Expect: 100-continue",
      "Upgrade: h2c",
      "Upgrade: x",
      "Connection: Upgrade",
      "TE: x",
    ],
    ...[
      "X: \u00ff",
      ": x",
      "",
      "\0",
      "A:\r",
      "User-Agent: TrainBot/1",
      "X-Forwarded-For: x",
      "Via: x",
      "Range: x",
    ],
  );
  const target = fc.constantFrom(
    "/",
    "/x",
    "//",
    "*",
    "",
    "http://brief.example",
    "/\u00e9",
    "/%00",
    "/?",
    "x",
  );
  const method = fc.constantFrom("GET", "POST", "HEAD", "DELETE", "OPTIONS", "TRACE", "get", "M-SEARCH", "");
  const body = fc.constantFrom("", "abc", "0\r\n\r\n", "3\r\n{}\n\r\n0\r\n\r\n", "ffffffffffffffff\r\n");
  const request = fc.tuple(method, target, fc.array(line, { maxLength: 5 }), body, fc.nat({ max: 200 }));
  await fc.assert(
    fc.asyncProperty(request, async ([verb, where, lines, rest, cut]) => {
      const text = `${verb} ${where} HTTP/1.1\r\n${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n${rest}`;
      const socket = connect({ port: gateway.port, host: "127.0.0.1", allowHalfOpen: true });
      let answer = "";
      socket.on("data", (piece: Buffer) => (answer += piece.toString("latin1")));
      socket.on("error", () => {
        // `close` follows.
      });
      // Half of them are truncated, which ends the connection too.
      socket.end(Buffer.from(cut < 100 ? text.slice(0, cut) : text, "latin1"));
      await once(socket, "close");
      expect((answer.match(/^HTTP\/1\.1 [2-5]/gm) ?? []).length).toBeLessThanOrEqual(1);
    }),
    { seed: 20_260_521, numRuns: 200 },
  );
  expect(statusOf(await gateway.send(head("GET /")))).toBe(200);
});
