import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type {
  MrmsHistory,
  MrmsManifest,
  RevisionPage,
  StormEventList,
} from "../../../shared/contract/index.ts";
import type { StormClient } from "../../api/client.ts";
import { ApiError } from "../../api/service-errors.ts";
import type { SocketHandlers } from "../../platform/socket.ts";
import {
  exampleEvent,
  exampleEventId,
  exampleHistory,
  instantOf,
  steadyFrames,
} from "../../support/example-data.ts";
import { pollTiming } from "../../platform/viewer-limits.ts";
import { startSession, type SessionParts, type ViewerSession } from "./session.ts";
import { createViewerStore, type ViewerStore } from "../store.ts";

/** A service of the contract alone that counts what it is asked; each answer may be replaced by a failure. */
class Service implements StormClient {
  events: StormEventList = { schemaVersion: 1, generatedAt: instantOf(0), events: [exampleEvent()] };
  history: MrmsHistory = exampleHistory(steadyFrames(3));
  failure: ApiError | undefined;
  readonly asked: Record<string, number> = {};

  findLatest = (): Promise<undefined> => Promise.reject(new Error("Only a public service is asked."));
  getSteps = (): Promise<never> => Promise.reject(new Error("A session reads no steps."));
  listEvents = (): Promise<StormEventList> => this.#answer("events", this.events);
  listRevisions = (): Promise<MrmsHistory> => this.#answer("history", this.history);
  listEarlierRevisions = (): Promise<RevisionPage> =>
    Promise.reject(this.failure ?? new ApiError("not-found", "There is nothing at this address."));
  getDataStatus = (): ReturnType<StormClient["getDataStatus"]> =>
    this.#answer("status", { service: "storm-data" as const, generatedAt: instantOf(0), products: [] });
  listFeeds = (): ReturnType<StormClient["listFeeds"]> => this.#answer("feeds", { feeds: [] });
  searchPlaces = (): ReturnType<StormClient["searchPlaces"]> =>
    this.#answer("places", { attribution: "", provider: "place-data" as const, results: [] });
  getRevisionManifest = (): Promise<MrmsManifest> =>
    this.#answer("manifest", {
      schemaVersion: 1,
      mode: "live",
      attribution: "",
      disclosure: "",
      generatedAt: instantOf(7),
      layers: this.history.frames[0]!.layers,
    });

  #answer<T>(name: string, value: T): Promise<T> {
    this.asked[name] = (this.asked[name] ?? 0) + 1;
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(value);
  }
}

interface Opened {
  readonly path: string;
  readonly handlers: SocketHandlers;
  closed: boolean;
}

describe("a session", () => {
  let service: Service;
  let store: ViewerStore;
  let session: ViewerSession;
  let sockets: Opened[];
  let comeBack: () => void;

  function sessionParts(): SessionParts {
    return {
      store,
      client: service,
      effects: {
        isPublic: false,
        isVisible: () => true,
        openSocket: (path, handlers) => {
          const opened = { path, handlers, closed: false };
          sockets.push(opened);
          return {
            send: () => undefined,
            close: () => {
              opened.closed = true;
            },
          };
        },
        now: () => Date.now(),
        random: () => 0.5,
        onReturn: (callback) => {
          comeBack = callback;
          return () => undefined;
        },
      },
    };
  }

  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse(instantOf(10)) });
    service = new Service();
    store = createViewerStore();
    sockets = [];
    session = startSession(sessionParts());
  });
  afterEach(() => {
    session.close();
    vi.useRealTimers();
  });

  const flush = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

  test("asks often while there is no event yet, and seldom from the first one on", async () => {
    session.close();
    service.events = { ...service.events, events: [] };
    await flush();
    const asked = (): number => service.asked.events ?? 0;
    store = createViewerStore();
    session = startSession({ ...sessionParts(), store });
    await flush();
    const before = asked();
    await vi.advanceTimersByTimeAsync(3 * pollTiming.firstEventMs);
    expect(asked() - before).toBe(3);
    service.events = { ...service.events, events: [exampleEvent()] };
    await vi.advanceTimersByTimeAsync(pollTiming.firstEventMs);
    expect(store.getState().selectedEventId).toBe(exampleEventId);
  });

  test("reads the events, chooses one, reads its revisions and opens its stream", async () => {
    await flush();
    expect(store.getState().selectedEventId).toBe(exampleEventId);
    expect(store.getState().history.revisions).toHaveLength(3);
    expect(sockets.map((socket) => socket.path)).toEqual([`/v1/storm-events/${exampleEventId}/stream`]);
  });

  test("reads the revisions again after a notice, whose publication time it keeps", async () => {
    await flush();
    service.history = exampleHistory(steadyFrames(4));
    sockets[0]!.handlers.onOpen();
    sockets[0]!.handlers.onMessage(
      JSON.stringify({
        type: "storm.revision.ready",
        schemaVersion: 1,
        eventId: exampleEventId,
        revisionId: "r4",
        sequence: 4,
        observedAt: instantOf(6),
        publishedAt: instantOf(8),
        bounds: [-100, 36, -90, 46],
        manifestUrl: "/mrms/events/iowa/r4.json",
      }),
    );
    await flush();
    expect(store.getState().history.revisions).toHaveLength(4);
    session.followPublished("r4");
    await flush();
    expect(store.getState().publishedAt.r4).toEqual({ at: instantOf(8) });
    expect(service.asked.manifest).toBeUndefined();
  });

  test("reads the revisions again after each connection of the stream", async () => {
    await flush();
    sockets[0]!.handlers.onOpen();
    const before = service.asked.history!;
    sockets[0]!.handlers.onMessage(
      JSON.stringify({ type: "stream.ready", schemaVersion: 1, eventId: exampleEventId }),
    );
    await flush();
    expect(service.asked.history).toBe(before + 1);
  });

  test("keeps the last good picture during a failure, reports it, and recovers automatically", async () => {
    await flush();
    service.failure = new ApiError("unreadable", "Not the contract.");
    await vi.advanceTimersByTimeAsync(pollTiming.othersMs);
    expect(store.getState().history).toMatchObject({ phase: "failed", problem: "unreadable" });
    expect(store.getState().history.revisions).toHaveLength(3);
    expect(store.getState().silentSinceMs).toBeUndefined();
    service.failure = undefined;
    await vi.advanceTimersByTimeAsync(pollTiming.othersMs);
    expect(store.getState().history).toMatchObject({ phase: "ready", problem: undefined });
  });

  test("notices silence, and reads at once when the machine returns", async () => {
    await flush();
    service.failure = new ApiError("unreachable", "Nobody there.");
    await vi.advanceTimersByTimeAsync(pollTiming.eventsMs);
    expect(store.getState().silentSinceMs).toBeDefined();
    service.failure = undefined;
    comeBack();
    await flush();
    expect(store.getState().silentSinceMs).toBeUndefined();
    expect(store.getState().events.problem).toBeUndefined();
  });

  test("reads a publication time once, and again after it could not be read", async () => {
    await flush();
    service.failure = new ApiError("not-found", "Gone.");
    session.followPublished("r2");
    session.followPublished("r2");
    await flush();
    expect(service.asked.manifest).toBe(1);
    expect(store.getState().publishedAt.r2).toBe("unknown");
    service.failure = undefined;
    session.followPublished("r2");
    await flush();
    session.followPublished("r2");
    expect(store.getState().publishedAt.r2).toEqual({ at: instantOf(7) });
    expect(service.asked.manifest).toBe(2);
  });

  test("reads a publication time on screen again once the stream is back, and after a while", async () => {
    await flush();
    service.failure = new ApiError("unreachable", "Nobody there.");
    const stops = [session.followPublished("r2"), session.followPublished("r3")];
    await flush();
    stops[1]!();
    expect(store.getState().publishedAt).toMatchObject({ r2: "unknown", r3: "unknown" });
    await vi.advanceTimersByTimeAsync(pollTiming.othersMs);
    expect(service.asked.manifest).toBe(3);
    service.failure = undefined;
    sockets.at(-1)!.handlers.onOpen();
    sockets
      .at(-1)!
      .handlers.onMessage(
        JSON.stringify({ type: "stream.ready", schemaVersion: 1, eventId: exampleEventId }),
      );
    await flush();
    expect(store.getState().publishedAt).toMatchObject({ r2: { at: instantOf(7) }, r3: "unknown" });
    await vi.advanceTimersByTimeAsync(pollTiming.othersMs);
    expect(service.asked.manifest).toBe(4);
  });

  test("leaves an event whole when another is chosen", async () => {
    await flush();
    store.getState().chooseEvent("texas");
    await flush();
    expect(sockets[0]!.closed).toBe(true);
    expect(sockets[1]!.path).toBe("/v1/storm-events/texas/stream");
    expect(store.getState().history.revisions).toHaveLength(3);
    store.getState().receiveStream({ kind: "open" });
    sockets[0]!.handlers.onMessage(
      JSON.stringify({ type: "stream.ready", schemaVersion: 1, eventId: exampleEventId }),
    );
    expect(store.getState().selectedEventId).toBe("texas");
  });

  test("asks nothing more once closed", async () => {
    await flush();
    session.close();
    const before = { ...service.asked };
    await vi.advanceTimersByTimeAsync(pollTiming.othersMs * 3);
    expect(service.asked).toEqual(before);
    expect(sockets.every((socket) => socket.closed)).toBe(true);
  });

  test("moves the clock once a second", async () => {
    const before = store.getState().nowMs;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(store.getState().nowMs - before).toBe(3_000);
  });
});
