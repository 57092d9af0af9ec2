// The viewer's reading over its life: polls the lists, follows the chosen event, and runs place search. Decides
// nothing about the screen.
import type { StormClient } from "../../api/client.ts";
import type { ViewerEffects } from "../../platform/page-effects.ts";
import { clockTickMs, pollTiming, publicTiming } from "../../platform/viewer-limits.ts";
import { startEventReading, type EventReading } from "./event-reading.ts";
import { createPlaceSearch, type PlaceSearcher } from "./place-query.ts";
import { createEventsReader, createSourcesReader } from "./readings.ts";
import type { ViewerStore } from "../store.ts";

export interface ViewerSession extends PlaceSearcher {
  /** Reads when a revision was published, again if that fails, until the returned function is called. */
  readonly followPublished: EventReading["followPublished"];
  /** Reads everything again and reconnects, now. */
  readonly retry: () => void;
  readonly close: () => void;
}

export interface SessionParts {
  readonly store: ViewerStore;
  readonly client: StormClient;
  readonly effects: Pick<
    ViewerEffects,
    "openSocket" | "now" | "random" | "onReturn" | "isPublic" | "isVisible"
  >;
}

export function startSession(parts: SessionParts): ViewerSession {
  const { store, client, effects } = parts;
  const events = createEventsReader(store, client);
  const sources = createSourcesReader(store, client);
  const search = createPlaceSearch(store, client);
  const reading = startEventReading(parts, readLists);

  function readLists(): void {
    events.request();
    sources.request();
  }

  function retry(): void {
    readLists();
    reading.retry();
  }

  const timing = effects.isPublic ? publicTiming : pollTiming;
  /** A hidden page asks a public service for nothing. */
  const whenWanted = (read: () => void) => () => {
    if (!effects.isPublic || effects.isVisible()) read();
  };
  const tick = (): void => {
    store.getState().tick(effects.now());
  };
  tick();
  const timers = [
    setInterval(tick, clockTickMs),
    setInterval(whenWanted(events.request), timing.eventsMs),
    setInterval(
      whenWanted(() => {
        // With an empty list the person waits for the first event.
        const { phase, list } = store.getState().events;
        if (phase === "ready" && list.length === 0) events.request();
      }),
      timing.firstEventMs,
    ),
    setInterval(whenWanted(sources.request), timing.othersMs),
  ];
  const stops = [effects.onReturn(retry), search.clearPlaces];
  readLists();

  return {
    ...search,
    followPublished: reading.followPublished,
    retry,
    close: () => {
      timers.forEach(clearInterval);
      for (const stop of stops) stop();
      reading.close();
      events.close();
      sources.close();
    },
  };
}
