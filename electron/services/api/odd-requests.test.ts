// Requests that no well-behaved client sends: smuggling, oversize, slow and idle connections, and a seeded mixture.
// Every answer is an envelope, and the listener still works.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { startTestApi, type TestApi } from "./support/test-api.ts";

const path = "/client/v4/accounts/local/things";

/** Returns the status of every answer; checks that each refusal is an envelope. */
function statusesOf(text: string): number[] {
  const heads = [...text.matchAll(/HTTP\/1\.1 (\d{3}) [^\r]*\r\n((?:[^\r]+\r\n)*)\r\n/g)];
  for (const [, status, head] of heads) {
    if (Number(status) >= 400) expect(head!.toLowerCase()).toContain("content-type: application/json");
    expect(head!.toLowerCase()).not.toContain("access-control");
  }
  return heads.map(([, status]) => Number(status));
}

function openSocket({ port }: TestApi, bytes: string): { socket: Socket; received: () => string } {
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => {
    socket.destroy();
  });
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  socket.on("error", () => {
    // `close` follows.
  });
  socket.write(bytes);
  return { socket, received: () => text };
}

describe("malformed requests", () => {
  const cases: readonly (readonly [string, string, number])[] = [
    [
      "a Content-Length beside Transfer-Encoding",
      "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400],
    ["two equal lengths", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", 400],
    ["a list of lengths", "Content-Length: 2, 2\r\n\r\n{}", 400],
    ["a length with a sign", "Content-Length: +2\r\n\r\n{}", 400],
    ["another transfer coding", "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 400],
    ["a space before the colon", "Content-Length : 2\r\n\r\n{}", 400],
    ["a folded header", "X-A: 1\r\n 2\r\n\r\n", 400],
    ["a NUL in a header", "X-A: a\0b\r\n\r\n", 400],
    ["a broken chunk of a body that nobody may send", "Transfer-Encoding: chunked\r\n\r\nxyz\r\n", 401],
    ["too many headers' bytes", `X-A: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["a second Host", "Host: evil.example\r\n\r\n", 421],
    ["a second token", "Authorization: Bearer x\r\nAuthorization: Bearer y\r\n\r\n", 401],
  ];
  test.each(cases)("%s is answered once, and the connection ends where it must", async (_, rest, status) => {
    const api = await startTestApi();
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\nConnection: close\r\n`;
    expect(statusesOf(await api.sendRaw(head + rest))).toEqual([status]);
  });

  test("never answers a request hidden behind conflicting lengths", async () => {
    const api = await startTestApi();
    const authorization = `Authorization: Bearer ${api.secretOf("artifacts:edit")}`;
    const hidden = `GET /git/hidden HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\n\r\n`;
    const text = await api.sendRaw(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\n${authorization}\r\n` +
        `Content-Length: ${5 + hidden.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    );
    expect(statusesOf(text)).toEqual([400]);
  });

  test.each([
    ["CONNECT evil.example:80 HTTP/1.1", 405],
    ["OPTIONS * HTTP/1.1", 400],
    ["GET http://evil.example/git/a HTTP/1.1", 400],
    ["GET nothing HTTP/1.1", 400],
    ["GET / HTTP/9.9", 400],
    ["NONSENSE / HTTP/1.1", 400],
  ])("%s is refused", async (line, status) => {
    const api = await startTestApi();
    const text = await api.sendRaw(`${line}\r\nHost: 127.0.0.1:${api.port}\r\nConnection: close\r\n\r\n`);
    expect(statusesOf(text)).toEqual([status]);
  });

  test("accepts our own absolute target, and refuses another scheme", async () => {
    const api = await startTestApi();
    const ask = (scheme: string) =>
      api.sendRaw(
        `GET ${scheme}://127.0.0.1:${api.port}/git/a HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\nConnection: close\r\n\r\n`,
      );
    expect(await ask("http")).toContain(`GET /git/a ${api.origin} 0`);
    expect(statusesOf(await ask("https"))).toEqual([400]);
  });

  test("a missing Host gets 421, also with HTTP/1.0", async () => {
    const api = await startTestApi();
    expect(statusesOf(await api.sendRaw(`GET /git/a HTTP/1.0\r\n\r\n`))).toEqual([421]);
    expect(statusesOf(await api.sendRaw(`GET /git/a HTTP/1.1\r\nConnection: close\r\n\r\n`))).toEqual([421]);
  });
});

describe("time", () => {
  const hasty = { headMs: 100, restBodyMs: 100, idleMs: 300, checkMs: 20 };
  const host = ({ port }: TestApi): string => `Host: 127.0.0.1:${port}\r\n`;

  test("a late head gets 408", async () => {
    const api = await startTestApi({ timeouts: hasty });
    expect(statusesOf(await api.sendRaw(`GET /git/a HTTP/1.1\r\nHo`))).toEqual([408]);
  });

  test("a late REST body gets 408 and ends the connection", async () => {
    const api = await startTestApi({ timeouts: { ...hasty, idleMs: 10_000 } });
    const authorization = `Authorization: Bearer ${api.secretOf("artifacts:edit")}\r\n`;
    const head = `POST ${path} HTTP/1.1\r\n${host(api)}${authorization}Content-Length: 10\r\n\r\n{"`;
    const text = await api.sendRaw(head);
    expect(statusesOf(text)).toEqual([408]);
    expect(text.toLowerCase()).toContain("connection: close");
  });

  test("a raw body may take long while bytes flow, and is cut when they stop", async () => {
    const api = await startTestApi({ timeouts: hasty });
    const head = `POST /git/push HTTP/1.1\r\n${host(api)}Connection: close\r\nContent-Length: 20\r\n\r\n`;
    const { socket, received } = openSocket(api, head);
    const startedMs = performance.now();
    const timer = setInterval(() => socket.write("x"), 60);
    await once(socket, "end");
    clearInterval(timer);
    // Longer than every limit on a whole request.
    expect(performance.now() - startedMs).toBeGreaterThan(1000);
    expect(received()).toMatch(/POST \/git\/push \S+ 20/);
    const stopped = openSocket(api, `${head}xx`);
    await once(stopped.socket, "close");
    expect(stopped.received()).toBe("");
  });

  test("the service's own work has no time limit", async () => {
    const done = Promise.withResolvers<undefined>();
    const api = await startTestApi({
      timeouts: hasty,
      parts: [
        {
          routes: [],
          toProblem: () => undefined,
          raw: {
            prefix: "/git/",
            handle: (request, response) => {
              request.resume();
              void done.promise.then(() => response.end("done"));
            },
          },
        },
      ],
    });
    const answer = api.ask("/git/a", "none");
    // Two limits have passed after two unfinished requests were cut, one after the other.
    for (let passed = 0; passed < 2; passed += 1) {
      const idle = openSocket(api, `POST /git/idle HTTP/1.1\r\n${host(api)}Content-Length: 1\r\n\r\n`);
      await once(idle.socket, "close");
    }
    done.resolve(undefined);
    expect(await (await answer).text()).toBe("done");
  });

  test("closing ends idle and unfinished connections within the grace period", async () => {
    const api = await startTestApi();
    const silent = openSocket(api, "");
    const kept = openSocket(api, `GET /git/a HTTP/1.1\r\n${host(api)}\r\n`);
    const unfinished = openSocket(api, `POST /git/a HTTP/1.1\r\n${host(api)}Content-Length: 9\r\n\r\nx`);
    await once(kept.socket, "data");
    const ended = [silent, kept, unfinished].map(async ({ socket }) => {
      if (!socket.closed) await once(socket, "close");
    });
    const startedMs = performance.now();
    await api.server.close();
    await Promise.all(ended);
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });
});

describe("a client that expects 100 Continue", () => {
  const post = ({ port }: TestApi, target: string, more = ""): string =>
    `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${more}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`;

  test("gets it when the body is read", async () => {
    const api = await startTestApi();
    const authorization = `Authorization: Bearer ${api.secretOf("artifacts:edit")}\r\nConnection: close\r\n`;
    for (const [target, status] of [
      [path, 201],
      ["/git/push", 200],
    ] as const) {
      const { socket, received } = openSocket(api, post(api, target, authorization));
      await once(socket, "data");
      expect(received()).toMatch(/^HTTP\/1\.1 100 /);
      socket.write("{}");
      await once(socket, "end");
      expect(statusesOf(received())).toEqual([100, status]);
    }
  });

  test("does not get it if it is refused, and its connection ends", async () => {
    const api = await startTestApi();
    expect(statusesOf(await api.sendRaw(post(api, path)))).toEqual([401]);
    expect(await api.sendRaw(post(api, "/git/refused"))).toMatch(/^HTTP\/1\.1 401 /);
  });
});

test("random heads get envelopes or are cut, and the listener still works", async () => {
  const api = await startTestApi();
  const line = fc.constantFrom(
    ...[`Host: 127.0.0.1:${api.port}`, "Host: x", "Content-Length: 3", "Content-Length: -1"],
    ...[
      "Transfer-Encoding: chunked",
      "Transfer-Encoding: x",
      "Authorization: Bearer ept_0",
      "Authorization:",
    ],
    ...[
      "Expect: 100-continue",
      "Expect: x",
      "Upgrade: h2c",
      "Origin: null",
      "X: \u00ff",
      ": x",
      "",
      "\0",
      "A:\r",
    ],
    ...["Connection: Upgrade", "Content-Type: ;;", "If-None-Match: *", "Content-Encoding: gzip"],
    `Authorization: Bearer ${api.secretOf("artifacts:edit")}`,
  );
  const target = fc.constantFrom(
    ...[
      "/",
      path,
      `${path}/a`,
      `${path}/%`,
      `${path}/%00`,
      "/git/throws",
      "/client/v4/fail/x",
      "//",
      "*",
      "",
    ],
    ...[
      "/client/v4/raw/broken",
      "/client/v4//accounts",
      "/client/v4/__proto__",
      "http://x",
      "/client/v4/raw/\u00e9",
    ],
  );
  const method = fc.constantFrom("GET", "POST", "HEAD", "DELETE", "OPTIONS", "TRACE", "get", "M-SEARCH", "");
  const body = fc.constantFrom("", "{}", "{", "0\r\n\r\n", "3\r\n{}\n\r\n0\r\n\r\n", "ffffffffffffffff\r\n");
  const head = fc.tuple(method, target, fc.array(line, { maxLength: 6 }), body);
  await fc.assert(
    fc.asyncProperty(head, fc.nat({ max: 200 }), async ([verb, where, lines, rest], cut) => {
      const text = `${verb} ${where} HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\n${lines.map((item) => `${item}\r\n`).join("")}Connection: close\r\n\r\n${rest}`;
      const socket = connect({ port: api.port, host: "127.0.0.1", allowHalfOpen: true });
      let answer = "";
      socket.on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")));
      socket.on("error", () => {
        // `close` follows.
      });
      // Half of them are truncated, which also ends the connection.
      socket.end(Buffer.from(cut < 100 ? text.slice(0, cut) : text, "latin1"));
      await once(socket, "close");
      for (const status of statusesOf(answer))
        expect([100, 200, 201, 304].includes(status) || status >= 400).toBe(true);
    }),
    { seed: 20_260_520, numRuns: 300 },
  );
  expect((await api.ask(`${path}/a`)).status).toBe(200);
  const surprises = api.log.filter(
    ({ message }) => !/said no|Broken with|stream broke|premature/i.test(message),
  );
  expect(surprises).toEqual([]);
});
