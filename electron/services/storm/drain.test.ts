import { connect } from "node:net";
import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { StreamReady } from "../../../shared/contract/messages.ts";
import type { FoundPlaces } from "./places/place-provider.ts";
import { startTestService, type TestService, type TestSocket } from "./support/test-service.ts";

afterEach(() => {
  vi.useRealTimers();
});

async function openStreams(service: TestService, count: number): Promise<TestSocket[]> {
  const sockets = Array.from({ length: count }, () => service.openSocket("storm"));
  for (const socket of sockets) StreamReady.parse(await socket.nextJson());
  return sockets;
}

/** Notes the close codes of sockets in the order in which they arrive. */
function noteCodes(sockets: readonly TestSocket[]): readonly number[] {
  const codes: number[] = [];
  for (const { closed } of sockets) void closed.then((code) => codes.push(code));
  return codes;
}

describe("draining", () => {
  test("spreads the goodbyes evenly over its time", async () => {
    const service = await startTestService();
    const sockets = await openStreams(service, 4);
    const codes = noteCodes(sockets);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const drained = service.service.drain(4_000);
    for (const count of [0, 1, 2, 3]) {
      while (codes.length < count) await nextTurn();
      await vi.advanceTimersByTimeAsync(999);
      // A socket that was told to close would not answer any more.
      for (const { socket } of sockets.slice(count)) socket.send("ping");
      for (const socket of sockets.slice(count)) expect(await socket.next()).toBe("pong");
      expect(service.service.countStreams()).toBe(4 - count);
      await vi.advanceTimersByTimeAsync(1);
    }
    await drained;
    while (codes.length < 4) await nextTurn();
    expect(codes).toEqual([1001, 1001, 1001, 1001]);
  });

  test("closing ends a drain at once", async () => {
    const service = await startTestService();
    const codes = noteCodes(await openStreams(service, 3));
    const drained = service.service.drain(3_600_000);
    await service.service.close();
    await drained;
    while (codes.length < 3) await nextTurn();
    expect(codes).toEqual([1001, 1001, 1001]);
  });

  test("refuses new connections, and lets a running request finish on one that then ends", async () => {
    const { promise: found, resolve: find } = Promise.withResolvers<FoundPlaces>();
    const { promise: asked, resolve: ask } = Promise.withResolvers<undefined>();
    const places = {
      search: () => {
        ask(undefined);
        return found;
      },
      close: () => Promise.resolve(),
    };
    const service = await startTestService({ places });
    const socket = connect(service.port, "127.0.0.1");
    const answer = readAll(socket);
    socket.write(`GET /v1/places/search?q=norman HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\n\r\n`);
    await asked;
    await service.service.drain(10_000);
    const [error] = (await once(connect(service.port, "127.0.0.1"), "error")) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ECONNREFUSED");
    find({ attribution: "Somebody", results: [] });
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    await service.service.close();
  });

  test("a connection that still has requests is told to end", async () => {
    const { promise: found, resolve: find } = Promise.withResolvers<FoundPlaces>();
    const { promise: asked, resolve: ask } = Promise.withResolvers<undefined>();
    const places = {
      search: () => {
        ask(undefined);
        return found;
      },
      close: () => Promise.resolve(),
    };
    const service = await startTestService({ places });
    const socket = connect(service.port, "127.0.0.1");
    const answers = readAll(socket);
    const head = `HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\n\r\n`;
    socket.write(`GET /v1/places/search?q=norman ${head}GET /v1/storm-events ${head}`);
    await asked;
    await service.service.drain(10_000);
    find({ attribution: "Somebody", results: [] });
    const [first, second] = (await answers).split(/(?<=\})(?=HTTP\/1\.1 )/);
    expect(first).toMatch(/^HTTP\/1\.1 200 /);
    expect(second).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i);
  });

  test("without streams and requests it is over at once", async () => {
    const service = await startTestService();
    await service.service.drain(60_000);
    await service.service.close();
  });
});

async function readAll(socket: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}
