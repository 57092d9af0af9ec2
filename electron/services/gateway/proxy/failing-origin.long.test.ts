// Origins that are down, slow, endless or hostile: visitors and crawlers get the same plain error.
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { startRawOrigin } from "../support/raw-origin.ts";
import { agents, head, startTestGateway, statusOf } from "../support/test-gateway.ts";

const everybody = [agents.train, "Mozilla/5.0"];

async function statusesBefore(
  say: (socket: Socket, head: string) => void,
): Promise<{ statuses: number[]; texts: string[]; reasons: string[] }> {
  const origin = await startRawOrigin(say);
  const timeouts = { connectMs: 500, originHeadMs: 200, originChunkMs: 200 };
  const gateway = await startTestGateway({ kind: "http", url: origin.url }, { timeouts });
  const texts: string[] = [];
  for (const agent of everybody) texts.push(await gateway.send(head("GET /r/1", `User-Agent: ${agent}`)));
  for (const text of texts) {
    expect(text).not.toContain("127.0.0.1");
    expect(text).not.toContain("Location");
  }
  return { statuses: texts.map(statusOf), texts, reasons: gateway.records.map(({ reason }) => reason) };
}

describe("an origin", () => {
  test("that is down gives 502 with a sentence", async () => {
    const gateway = await startTestGateway({ kind: "http", url: "http://127.0.0.1:1" });
    for (const agent of everybody) {
      const text = await gateway.send(head("GET /r/1", `User-Agent: ${agent}`));
      expect(text).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
      expect(text).toMatch(/\r\n\r\nThe page's origin cannot be reached\.\n$/);
      expect(text).toMatch(/\r\nCache-Control: no-store\r\n/);
    }
    expect(gateway.records.map(({ reason, status }) => [reason, status])).toEqual([
      ["origin_unreachable", 502],
      ["origin_unreachable", 502],
    ]);
  });

  test.each<[string, number, (socket: Socket) => void]>([
    ["leaves without a word", 502, (socket) => socket.end()],
    ["says nothing", 504, () => undefined],
    ["does not finish its head", 504, (socket) => socket.write("HTTP/1.1 200 OK\r\nX: ")],
    ["leaves in its head", 502, (socket) => socket.end("HTTP/1.1 200 OK\r\nX: ")],
    ["speaks no HTTP", 502, (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n")],
    [
      "has a head without end",
      502,
      (socket) => {
        flood(socket, `HTTP/1.1 200 OK\r\nX: ${"x".repeat(60_000)}`);
      },
    ],
    [
      "has headers without end",
      502,
      (socket) => {
        flood(socket, "HTTP/1.1 200 OK\r\n", `X: ${"x".repeat(1000)}\r\n`);
      },
    ],
    [
      "has a reason without end",
      504,
      (socket) => {
        flood(socket, "HTTP/1.1 200 ", "x".repeat(10_000));
      },
    ],
    [
      "says two lengths",
      502,
      (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
    ],
    [
      "says length and coding",
      502,
      (socket) =>
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ],
    [
      "has a transfer coding of its own",
      502,
      (socket) => socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
    ],
    [
      "changes the protocol unasked",
      502,
      (socket) =>
        socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
    ],
    ["breaks its header lines", 502, (socket) => socket.write("HTTP/1.1 200 OK\r\nX : 1\r\n\r\n")],
    [
      "hides a header in another",
      502,
      (socket) => socket.write("HTTP/1.1 200 OK\r\nX: 1\rSet-Cookie: a\r\nContent-Length: 0\r\n\r\n"),
    ],
    [
      "has a NUL in a header",
      502,
      (socket) => socket.write("HTTP/1.1 200 OK\r\nX: \0\r\nContent-Length: 0\r\n\r\n"),
    ],
  ])("that %s gives %d to all, without a redirect", async (_, status, say) => {
    const { statuses, reasons } = await statusesBefore(say);
    expect(statuses).toEqual([status, status]);
    expect(reasons).toEqual(["origin_unreachable", "origin_unreachable"]);
  });

  test("that stops inside its body cuts the response", async () => {
    const { texts, reasons } = await statusesBefore((socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\n<head>"),
    );
    for (const text of texts) expect(text).toMatch(/\r\n\r\n<head>$/);
    expect(reasons).toEqual(["origin_broken", "bot_unverified"]);
  });

  test("that sends more than it announced has the surplus cut", async () => {
    const { texts } = await statusesBefore((socket) =>
      socket.write(
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nSet-Cookie: evil\r\nContent-Length: 0\r\n\r\n",
      ),
    );
    for (const text of texts) {
      expect(text).toMatch(/\r\n\r\nok$/);
      expect(text).not.toContain("evil");
    }
  });
});

function flood(socket: Socket, first: string, more = first): void {
  socket.write(first);
  const write = (): void => {
    if (!socket.destroyed) socket.write(more, () => setImmediate(write));
  };
  write();
}
