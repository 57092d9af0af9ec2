// The gateway as a proxy: refused requests, removed headers, and a missing origin (D56 to D59).
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  hasVisitors,
  pageWith,
  startGatewayHost,
  visitors,
  visitorsMissing,
  type GatewayHost,
} from "./gateway-host.ts";

describe.skipIf(!hasVisitors)(`the proxy${visitorsMissing}`, () => {
  let host: GatewayHost;
  beforeAll(async () => {
    host = await startGatewayHost();
    host.origin.page("/r/1", pageWith("/e/1"), { "Cache-Control": "public, max-age=60" });
  });
  afterAll(() => host.stop());

  /** Returns what arrives on a connection until it is closed. */
  async function sendRaw(text: string): Promise<string> {
    const { hostname, port } = new URL(host.gateway());
    const socket = connect(Number(port), hostname);
    const pieces: Buffer[] = [];
    socket.on("data", (piece: Buffer) => pieces.push(piece));
    socket.on("error", () => undefined);
    socket.write(text);
    await once(socket, "close");
    return Buffer.concat(pieces).toString("latin1");
  }
  const statusOf = (answer: string): number => Number(answer.slice(9, 12));
  const last = "Connection: close\r\n\r\n";

  test("D56 an unknown host gets 421", async () => {
    for (const name of ["other.example", "brief.example.evil", "127.0.0.1", "x.brief.example"]) {
      expect((await host.visit("/r/1", { host: name })).status).toBe(421);
    }
    expect((await host.visit("/r/1", { host: "BRIEF.example:1234" })).status).toBe(200);
  });

  test.each([
    ["no host", `GET /r/1 HTTP/1.1\r\n${last}`],
    ["two hosts", `GET /r/1 HTTP/1.1\r\nHost: brief.example\r\nHost: other.example\r\n${last}`],
    [
      "two lengths",
      `POST /r/1 HTTP/1.1\r\nHost: brief.example\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n${last}0\r\n\r\n`,
    ],
    [
      "lengths that differ",
      `POST /r/1 HTTP/1.1\r\nHost: brief.example\r\nContent-Length: 3\r\nContent-Length: 4\r\n${last}abc`,
    ],
    [
      "a coding within chunked",
      `POST /r/1 HTTP/1.1\r\nHost: brief.example\r\nTransfer-Encoding: chunked, identity\r\n${last}0\r\n\r\n`,
    ],
    ["a bare line feed in a header", `GET /r/1 HTTP/1.1\r\nHost: brief.example\nX: 1\r\n${last}`],
    ["a space before the colon", `GET /r/1 HTTP/1.1\r\nHost : brief.example\r\n${last}`],
  ])("D56 a request with %s gets 400 and does not reach the origin", async (_, text) => {
    const before = host.origin.seen("/r/1").length;
    expect(statusOf(await sendRaw(text))).toBe(400);
    expect(host.origin.seen("/r/1")).toHaveLength(before);
  });

  test("D56 another host's address as the target, and tunnels, are refused", async () => {
    const absolute = (name: string) => `GET http://${name}/r/1 HTTP/1.1\r\nHost: brief.example\r\n${last}`;
    expect([400, 421]).toContain(statusOf(await sendRaw(absolute("other.example"))));
    const tunnel = await sendRaw(`CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n${last}`);
    expect(statusOf(tunnel)).toBeGreaterThanOrEqual(400);
    expect(tunnel).not.toContain(" 200 ");
  });

  test("D56 hop-by-hop headers are dropped in both directions, and the origin learns the visitor's address", async () => {
    host.origin.answer("/hop", (_, response) => {
      response.writeHead(200, { Connection: "X-Internal, close", "X-Internal": "1", "X-Kept": "2" }).end("x");
    });
    const { headers } = await host.visit("/hop", {
      ...visitors.index,
      args: [
        ...["-H", "Connection: X-Gone", "-H", "X-Gone: 1", "-H", "X-Stays: 2"],
        ...["-H", "Keep-Alive: 5", "-H", "TE: gzip", "-H", "Proxy-Authorization: Basic eDp5"],
        ...["-H", "X-Forwarded-For: 203.0.113.9", "-H", "X-Forwarded-Proto: gopher"],
      ],
    });
    expect(headers).toMatchObject({ "x-kept": "2" });
    expect(headers).not.toHaveProperty("x-internal");
    const [seen] = host.origin.seen("/hop");
    const names = seen!.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    for (const name of ["x-gone", "keep-alive", "te", "proxy-authorization"])
      expect(names).not.toContain(name);
    expect(names).toContain("x-stays");
    const valueOf = (name: string): string => seen!.rawHeaders[names.indexOf(name) * 2 + 1]!;
    expect(valueOf("x-forwarded-for")).toBe(visitors.index.address);
    expect(valueOf("x-forwarded-proto")).toBe("https");
  });

  test("D56 every value of a repeated header arrives, in order", async () => {
    host.origin.answer("/cookies", (_, response) => {
      response.writeHead(200, ["Set-Cookie", "a=1", "X-A", "1", "Set-Cookie", "b=2"]).end("x");
    });
    const text = await sendRaw(`GET /cookies HTTP/1.1\r\nHost: brief.example\r\n${last}`);
    expect(text.match(/^(?:set-cookie|x-a): .*/gim)).toEqual([
      "Set-Cookie: a=1",
      "X-A: 1",
      "Set-Cookie: b=2",
    ]);
  });

  test("D57 without an origin, every visitor gets a plain 502", async () => {
    const away = await startGatewayHost({ zone: { origin: "http://127.0.0.1:1" } });
    try {
      for (const visitor of [visitors.train, visitors.browser]) {
        const { status, headers, body } = await away.visit("/r/1", visitor);
        expect([status, headers["content-type"]]).toEqual([502, "text/plain; charset=utf-8"]);
        expect(body.toString()).not.toContain("127.0.0.1");
      }
    } finally {
      await away.stop();
    }
  });

  test("D58 a shared cache may store the page, never the redirect", async () => {
    const sent = await host.visit("/r/1", visitors.train);
    expect([sent.status, sent.headers["cache-control"]]).toEqual([301, "private, no-store"]);
    const page = await host.visit("/r/1", visitors.browser);
    expect([page.status, page.headers["cache-control"], page.body.toString()]).toEqual([
      200,
      "public, max-age=60",
      pageWith("/e/1"),
    ]);
  });
});
