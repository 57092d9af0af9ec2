import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import type { StormRevisionReady } from "../../../shared/contract/messages.ts";
import { noticeStreamTiming, type NoticeStreamTiming } from "./mirror-limits.ts";
import { followNotices } from "./notice-stream.ts";

const notice: StormRevisionReady = {
  type: "storm.revision.ready",
  schemaVersion: 1,
  eventId: "squall",
  revisionId: "R1",
  sequence: 1,
  observedAt: "2024-05-01T20:00:00Z",
  publishedAt: "2024-05-01T20:01:00Z",
  bounds: [-99, 34, -97, 36],
  manifestUrl: "/v1/storm-events/squall/revisions/R1/manifest",
};
const ready = { type: "stream.ready", schemaVersion: 1, eventId: "squall" };

interface Followed {
  readonly heard: StormRevisionReady[];
  readonly counts: { opened: number; lost: number };
  /** Requested pauses between connections, in milliseconds. */
  readonly pausesMs: number[];
}

/** Follows a server that treats each of its sockets so; pauses are not waited for. */
async function followSockets(
  onSocket: (socket: WebSocket) => void,
  changes: Partial<NoticeStreamTiming> = {},
  refusal?: number,
): Promise<Followed> {
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((_request, response) => response.writeHead(refusal ?? 404).end());
  if (refusal === undefined) {
    server.on("upgrade", (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, onSocket);
    });
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const heard: StormRevisionReady[] = [];
  const counts = { opened: 0, lost: 0 };
  const pausesMs: number[] = [];
  const ending = new AbortController();
  const following = followNotices(
    {
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      eventId: "squall",
      effects: {
        random: () => 0,
        sleep: (ms, signal) => {
          pausesMs.push(ms);
          return new Promise((resolve, reject) => {
            setImmediate(resolve);
            if (signal.aborted) reject(signal.reason as Error);
          });
        },
      },
      timing: { ...noticeStreamTiming, ...changes },
      onOpen: () => (counts.opened += 1),
      onLost: () => (counts.lost += 1),
      onNotice: (each) => heard.push(each),
    },
    ending.signal,
  );
  onTestFinished(async () => {
    ending.abort();
    await following;
    server.closeAllConnections();
    server.close();
  });
  return { heard, counts, pausesMs };
}

describe("an event's notices", () => {
  test("are accepted in the greeting and after it; invalid ones and those of other events are ignored", async () => {
    const { heard } = await followSockets((socket) => {
      socket.send(JSON.stringify({ ...ready, lastRevision: notice }));
      socket.send("not json");
      socket.send("pong");
      socket.send(Buffer.from(JSON.stringify({ ...notice, sequence: 2 })));
      socket.send(JSON.stringify({ ...notice, sequence: 0 }));
      socket.send(JSON.stringify({ ...notice, eventId: "other" }));
      socket.send(JSON.stringify({ ...notice, manifestUrl: "http://elsewhere/manifest" }));
      socket.send(JSON.stringify({ ...notice, sequence: 3 }));
    });
    await vi.waitFor(() => {
      expect(heard.map(({ sequence }) => sequence)).toEqual([1, 3]);
    });
  });

  test("of a service that hangs up at once are requested again at growing intervals", async () => {
    const { counts, pausesMs } = await followSockets((socket) => {
      socket.close();
    });
    await vi.waitFor(() => {
      expect(counts.lost).toBeGreaterThan(7);
    });
    expect(pausesMs.slice(0, 7)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000]);
  });

  test("of a silent stream are given up and requested again", async () => {
    const { counts } = await followSockets(() => undefined, { silenceMs: 30, pingEveryMs: 60_000 });
    await vi.waitFor(() => {
      expect(counts.opened).toBeGreaterThan(2);
    });
  });

  test("continue as long as pings are answered", async () => {
    let pings = 0;
    const { counts } = await followSockets(
      (socket) => {
        socket.on("message", () => {
          pings += 1;
          socket.send("pong");
        });
      },
      { silenceMs: 1_000, pingEveryMs: 5 },
    );
    await vi.waitFor(() => {
      expect(pings).toBeGreaterThan(20);
    });
    expect(counts).toEqual({ opened: 1, lost: 0 });
  });

  test("in a message that is too long end the connection", async () => {
    const { heard, counts } = await followSockets((socket) => {
      socket.send(JSON.stringify({ ...notice, revisionId: "R".repeat(70_000) }));
    });
    await vi.waitFor(() => {
      expect(counts.lost).toBeGreaterThan(1);
    });
    expect(heard).toEqual([]);
  });

  test.each([404, 426, 302])(
    "of a service without a stream (%i) are requested now and then",
    async (status) => {
      const { counts, pausesMs } = await followSockets(() => undefined, {}, status);
      await vi.waitFor(() => {
        expect(pausesMs.length).toBeGreaterThan(1);
      });
      expect(pausesMs[0]).toBe(600_000);
      expect(counts.opened).toBe(0);
    },
  );

  test("of a service that is closing (503) are requested again soon", async () => {
    const { pausesMs } = await followSockets(() => undefined, {}, 503);
    await vi.waitFor(() => {
      expect(pausesMs.length).toBeGreaterThan(1);
    });
    expect(pausesMs[0]).toBe(250);
  });
});
