// The viewer's dealings with the storm service over its life: what is read when, the notice stream of the chosen event,
// and place search. It writes answers and failures into the store and decides nothing about the screen.
import type { StreamMessage } from "../../shared/contract/index.ts";
import type { StormClient } from "../api/client.ts";
import { isApiError, type ApiError } from "../api/errors.ts";
import { EventStream } from "../api/event-stream.ts";
import type { ViewerEffects } from "../platform/effects.ts";
import { startPlayback } from "./playback-driver.ts";
import { createPlaceSearch, type PlaceSearcher } from "./place-search.ts";
import { createReader, type Reader } from "./reader.ts";
import type { ViewerStore } from "./store.ts";

export interface ViewerSession extends PlaceSearcher {
  /** Learns when a revision was published, unless that is known or being read. */
  readonly readPublished: (revisionId: string | undefined) => void;
  /** Reads everything again now and reconnects at once. */
  readonly retry: () => void;
  readonly close: () => void;
}

export interface SessionParts {
  readonly store: ViewerStore;
  readonly client: StormClient;
  readonly effects: Pick<ViewerEffects, "openSocket" | "now" | "random" | "onNextFrame" | "onReturn">;
}

/** Lists answer 304 while nothing changes, so that asking often costs little. */
export const pollTiming = { eventsMs: 5_000, othersMs: 30_000 } as const;

/** What belongs to one chosen event and ends with it. */
interface EventReading {
  readonly eventId: string;
  readonly history: Reader;
  readonly stream: EventStream;
}

export function startSession({ store, client, effects }: SessionParts): ViewerSession {
  let reading: EventReading | undefined;

  /** Runs one request, tells the store whether the service answered, and hands a failure on unless it was an abort. */
  async function attempt(
    request: () => Promise<void>,
    signal: AbortSignal,
    fail: (error: ApiError) => void,
  ): Promise<void> {
    try {
      await request();
      store.getState().receiveContact(true);
    } catch (error) {
      if (signal.aborted) return;
      if (!isApiError(error)) throw error;
      store.getState().receiveContact(error.code !== "unreachable" && error.code !== "timed-out");
      fail(error);
    }
  }

  const events = createReader((signal) =>
    attempt(
      async () => {
        const { events: list } = await client.listEvents(signal);
        if (list !== store.getState().events.list || store.getState().events.phase !== "ready") {
          store.getState().receiveEvents(list);
        }
      },
      signal,
      (error) => {
        store.getState().failEvents(error.code);
      },
    ),
  );

  const sources = createReader((signal) =>
    attempt(
      async () => {
        const { products } = await client.getDataStatus(signal);
        store.getState().receiveSources(products);
      },
      signal,
      (error) => {
        store.getState().failSources(error.code);
      },
    ),
  );

  function createHistoryReader(eventId: string): Reader {
    let last: unknown;
    return createReader((signal) =>
      attempt(
        async () => {
          const history = await client.listRevisions(eventId, signal);
          if (history === last && store.getState().history.phase === "ready") return;
          last = history;
          store.getState().receiveHistory(eventId, history);
        },
        signal,
        (error) => {
          store.getState().failHistory(eventId, error.code);
        },
      ),
    );
  }

  function receiveMessage(message: StreamMessage): void {
    const notice = message.type === "stream.ready" ? message.lastRevision : message;
    if (notice) store.getState().learnPublished(notice.revisionId, { at: notice.publishedAt });
    // The stream says that something happened; what is true is read again: after a notice, and after each (re)connection.
    reading?.history.request();
    events.request();
    sources.request();
  }

  function follow(eventId: string | undefined): void {
    reading?.history.close();
    reading?.stream.close();
    reading = undefined;
    if (eventId === undefined) return;
    const history = createHistoryReader(eventId);
    history.request();
    const stream = new EventStream({
      eventId,
      openSocket: effects.openSocket,
      random: effects.random,
      onState: (state) => {
        store.getState().receiveStream(state);
      },
      onMessage: receiveMessage,
    });
    reading = { eventId, history, stream };
  }

  function readPublished(revisionId: string | undefined): void {
    const eventId = store.getState().selectedEventId;
    if (revisionId === undefined || eventId === undefined) return;
    const known = store.getState().publishedAt[revisionId];
    if (known !== undefined && known !== "unknown") return;
    store.getState().learnPublished(revisionId, "reading");
    client.getRevisionManifest(eventId, revisionId).then(
      (manifest) => {
        if (store.getState().selectedEventId !== eventId) return;
        store.getState().learnPublished(revisionId, { at: manifest.generatedAt });
      },
      () => {
        if (store.getState().selectedEventId !== eventId) return;
        store.getState().learnPublished(revisionId, "unknown");
      },
    );
  }

  function readAll(): void {
    events.request();
    sources.request();
    reading?.history.request();
  }

  function retry(): void {
    readAll();
    reading?.stream.retryNow();
  }

  store.getState().tick(effects.now());
  const timers = [
    setInterval(() => {
      store.getState().tick(effects.now());
    }, 1_000),
    setInterval(events.request, pollTiming.eventsMs),
    setInterval(() => {
      sources.request();
      reading?.history.request();
    }, pollTiming.othersMs),
  ];
  const stopWatching = store.subscribe((state, previous) => {
    if (state.selectedEventId !== previous.selectedEventId) follow(state.selectedEventId);
  });
  const stopReturns = effects.onReturn(retry);
  const stopPlayback = startPlayback(store, effects);
  const search = createPlaceSearch(store, client);
  readAll();

  return {
    searchPlaces: search.searchPlaces,
    clearPlaces: search.clearPlaces,
    readPublished,
    retry,
    close: () => {
      timers.forEach(clearInterval);
      stopWatching();
      stopReturns();
      stopPlayback();
      search.clearPlaces();
      follow(undefined);
      events.close();
      sources.close();
    },
  };
}
