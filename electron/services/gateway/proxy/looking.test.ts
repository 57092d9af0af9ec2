// Pages that are inspected for a training crawler: when they are held back, released, or replaced by a redirect.
import { once } from "node:events";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import type { ProxyTimeouts } from "../gateway-limits.ts";
import { startRawOrigin } from "../support/raw-origin.ts";
import { agents, head, startTestGateway, statusOf, withoutHop } from "../support/test-gateway.ts";

const link = '<link rel="canonical" href="/e/1">';
const page = `<!doctype html><html><head><title>A page</title>${link}</head><body>Text</body></html>`;
const plainPage = page.replace(link, "");
const crawler = (path = "/r/1", ...headers: readonly string[]): string =>
  head(`GET ${path}`, `User-Agent: ${agents.train}`, ...headers);

const answer = (body: string | Buffer, ...headers: readonly string[]): Buffer =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\n${["Content-Type: text/html", `Content-Length: ${body.length}`, ...headers].join("\r\n")}\r\n\r\n`,
      "latin1",
    ),
    Buffer.from(body),
  ]);

async function startBefore(
  say: Buffer | ((socket: Socket, head: string) => void),
  timeouts: Partial<ProxyTimeouts> = {},
) {
  const origin = await startRawOrigin(typeof say === "function" ? say : (socket) => socket.write(say));
  return { origin, gateway: await startTestGateway({ kind: "http", url: origin.url }, { timeouts }) };
}

const redirect = (location: string): RegExp =>
  new RegExp(
    `^HTTP/1\\.1 301 Moved Permanently\r\nLocation: ${location}\r\nCache-Control: private, no-store\r\n`,
  );

describe("a page with a canonical link to another page", () => {
  test("is replaced by a redirect without anything of the origin, which is asked once", async () => {
    const { gateway, origin } = await startBefore(answer(page, "Set-Cookie: a=1", 'ETag: "x"', "Vary: *"));
    const text = await gateway.send(crawler("/r/1?a=b"));
    expect(text).toMatch(redirect("https://brief.example/e/1"));
    expect(text).not.toMatch(/set-cookie|etag|vary/i);
    expect(text).toMatch(/\r\n\r\nSee https:\/\/brief\.example\/e\/1\n$/);
    expect(origin.heads).toHaveLength(1);
    expect(gateway.records).toMatchObject([
      {
        zoneId: "z1",
        host: "brief.example",
        path: "/r/1",
        status: 301,
        userAgent: agents.train,
        verifiedBotCategory: "AI Crawler",
        verifiedBotName: "TrainBot",
        reason: "redirected",
        redirectsForAiTrainingTarget: "https://brief.example/e/1",
      },
    ]);
  });

  test("is canceled as soon as the link is known, however much follows", async () => {
    const closed = Promise.withResolvers<undefined>();
    const { gateway } = await startBefore((socket) => {
      socket.once("close", () => {
        closed.resolve(undefined);
      });
      socket.write(
        answer(page, "X: 1")
          .toString("latin1")
          .replace(/Content-Length: \d+/, "Content-Length: 1000000000"),
      );
    });
    expect(statusOf(await gateway.send(crawler()))).toBe(301);
    await closed.promise;
  });

  test("keeps the connection if little of the page is left", async () => {
    const { gateway, origin } = await startBefore(answer(page + "x".repeat(10_000)));
    for (let count = 0; count < 3; count += 1) expect(statusOf(await gateway.send(crawler()))).toBe(301);
    expect(origin.connections()).toBe(1);
  });

  test("is read byte by byte and compressed", async () => {
    const bytes = gzipSync(page);
    const { gateway } = await startBefore((socket) => {
      const whole = answer(bytes, "Content-Encoding: gzip");
      let at = 0;
      const drip = (): void => {
        if (at < whole.byteLength && !socket.destroyed) {
          socket.write(whole.subarray(at, (at += 1)), () => setImmediate(drip));
        }
      };
      drip();
    });
    expect(await gateway.send(crawler())).toMatch(redirect("https://brief.example/e/1"));
  });
});

describe("any other page", () => {
  test.each<[string, string, Buffer]>([
    ["no_canonical", "has none", answer(plainPage)],
    ["canonical_self", "names itself", answer(page.replace("/e/1", "/r/1"))],
    [
      "canonical_cross_origin",
      "names another origin's",
      answer(page.replace("/e/1", "https://other.example/")),
    ],
    ["canonical_invalid", "names no page", answer(page.replace("/e/1", "javascript:1"))],
    ["content_encoding", "is in an unknown encoding", answer(page, "Content-Encoding: sdch")],
    ["origin_broken", "is not in its encoding", answer(page, "Content-Encoding: gzip")],
    ["content_type", "is no HTML", Buffer.from(answer(page).toString().replace("text/html", "text/plain"))],
    ["content_type", "is of two types", answer(page, "Content-Type: text/html")],
    ["status", "is no page", Buffer.from(answer(page).toString().replace("200 OK", "404 Not Found"))],
    ["no_canonical", "is empty", answer("")],
    ["canonical_beyond_limit", "has no end of its head", answer(`<head><!--${"x".repeat(400_000)}`)],
  ])("is passed on to the byte, %s: it %s", async (reason, _, bytes) => {
    const { gateway } = await startBefore(bytes);
    expect(withoutHop(await gateway.send(crawler()))).toBe(withoutHop(bytes.toString("latin1")));
    expect(gateway.records).toMatchObject([{ reason, redirectsForAiTrainingTarget: null }]);
  });

  test("begins as soon as its head is complete", async () => {
    const sockets: Socket[] = [];
    const { gateway } = await startBefore((socket) => {
      sockets.push(socket);
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 40\r\n\r\n<head></head>");
    });
    const { received, closed } = gateway.open(crawler());
    await vi.waitUntil(() => sockets.length > 0);
    expect(received()).toBe("");
    sockets[0]!.write("<body>");
    await vi.waitUntil(() => received().endsWith("<head></head><body>"));
    sockets[0]!.write("x".repeat(21));
    await closed;
    expect(received()).toMatch(/<body>x{21}$/);
  });

  test("that is cut is passed on as far as it came, and cut there", async () => {
    const { gateway } = await startBefore((socket) =>
      socket.end(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 400\r\n\r\n<head><title>Half",
      ),
    );
    expect(await gateway.send(crawler())).toMatch(/Content-Length: 400\r\n[^]*\r\n\r\n<head><title>Half$/);
    expect(gateway.records).toMatchObject([{ reason: "origin_broken", status: 200 }]);
  });

  test("is passed on after the timeout", async () => {
    const sockets: Socket[] = [];
    const { gateway } = await startBefore(
      (socket) => {
        sockets.push(socket);
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 20\r\n\r\n<head>");
      },
      { inspectMs: 100 },
    );
    const { received, closed } = gateway.open(crawler());
    await vi.waitUntil(() => received().endsWith("<head>"));
    sockets[0]!.write(link.slice(0, 14));
    await closed;
    expect(received()).toContain(`<head>${link.slice(0, 14)}`);
    expect(gateway.records).toMatchObject([{ reason: "origin_broken", status: 200 }]);
  });

  test("is canceled when the crawler leaves", async () => {
    const gone = Promise.withResolvers<undefined>();
    const { gateway, origin } = await startBefore((socket) => {
      socket.once("close", () => {
        gone.resolve(undefined);
      });
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 20\r\n\r\n<head>");
    });
    const { socket } = gateway.open(crawler());
    await vi.waitUntil(() => origin.heads.length > 0);
    socket.destroy();
    await gone.promise;
  });
});

test("only inspected requests are limited to encodings that can be decoded", async () => {
  const { gateway, origin } = await startBefore(answer(plainPage));
  await gateway.send(crawler("/", "accept-encoding: zip, gzip;q=0.5, br"));
  await gateway.send(crawler("/"));
  await gateway.send(head("GET /", "accept-encoding: zip, gzip;q=0.5, br"));
  const asked = origin.heads.map((text) => /^accept-encoding: .*$/im.exec(text)?.[0]);
  expect(asked).toEqual([
    "Accept-Encoding: gzip;q=0.5, br",
    undefined,
    "accept-encoding: zip, gzip;q=0.5, br",
  ]);
});

test("two pages that name each other do not redirect in circles", async () => {
  const { gateway } = await startBefore(answer(page));
  expect(statusOf(await gateway.send(crawler("/r/1", "Referer: https://brief.example/e/2")))).toBe(301);
  expect(statusOf(await gateway.send(crawler("/r/1", "Referer: https://brief.example/e/1#x")))).toBe(200);
  expect(gateway.records.map(({ reason }) => reason)).toEqual(["redirected", "loop"]);
});

test("each request is recorded once, in the order of time", async () => {
  const { gateway } = await startBefore(answer(page));
  for (const agent of [agents.search, agents.unsure, "Mozilla/5.0"]) {
    await gateway.send(head("GET /r/1?secret=1", `User-Agent: ${agent}`, "Cookie: secret=2"));
  }
  await gateway.send(head("HEAD /r/1", `User-Agent: ${agents.train}`));
  gateway.settings.value = "off";
  gateway.settings.revision += 1;
  await gateway.send(crawler());
  await vi.waitUntil(() => gateway.records.length === 5);
  expect(gateway.records.map(({ reason, verifiedBotCategory }) => [reason, verifiedBotCategory])).toEqual([
    ["bot_category", "AI Search"],
    ["bot_unknown", null],
    ["bot_unverified", null],
    ["method", "AI Crawler"],
    ["feature_off", "AI Crawler"],
  ]);
  expect(JSON.stringify(gateway.records)).not.toContain("secret");
  const ids = gateway.records.map(({ id }) => id);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(5);
});

test("a redirect of the zone is answered without the origin", async () => {
  const origin = await startRawOrigin((socket) => socket.destroy());
  const gateway = await startTestGateway(
    { kind: "http", url: origin.url },
    {
      zone: {
        singleRedirects: [
          {
            expression: 'http.request.uri.path eq "/old" and cf.client.bot',
            targetUrl: "https://brief.example/new",
            statusCode: 308,
          },
        ],
      },
    },
  );
  const { socket, received } = gateway.open(head("GET /old", `User-Agent: ${agents.train}`));
  await once(socket, "close");
  expect(received()).toMatch(/^HTTP\/1\.1 308 .*\r\nLocation: https:\/\/brief\.example\/new\r\n/);
  expect(origin.heads).toHaveLength(0);
  expect(gateway.records).toMatchObject([
    { reason: "single_redirect", status: 308, redirectsForAiTrainingTarget: null },
  ]);
});
