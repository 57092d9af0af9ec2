import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { StreamMessage } from "../../shared/contract/index.ts";
import type { SocketHandlers } from "../platform/socket.ts";
import { streamTiming } from "../platform/viewer-limits.ts";
import { EventStream, reconnectDelayMs, type StreamState } from "./event-stream.ts";

interface FakeSocket {
  readonly path: string;
  readonly handlers: SocketHandlers;
  readonly sent: string[];
  closed: boolean;
}

const ready = { type: "stream.ready", schemaVersion: 1, eventId: "iowa" } as const;

describe("an event's stream", () => {
  let sockets: FakeSocket[];
  let states: StreamState[];
  let messages: StreamMessage[];
  let stream: EventStream;

  beforeEach(() => {
    vi.useFakeTimers();
    sockets = [];
    states = [];
    messages = [];
    stream = new EventStream({
      eventId: "iowa",
      openSocket: (path, handlers) => {
        const socket: FakeSocket = { path, handlers, sent: [], closed: false };
        sockets.push(socket);
        return {
          send: (text) => {
            socket.sent.push(text);
          },
          close: () => {
            socket.closed = true;
          },
        };
      },
      random: () => 1,
      onState: (state) => {
        states.push(state);
      },
      onMessage: (message) => {
        messages.push(message);
      },
    });
  });
  afterEach(() => {
    stream.close();
    vi.useRealTimers();
  });

  const kinds = (): string[] => states.map((state) => state.kind);

  test("passes on only valid messages of its event", () => {
    const { handlers } = sockets[0]!;
    handlers.onOpen();
    for (const data of [
      JSON.stringify(ready),
      JSON.stringify({ ...ready, eventId: "texas" }),
      JSON.stringify({ ...ready, type: "stream.other" }),
      "{",
      "pong",
      new ArrayBuffer(4),
    ]) {
      handlers.onMessage(data);
    }
    expect(messages).toEqual([ready]);
  });

  test("comes back after a loss, waiting twice as long each time and never longer than the longest", () => {
    const waits: number[] = [];
    for (let loss = 1; loss <= 9; loss += 1) {
      sockets.at(-1)!.handlers.onEnd();
      const state = states.at(-1)!;
      if (state.kind !== "waiting") throw new Error("It does not wait.");
      waits.push(state.delayMs);
      vi.advanceTimersByTime(state.delayMs);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000, 30000]);
    expect(sockets).toHaveLength(10);
  });

  test("begins with short waits again once it stood", () => {
    sockets[0]!.handlers.onEnd();
    vi.advanceTimersByTime(1000);
    sockets[1]!.handlers.onOpen();
    sockets[1]!.handlers.onEnd();
    expect(states.at(-1)).toEqual({ kind: "waiting", attempt: 1, delayMs: 500 });
  });

  test("spreads reconnections over half of each wait", () => {
    expect(reconnectDelayMs(1, () => 0)).toBe(250);
    expect(reconnectDelayMs(1, () => 1)).toBe(500);
    expect(reconnectDelayMs(50, () => 0)).toBe(15_000);
  });

  test("pings in silence and drops a stream that does not answer", () => {
    sockets[0]!.handlers.onOpen();
    vi.advanceTimersByTime(streamTiming.pingEveryMs);
    expect(sockets[0]!.sent).toEqual(["ping"]);
    sockets[0]!.handlers.onMessage("pong");
    vi.advanceTimersByTime(streamTiming.pingEveryMs);
    expect(sockets[0]!.sent).toEqual(["ping", "ping"]);
    vi.advanceTimersByTime(streamTiming.pongDeadlineMs);
    expect(sockets[0]!.closed).toBe(true);
    expect(kinds()).toEqual(["connecting", "open", "waiting"]);
  });

  test("gives up an attempt that takes too long", () => {
    vi.advanceTimersByTime(streamTiming.openDeadlineMs);
    expect(sockets[0]!.closed).toBe(true);
    expect(kinds()).toEqual(["connecting", "waiting"]);
  });

  test("reconnects at once on request while it waits, and only then", () => {
    stream.retryNow();
    expect(sockets).toHaveLength(1);
    sockets[0]!.handlers.onEnd();
    stream.retryNow();
    expect(sockets).toHaveLength(2);
    vi.advanceTimersByTime(1000);
    expect(sockets).toHaveLength(2);
  });

  test("stays closed, also when closed again", () => {
    sockets[0]!.handlers.onOpen();
    stream.close();
    stream.close();
    stream.retryNow();
    vi.advanceTimersByTime(120_000);
    expect(sockets).toHaveLength(1);
    expect(sockets[0]!.closed).toBe(true);
    expect(kinds()).toEqual(["connecting", "open", "closed"]);
  });
});
