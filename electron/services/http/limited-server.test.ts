// Limits of one connection and of one address, over real sockets.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { RequestListener, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createAnswer, textType } from "./answer.ts";
import { connectionLimits } from "./http-limits.ts";
import { createLimitedServer, type LimitedServerOptions } from "./limited-server.ts";
import { bind, closeServer } from "./listening.ts";

const settled = { timeout: 20_000, interval: 5 };
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const post = (body: string): string =>
  `POST /post HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const echo: RequestListener = (request, response) => {
  response.end(`answer to ${request.url!}.`);
};

interface Client {
  readonly socket: Socket;
  readonly received: () => string;
}

async function startServer(onRequest: RequestListener, options: Partial<LimitedServerOptions> = {}) {
  const server = createLimitedServer({
    server: {},
    createProblem: (status, message, headers = {}) =>
      createAnswer({ status, body: message, type: textType, headers }),
    tunnelRefused: createAnswer({ status: 405, body: "", type: textType }),
    isProxy: () => false,
    onRequest,
    onExpectation: onRequest,
    ...options,
  });
  const { port } = await bind(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => closeServer(server));
  return (text: string): Client => {
    const socket = connect({ port, host: "127.0.0.1" });
    let received = "";
    socket.setEncoding("latin1").on("data", (piece: string) => (received += piece));
    socket.on("error", () => {
      // `closed` says it.
    });
    if (text !== "") socket.write(text);
    onTestFinished(() => void socket.destroy());
    return { socket, received: () => received };
  };
}

/** Returns the number of requests that Node has made of its input since the call. */
function countParsed(): () => number {
  let count = 0;
  const note = (): void => {
    count += 1;
  };
  subscribe("http.server.request.start", note);
  onTestFinished(() => void unsubscribe("http.server.request.start", note));
  return () => count;
}

/** Returns the paths whose answers arrived. */
const answersOf = ({ received }: Client): string[] =>
  Array.from(received().matchAll(/answer to (\/\w+)\./g), ([, path]) => path!);

describe("requests of one connection", () => {
  test("are taken one at a time, each when the answer before it is sent", async () => {
    const taken: ServerResponse[] = [];
    const open = await startServer((request, response) => {
      taken.push(response.setHeader("x-path", request.url!));
    });
    const { received } = open(get("/1") + get("/2") + get("/3"));
    for (const count of [1, 2, 3]) {
      await expect.poll(() => taken.length, settled).toBe(count);
      taken.at(-1)!.end();
    }
    await expect.poll(() => received().match(/x-path: \/\d/g), settled).toHaveLength(3);
    expect(received().match(/x-path: \/\d/g)).toEqual(["x-path: /1", "x-path: /2", "x-path: /3"]);
  });

  test("are not answered while the client reads nothing", async () => {
    let taken = 0;
    // More than the buffers of a loopback connection hold.
    const body = Buffer.alloc(32 * 1024 * 1024);
    const open = await startServer((_request, response) => {
      taken += 1;
      response.end(body);
    });
    const idle = open("");
    idle.socket.pause().write(get("/1") + get("/2"));
    await expect.poll(() => taken, settled).toBe(1);
    const other = open(get("/3"));
    await expect.poll(() => other.received().length, settled).toBeGreaterThan(body.length);
    expect(taken).toBe(2);
    idle.socket.resume();
    await expect.poll(() => taken, settled).toBe(3);
  });

  test("are answered in order up to the limit", async () => {
    const open = await startServer(echo);
    const paths = Array.from({ length: connectionLimits.unanswered }, (_, index) => `/${index}`);
    const client = open(paths.map(get).join(""));
    await expect.poll(() => answersOf(client), settled).toEqual(paths);
    client.socket.write(get("/more"));
    await expect.poll(() => answersOf(client).at(-1), settled).toBe("/more");
  });

  test("close it beyond the limit, and the rest of the same packet is not parsed", async () => {
    const parsed = countParsed();
    let taken = 0;
    const open = await startServer(() => {
      taken += 1;
    });
    const { socket, received } = open(get("/").repeat(1_000));
    await expect.poll(() => socket.closed, settled).toBe(true);
    expect([parsed(), taken, received()]).toEqual([connectionLimits.unanswered, 1, ""]);
  });

  test("close it beyond the limit also when they arrive one by one", async () => {
    const parsed = countParsed();
    const open = await startServer(() => undefined);
    const { socket } = open("");
    for (let count = 1; count <= connectionLimits.unanswered; count += 1) {
      socket.write(get("/"));
      await expect.poll(parsed, settled).toBe(count);
    }
    expect(socket.closed).toBe(false);
    socket.write(get("/"));
    await expect.poll(() => socket.closed, settled).toBe(true);
  });

  test("may wait with small bodies", async () => {
    const open = await startServer((request, response) => {
      request.resume();
      echo(request, response);
    });
    const client = open(get("/1") + post("body") + post("body") + get("/2"));
    await expect.poll(() => answersOf(client), settled).toEqual(["/1", "/post", "/post", "/2"]);
  });

  const chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  const withManyHeaders = `GET / HTTP/1.1\r\nHost: x\r\n${"a:b\r\n".repeat(900)}\r\n`;

  test.each([
    ["a body of unknown length", chunked, 1],
    ["many short headers", withManyHeaders.repeat(2), 2],
  ])("close it when another follows what waits with %s", async (_, large, count) => {
    const parsed = countParsed();
    const open = await startServer(() => undefined);
    const { socket } = open(get("/1") + large + get("/2"));
    await expect.poll(() => socket.closed, settled).toBe(true);
    expect(parsed()).toBe(1 + count);
  });

  test("count with any Expect", async () => {
    const open = await startServer(() => undefined);
    const { socket } = open("GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n".repeat(100));
    await expect.poll(() => socket.closed, settled).toBe(true);
  });
});

test("WebSocket streams of one address have a limit of their own", async () => {
  let adopted = 0;
  const open = await startServer(echo, {
    upgrades: {
      isAllowed: () => true,
      adopt: (_request, socket) => {
        adopted += 1;
        socket.resume().on("end", () => socket.destroy());
      },
    },
  });
  const upgrade = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
  const { streamsPerAddress, perAddress } = connectionLimits;
  for (let opened = 0; opened < streamsPerAddress; opened += perAddress) {
    for (let count = 0; count < perAddress; count += 1) open(upgrade);
    await expect.poll(() => adopted, settled).toBe(opened + perAddress);
  }
  const { received } = open(upgrade);
  await expect.poll(received, settled).toMatch(/^HTTP\/1.1 503 /);
  expect(adopted).toBe(streamsPerAddress);
});

describe("connections of one address", () => {
  const { perAddress, perProxy } = connectionLimits;

  test.each([
    ["its share", perAddress, false],
    ["the larger share of a proxy", perProxy, true],
  ])("are refused beyond %s, and accepted when one has ended", async (_, most, isProxy) => {
    let taken = 0;
    const open = await startServer(
      (_request, response) => {
        taken += 1;
        response.end();
      },
      { isProxy: () => isProxy },
    );
    const held = Array.from({ length: most }, () => open(get("/")));
    await expect.poll(() => taken, settled).toBe(most);
    const statusOfNext = async (): Promise<string> => {
      const { received } = open(get("/"));
      await expect.poll(received, settled).not.toBe("");
      return received().slice(9, 12);
    };
    expect(await statusOfNext()).toBe("503");
    held[0]!.socket.destroy();
    await expect.poll(statusOfNext, settled).toBe("200");
  });

  test("are told so and closed when they are refused", async () => {
    const open = await startServer(echo);
    for (let count = 0; count < perAddress; count += 1) open("");
    const { socket, received } = open("");
    await expect.poll(() => socket.closed, settled).toBe(true);
    expect(received()).toMatch(/^HTTP\/1\.1 503 [^]*\r\nretry-after: 5\r\n[^]*too many connections/);
  });

  test("count for a while after they brought too many requests", async () => {
    const open = await startServer(echo);
    const flood = get("/").repeat(2 * connectionLimits.unanswered);
    const flooding = Array.from({ length: perAddress }, () => open(flood));
    await expect.poll(() => flooding.every(({ socket }) => socket.closed), settled).toBe(true);
    const next = open(get("/next"));
    await expect.poll(() => next.socket.closed, settled).toBe(true);
    expect(next.received()).toMatch(/^HTTP\/1\.1 503 /);
    await expect
      .poll(async () => {
        const later = open(get("/later"));
        await expect.poll(later.received, settled).not.toBe("");
        return answersOf(later);
      }, settled)
      .toEqual(["/later"]);
  });

  test("do not count after an upgrade", async () => {
    const adopted: string[] = [];
    const open = await startServer(echo, {
      upgrades: {
        isAllowed: ({ headers }) => headers.upgrade === "websocket",
        adopt: (request, socket) => {
          adopted.push(request.url!);
          onTestFinished(() => void socket.destroy());
        },
      },
    });
    const upgrade = "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n";
    for (const count of [perAddress, 2 * perAddress]) {
      for (let opened = 0; opened < perAddress; opened += 1) open(upgrade);
      await expect.poll(() => adopted.length, settled).toBe(count);
    }
    const client = open(get("/1"));
    await expect.poll(() => answersOf(client), settled).toEqual(["/1"]);
  });
});
