// Forwarding over real sockets: the same bytes in both directions, without delay.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startScriptedOrigin, type ScriptedOrigin } from "../../../support/scripted-origin.ts";
import { startRawOrigin } from "../support/raw-origin.ts";
import { head, openSocket, startTestGateway, statusOf, withoutHop } from "../support/test-gateway.ts";

async function startPair(): Promise<{
  origin: ScriptedOrigin;
  gateway: Awaited<ReturnType<typeof startTestGateway>>;
}> {
  const origin = await startScriptedOrigin();
  onTestFinished(() => origin.stop());
  return { origin, gateway: await startTestGateway({ kind: "http", url: origin.url }) };
}

/** A gateway in front of an origin that answers each request with these bytes. */
async function startBefore(answer: string | ((socket: Socket, head: string) => void)) {
  const origin = await startRawOrigin(
    typeof answer === "function" ? answer : (socket) => socket.write(Buffer.from(answer, "latin1")),
  );
  return { origin, gateway: await startTestGateway({ kind: "http", url: origin.url }) };
}

const ok = (body: string, ...headers: readonly string[]): string =>
  `HTTP/1.1 200 OK\r\n${[`Content-Length: ${body.length}`, ...headers].join("\r\n")}\r\n\r\n${body}`;

describe("a response", () => {
  test.each([
    ["with a length", ok("body\u00ff\0", "x-LOWER: \u00e9", "Set-Cookie: a", "X-Mid: ", "set-cookie: b")],
    ["of a status and reason of its own", "HTTP/1.1 299 Almost There\r\nContent-Length: 2\r\n\r\nhi"],
    [
      "in chunks",
      "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\nX: 1\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n",
    ],
    ["without a body", "HTTP/1.1 204 No Content\r\nX: 1\r\n\r\n"],
    ["that nothing has changed", 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 5\r\n\r\n'],
    ["of an encoding", ok("not really", "Content-Encoding: br", "Vary: *")],
    ["of an old origin's date", ok("x", "Date: yesterday", "Age: 3", "Via: 1.1 far")],
  ])("%s equals the origin's to the byte", async (_, answer) => {
    const { gateway, origin } = await startBefore(answer);
    expect(withoutHop(await gateway.send(head("GET /a?b")))).toBe(withoutHop(answer));
    expect(origin.heads[0]).toMatch(/^GET \/a\?b HTTP\/1\.1\r\n/);
  });

  test("that ends with its connection is complete", async () => {
    const { gateway } = await startBefore((socket) =>
      socket.end("HTTP/1.0 200 OK\r\nX: 1\r\n\r\nto the end"),
    );
    expect(withoutHop(await gateway.send(head("GET /")))).toBe("HTTP/1.1 200 OK\r\nX: 1\r\n\r\nto the end");
  });

  test("to HEAD has only the headers, and its connection is kept alive", async () => {
    const { gateway, origin } = await startBefore(
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n",
    );
    for (let count = 0; count < 2; count += 1) {
      expect(withoutHop(await gateway.send(head("HEAD /")))).toBe(
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
      );
    }
    expect(origin.connections()).toBe(1);
  });

  test("with an invalid reason phrase has the usual one", async () => {
    const { gateway } = await startBefore("HTTP/1.1 200 G\u00f6t it\r\nContent-Length: 0\r\n\r\n");
    expect(await gateway.send(head("GET /"))).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test("keeps its trailers", async () => {
    const { gateway } = await startBefore(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n1\r\na\r\n0\r\nX-Sum: 7\r\n\r\n",
    );
    expect(await gateway.send(head("GET /"))).toMatch(/\r\nTrailer: X-Sum\r\n[^]*\r\n0\r\nX-Sum: 7\r\n\r\n$/);
  });

  test("begins at once, with head and first byte, before the origin continues", async () => {
    const sockets: Socket[] = [];
    const { gateway } = await startBefore((socket) => {
      sockets.push(socket);
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n");
    });
    const { received, socket } = gateway.open(head("GET /"));
    await vi.waitUntil(() => received().endsWith("\r\n\r\n"));
    sockets[0]!.write("a");
    await vi.waitUntil(() => received().endsWith("\r\n\r\na"));
    sockets[0]!.write("b");
    await once(socket, "close");
    expect(received()).toMatch(/\r\n\r\nab$/);
  });

  test("after interim responses is passed on once", async () => {
    const { gateway } = await startBefore(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok("x")}`);
    expect(withoutHop(await gateway.send(head("GET /")))).toBe(withoutHop(ok("x")));
  });
});

describe("a body to the origin", () => {
  test.each([
    ["with a length", `${head("POST /up", "Content-Length: 5")}hello`],
    ["in chunks", `${head("PUT /up", "Transfer-Encoding: chunked")}2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n`],
    ["of a method that needs none", `${head("DELETE /up", "Content-Length: 5")}hello`],
    ["of a GET", `${head("GET /up", "Content-Length: 5")}hello`],
  ])("%s arrives complete", async (_, text) => {
    const { origin, gateway } = await startPair();
    origin.answer("/up", (request, response) => {
      request.once("end", () => response.end("got it"));
      request.resume();
    });
    expect(statusOf(await gateway.send(text))).toBe(200);
    expect(origin.seen("/up")[0]!.body.toString()).toBe("hello");
  });

  test("an empty one arrives empty, with the announced length", async () => {
    const { origin, gateway } = await startPair();
    origin.page("/up", "x");
    await gateway.send(head("POST /up", "Content-Length: 0"));
    const { rawHeaders } = origin.seen("/up")[0]!;
    expect(rawHeaders.map((text) => text.toLowerCase())).toContain("content-length");
    expect(rawHeaders.map((text) => text.toLowerCase())).not.toContain("transfer-encoding");
  });

  test("is requested if the visitor waits for 100 Continue", async () => {
    const { origin, gateway } = await startPair();
    origin.answer("/up", (request, response) => {
      request.once("end", () => response.end("got it")).resume();
    });
    const { socket, received } = gateway.open(head("POST /up", "Expect: 100-continue", "Content-Length: 2"));
    await vi.waitUntil(() => received().startsWith("HTTP/1.1 100 "));
    socket.write("hi");
    await once(socket, "close");
    expect(received()).toContain("got it");
    expect(origin.seen("/up")[0]!.body.toString()).toBe("hi");
  });

  test("that the origin does not want is answered before its end", async () => {
    const { gateway } = await startBefore((socket) =>
      socket.end("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"),
    );
    const { received, socket } = gateway.open(head("POST /up", "Content-Length: 1000000") + "x".repeat(1000));
    await vi.waitUntil(() => received().endsWith("\r\n\r\nno"));
    expect(statusOf(received())).toBe(413);
    socket.destroy();
  });

  test("that the origin does not want is read to its end, and the next request is answered", async () => {
    const { gateway } = await startBefore((socket) => {
      socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno");
    });
    const byteLength = 20_000_000;
    const kept = (line: string): string => `${line} HTTP/1.1\r\nHost: brief.example\r\n`;
    const { received, socket } = gateway.open(`${kept("POST /up")}Content-Length: ${byteLength}\r\n\r\nx`);
    await vi.waitUntil(() => received().endsWith("no"));
    socket.write(`${"x".repeat(byteLength - 1)}${kept("GET /next")}\r\n`);
    await vi.waitUntil(() => received().match(/\r\n\r\nno/g)?.length === 2, { timeout: 4_000 });
    socket.destroy();
  });
});

describe("a peer that leaves", () => {
  test("as a visitor ends the origin's request", async () => {
    const { origin, gateway } = await startPair();
    const left = Promise.withResolvers<undefined>();
    origin.answer("/slow", (_, response) => {
      response.once("close", () => {
        left.resolve(undefined);
      });
      response.write("x");
    });
    const { socket, received } = gateway.open(head("GET /slow"));
    await vi.waitUntil(() => received().includes("x"));
    socket.destroy();
    await left.promise;
  });

  test("before the origin has answered ends it too, in the middle of an upload", async () => {
    const { origin, gateway } = await startPair();
    const left = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<undefined>();
    origin.answer("/up", (request) => {
      request.once("data", () => {
        begun.resolve(undefined);
      });
      request.once("close", () => {
        left.resolve(undefined);
      });
    });
    const { socket } = gateway.open(`${head("POST /up", "Content-Length: 10")}x`);
    await begun.promise;
    socket.destroy();
    await left.promise;
    expect(gateway.records).toHaveLength(0);
  });

  test("as an origin cuts the visitor's response", async () => {
    const { gateway } = await startBefore((socket) =>
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart"),
    );
    const answer = await gateway.send(head("GET /"));
    expect(answer).toMatch(/Content-Length: 9\r\n[^]*\r\n\r\npart$/);
    const chunked = await startBefore((socket) =>
      socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n"),
    );
    expect(await chunked.gateway.send(head("GET /"))).toMatch(/\r\n4\r\npart\r\n$/);
  });
});

test("neither side is read faster than the other accepts data", async () => {
  const { origin, gateway } = await startPair();
  const piece = Buffer.alloc(64 * 1024);
  let sent = 0;
  origin.answer("/flood", (_, response) => {
    const flood = (): void => {
      do sent += piece.byteLength;
      while (!response.destroyed && response.write(piece));
      response.once("drain", flood);
    };
    flood();
  });
  const { socket } = gateway.open(head("GET /flood"));
  await once(socket, "data");
  socket.pause();
  let before = -1;
  await vi.waitUntil(
    () => {
      const stands = sent === before;
      before = sent;
      return stands;
    },
    { interval: 200, timeout: 5_000 },
  );
  // No more than the buffers of the kernel and of the gateway.
  expect(sent).toBeLessThan(32 * 1024 * 1024);
  const held = sent;
  socket.resume();
  await vi.waitUntil(() => sent > held + 8 * 1024 * 1024);
  socket.destroy();
});

describe("connections to the origin", () => {
  test("are kept alive, and a dead one is replaced unnoticed", async () => {
    const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      request.resume();
      response.end("x");
    });
    let connections = 0;
    const sockets = new Set<Socket>();
    server.on("connection", (socket) => {
      connections += 1;
      sockets.add(socket);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const gateway = await startTestGateway({ kind: "http", url: `http://127.0.0.1:${port}` });
    for (let count = 0; count < 3; count += 1) expect(statusOf(await gateway.send(head("GET /")))).toBe(200);
    expect(connections).toBe(1);
    for (const socket of sockets) socket.resetAndDestroy();
    expect(statusOf(await gateway.send(head("GET /")))).toBe(200);
    expect(connections).toBe(2);
  });

  test("that die during a GET are replaced, during a POST they are not", async () => {
    let answered = 0;
    const { gateway, origin } = await startBefore((socket) => {
      answered += 1;
      // Every second request finds its connection closed.
      if (answered % 2 === 1) socket.write(ok("x", "Keep-Alive: timeout=60"));
      else socket.resetAndDestroy();
    });
    expect(statusOf(await gateway.send(head("GET /1")))).toBe(200);
    expect(statusOf(await gateway.send(head("GET /2")))).toBe(200);
    expect(origin.heads).toHaveLength(3);
    expect(statusOf(await gateway.send(`${head("POST /3", "Content-Length: 1")}x`))).toBe(502);
    expect(origin.heads).toHaveLength(4);
  });

  test("that die before their first response are not retried", async () => {
    const { gateway, origin } = await startBefore((socket) => socket.destroy());
    expect(statusOf(await gateway.send(head("GET /")))).toBe(502);
    expect(origin.heads).toHaveLength(1);
  });
});

test("closing ends the listener and requests in progress within a bounded time", async () => {
  const { origin, gateway } = await startPair();
  origin.answer("/slow", (_, response) => response.write("x"));
  const { closed, received } = gateway.open(head("GET /slow"));
  await vi.waitUntil(() => received().includes("x"));
  const idle = openSocket(gateway.port);
  await once(idle.socket, "connect");
  const startedMs = performance.now();
  await gateway.gateway.close();
  await Promise.all([closed, idle.closed]);
  expect(performance.now() - startedMs).toBeLessThan(3_000);
});
