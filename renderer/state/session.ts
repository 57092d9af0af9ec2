// The viewer's reading over its life: polls the lists, follows the notice stream of the chosen event, and runs place
// search and playback. Decides nothing about the screen.
import type { StreamMessage } from "../../shared/contract/index.ts";
import type { StormClient } from "../api/client.ts";
import { EventStream } from "../api/event-stream.ts";
import type { ViewerEffects } from "../platform/page-effects.ts";
import { clockTickMs, pollTiming } from "../platform/viewer-limits.ts";
import { createPlaceSearch, type PlaceSearcher } from "./place-query.ts";
import { startPlayback } from "./playback-driver.ts";
import type { Reader } from "./single-reader.ts";
import {
  createEventsReader,
  createHistoryReader,
  createPublishedReader,
  createSourcesReader,
  type PublishedReader,
} from "./readings.ts";
import type { ViewerStore } from "./store.ts";

export interface ViewerSession extends PlaceSearcher {
  /** Reads when a revision was published, again if that fails, until the returned function is called. */
  readonly followPublished: PublishedReader["follow"];
  /** Reads everything again and reconnects, now. */
  readonly retry: () => void;
  readonly close: () => void;
}

export interface SessionParts {
  readonly store: ViewerStore;
  readonly client: StormClient;
  readonly effects: Pick<ViewerEffects, "openSocket" | "now" | "random" | "onNextFrame" | "onReturn">;
}

/** The readers of the chosen event; they end with it. */
interface EventReading {
  readonly history: Reader;
  readonly stream: EventStream;
}

function followEvent(
  { store, client, effects }: SessionParts,
  eventId: string,
  onNews: () => void,
): EventReading {
  const history = createHistoryReader(store, client, eventId);
  const receive = (message: StreamMessage): void => {
    const notice = message.type === "stream.ready" ? message.lastRevision : message;
    if (notice) store.getState().learnPublished(notice.revisionId, { at: notice.publishedAt });
    // A notice is only a hint: read the history again after each, and after each connection.
    history.request();
    onNews();
  };
  history.request();
  const stream = new EventStream({
    eventId,
    openSocket: effects.openSocket,
    random: effects.random,
    onState: (state) => {
      store.getState().receiveStream(state);
    },
    onMessage: receive,
  });
  return { history, stream };
}

export function startSession(parts: SessionParts): ViewerSession {
  const { store, client, effects } = parts;
  const events = createEventsReader(store, client);
  const sources = createSourcesReader(store, client);
  const published = createPublishedReader(store, client);
  const search = createPlaceSearch(store, client);
  let reading: EventReading | undefined;

  function readLists(): void {
    events.request();
    sources.request();
    published.retry();
  }

  function follow(eventId: string | undefined): void {
    reading?.history.close();
    reading?.stream.close();
    reading = eventId === undefined ? undefined : followEvent(parts, eventId, readLists);
  }

  function retry(): void {
    readLists();
    reading?.history.request();
    reading?.stream.retryNow();
  }

  const tick = (): void => {
    store.getState().tick(effects.now());
  };
  tick();
  const timers = [
    setInterval(tick, clockTickMs),
    setInterval(events.request, pollTiming.eventsMs),
    setInterval(() => {
      // With an empty list the person waits for the first event.
      const { phase, list } = store.getState().events;
      if (phase === "ready" && list.length === 0) events.request();
    }, pollTiming.firstEventMs),
    setInterval(() => {
      sources.request();
      published.retry();
      reading?.history.request();
    }, pollTiming.othersMs),
  ];
  const stops = [
    store.subscribe((state, previous) => {
      if (state.selectedEventId !== previous.selectedEventId) follow(state.selectedEventId);
    }),
    effects.onReturn(retry),
    startPlayback(store, effects),
    search.clearPlaces,
  ];
  readLists();

  return {
    ...search,
    followPublished: published.follow,
    retry,
    close: () => {
      timers.forEach(clearInterval);
      for (const stop of stops) stop();
      follow(undefined);
      events.close();
      sources.close();
    },
  };
}
