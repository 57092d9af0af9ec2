import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { StreamMessage, StreamReady, StormRevisionReady } from "../../../shared/contract/messages.ts";
import { AppError } from "../../../shared/app-error.ts";
import { hubLimits } from "./storm-limits.ts";
import { toNotice } from "./support/memory-catalog.ts";
import { startTestService, type TestService, type TestSocket } from "./support/test-service.ts";

async function sequencesUntil(socket: TestSocket, last: number): Promise<number[]> {
  const sequences: number[] = [];
  while (sequences.at(-1) !== last) {
    const message = StreamMessage.parse(await socket.nextJson());
    const notice = message.type === "stream.ready" ? message.lastRevision : message;
    if (notice) sequences.push(notice.sequence);
  }
  return sequences;
}

/** The reply to a ping comes after everything that was sent before it. */
async function flush(socket: TestSocket): Promise<void> {
  socket.socket.send("ping");
  expect(await socket.next()).toBe("pong");
}

async function openReady(service: TestService, eventId: string): Promise<TestSocket> {
  const socket = service.openSocket(eventId);
  StreamReady.parse(await socket.nextJson());
  return socket;
}

describe("greeting", () => {
  test("an unknown event and one without revisions open as empty rooms", async () => {
    const service = await startTestService();
    service.catalog.addEvent({ id: "empty" });
    for (const eventId of ["empty", "unknown"]) {
      const greeting = await service.openSocket(eventId).nextJson();
      expect(greeting).toEqual({ type: "stream.ready", schemaVersion: 1, eventId });
    }
  });

  test("stream.ready carries the newest committed notice and nothing before it", async () => {
    const service = await startTestService();
    service.catalog.publish("storm");
    const newest = service.catalog.publish("storm");
    const socket = service.openSocket("storm");
    expect(await socket.nextJson()).toEqual({
      type: "stream.ready",
      schemaVersion: 1,
      eventId: "storm",
      lastRevision: toNotice(newest),
    });
    await flush(socket);
    expect(socket.pending).toEqual([]);
  });

  test("does not name a withdrawn revision, and announces nothing twice", async () => {
    const service = await startTestService();
    const [first, second] = [service.catalog.publish("storm"), service.catalog.publish("storm")];
    const early = await openReady(service, "storm");
    const readLast = async () => StreamReady.parse(await service.openSocket("storm").nextJson()).lastRevision;
    expect(await readLast()).toEqual(toNotice(second));
    service.catalog.withdrawNewest("storm");
    expect(await readLast()).toEqual(toNotice(first));
    service.catalog.withdrawNewest("storm");
    expect(await readLast()).toBeUndefined();
    const third = service.catalog.publish("storm");
    expect(await readLast()).toEqual(toNotice(third));
    expect(third.sequence).toBe(3);
    expect(await early.nextJson()).toEqual(toNotice(third));
    await flush(early);
    expect(early.pending).toEqual([]);
  });

  test("a message sent before the greeting is answered after it", async () => {
    const service = await startTestService();
    const gate = Promise.withResolvers<undefined>();
    service.catalog.beforeNotices = () => gate.promise;
    const socket = service.openSocket("storm");
    socket.socket.on("open", () => {
      socket.socket.send("ping");
    });
    gate.resolve(undefined);
    expect(StreamReady.safeParse(await socket.nextJson()).success).toBe(true);
    expect(await socket.next()).toBe("pong");
  });

  test("a commit during the arrival of a socket is sent exactly once", async () => {
    const service = await startTestService();
    service.catalog.publish("storm");
    let published = 1;
    // Commits during the reads of the arrival, and of every later read, up to ten.
    service.catalog.beforeNotices = async () => {
      await nextTurn();
      if (published < 10) {
        published += 1;
        service.catalog.publish("storm");
      }
    };
    const sockets = [1, 2, 3, 4].map(() => service.openSocket("storm"));
    for (const socket of sockets) {
      const sequences = await sequencesUntil(socket, 10);
      expect(sequences).toEqual(Array.from(sequences, (_, index) => sequences[0]! + index));
    }
  });
});

describe("notices", () => {
  test("every socket of the room, and no other, gets each notice once and in order", async () => {
    const service = await startTestService();
    const first = await openReady(service, "storm");
    const second = await openReady(service, "storm");
    const other = await openReady(service, "other");
    const revisions = [1, 2, 3].map(() => service.catalog.publish("storm"));
    for (const socket of [first, second]) {
      for (const revision of revisions) {
        const notice = await socket.nextJson();
        expect(StormRevisionReady.parse(notice)).toEqual(notice);
        expect(notice).toEqual(toNotice(revision));
      }
    }
    await flush(other);
    expect(other.pending).toEqual([]);
  });

  test("a late correction is announced although its observation is older", async () => {
    const service = await startTestService();
    service.catalog.publish("storm", { observedAt: "2026-05-20T22:00:00Z" });
    const socket = await openReady(service, "storm");
    service.catalog.publish("storm", { observedAt: "2026-05-20T21:00:00Z" });
    expect(await socket.nextJson()).toMatchObject({ sequence: 2, observedAt: "2026-05-20T21:00:00Z" });
  });

  test("logs a failing catalog and sends the missed notices after the next change", async () => {
    const service = await startTestService();
    const socket = await openReady(service, "storm");
    service.catalog.beforeNotices = () => {
      throw new AppError("storage-failed", "The catalog could not be read.");
    };
    service.catalog.publish("storm");
    await expect.poll(() => service.log.length).toBeGreaterThan(0);
    service.catalog.beforeNotices = undefined;
    service.catalog.publish("storm");
    expect(await sequencesUntil(socket, 2)).toEqual([1, 2]);
  });

  test("a stream that cannot be opened gets 503, and its room is deleted", async () => {
    const service = await startTestService();
    service.catalog.beforeNotices = () => {
      throw new AppError("storage-failed", "The catalog could not be read.");
    };
    expect(await service.openSocket("storm").closed).toBe(1006);
    expect(service.log.map(({ message }) => message).join()).toContain("could not be opened");
    service.catalog.beforeNotices = undefined;
    await openReady(service, "storm");
  });
});

describe("client messages", () => {
  test("ping gets pong; anything else is ignored", async () => {
    const service = await startTestService();
    const socket = await openReady(service, "storm");
    for (const text of ["Ping", "ping ", "", "{}", '{"type":"stream.ready"}', "\u0000"])
      socket.socket.send(text);
    socket.socket.send(Buffer.from("ping"), { binary: true });
    await flush(socket);
    expect(socket.pending).toEqual([]);
  });

  test("a message over the cap closes its socket with 1009, and only that one", async () => {
    const service = await startTestService();
    const socket = await openReady(service, "storm");
    const other = await openReady(service, "storm");
    socket.socket.send("x".repeat(hubLimits.maxMessageBytes + 1));
    expect(await socket.closed).toBe(1009);
    other.socket.send("x".repeat(hubLimits.maxMessageBytes));
    await flush(other);
  });

  test("text that is not UTF-8 closes its socket with 1007", async () => {
    const service = await startTestService();
    const socket = await openReady(service, "storm");
    socket.socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect(await socket.closed).toBe(1007);
  });
});

describe("limits", () => {
  test("refuses a socket beyond the limit, and accepts it after another closes", async () => {
    const service = await startTestService({ limits: { maxSockets: 2 } });
    const first = await openReady(service, "a");
    await openReady(service, "b");
    expect(await service.openSocket("c").closed).toBe(1006);
    first.socket.close();
    await first.closed;
    await expect
      .poll(async () => {
        const socket = service.openSocket("c");
        return Promise.race([
          socket.next().then(() => "admitted"),
          socket.closed.then(() => "refused"),
        ]).catch(() => "refused");
      })
      .toBe("admitted");
  });

  test("ends a socket that does not answer heartbeats, and keeps one that does", async () => {
    const service = await startTestService({ limits: { heartbeatMs: 40 } });
    const dead = await openReady(service, "storm");
    const alive = await openReady(service, "storm");
    let beats = 0;
    alive.socket.on("ping", () => (beats += 1));
    // A connected peer that does not answer: the library's own reply is switched off.
    (dead.socket as unknown as { _autoPong: boolean })._autoPong = false;
    expect(await dead.closed).toBe(1006);
    const before = beats;
    await expect.poll(() => beats).toBeGreaterThan(before + 2);
    await flush(alive);
  });
});

describe("life", () => {
  test("deletes a room with its last socket and stops reading for it", async () => {
    const { catalog, openSocket } = await startTestService();
    const socket = openSocket("storm");
    await socket.next();
    let reads = 0;
    catalog.beforeNotices = () => {
      reads += 1;
    };
    catalog.publish("storm");
    expect(await sequencesUntil(socket, 1)).toEqual([1]);
    expect(reads).toBe(1);
    socket.socket.close();
    await socket.closed;
    await expect
      .poll(async () => {
        const before = reads;
        catalog.publish("storm");
        await nextTurn();
        return reads - before;
      })
      .toBe(0);
  });

  test("closing sends 1001, stops listening to the catalog, and may be called twice", async () => {
    const service = await startTestService();
    const sockets = [await openReady(service, "a"), await openReady(service, "b")];
    expect(service.catalog.listenerCount).toBeGreaterThan(0);
    const first = service.service.close();
    expect(service.service.close()).toBe(first);
    await first;
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1001, 1001]);
    expect(service.catalog.listenerCount).toBe(0);
    await expect(fetch(service.url)).rejects.toThrow();
  });

  test("a peer that does not answer the close does not delay the service", async () => {
    const service = await startTestService({ limits: { closeGraceMs: 50 } });
    const mute = await openReady(service, "storm");
    mute.socket.pause();
    await service.service.close();
    await expect(fetch(service.url)).rejects.toThrow();
  });
});
