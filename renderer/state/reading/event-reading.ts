// Follows the chosen event of one store: its revisions, its notices, and the publication times that panels ask for.
import type { StreamMessage } from "../../../shared/contract/index.ts";
import type { StormClient } from "../../api/client.ts";
import { EventStream } from "../../api/event-stream.ts";
import { LatestPoll } from "../../api/latest-poll.ts";
import { schedule, type ViewerEffects } from "../../platform/page-effects.ts";
import { pollTiming } from "../../platform/viewer-limits.ts";
import { createHistoryReader } from "./history-reading.ts";
import { createPublishedReader, type PublishedReader } from "./readings.ts";
import type { Reader } from "./single-reader.ts";
import type { ViewerStore } from "../store.ts";

export interface EventReadingParts {
  readonly store: ViewerStore;
  readonly client: StormClient;
  readonly effects: Pick<ViewerEffects, "openSocket" | "random" | "isPublic" | "isVisible">;
}

export interface EventReading {
  /** Reads when a revision was published, again if that fails, until the returned function is called. */
  readonly followPublished: PublishedReader["follow"];
  /** Reads everything again and reconnects, now. */
  readonly retry: () => void;
  readonly close: () => void;
}

/** The readers of one event; they end with it. */
interface Followed {
  readonly history: Reader;
  /** Notices, or the question which revision is the newest. */
  readonly stream: EventStream | LatestPoll;
}

/** `onNews` is called after each notice, and after each connection. */
export function startEventReading(parts: EventReadingParts, onNews: () => void): EventReading {
  const { store, client } = parts;
  const published = createPublishedReader(store, client);
  let followed: Followed | undefined;

  function readAgain(): void {
    published.retry();
    onNews();
  }

  function follow(eventId: string | undefined): void {
    followed?.history.close();
    followed?.stream.close();
    if (eventId === undefined) followed = undefined;
    else followed = (parts.effects.isPublic ? pollEvent : followEvent)(parts, eventId, readAgain);
  }

  const timer = setInterval(() => {
    published.retry();
    if (!parts.effects.isPublic) followed?.history.request();
  }, pollTiming.othersMs);
  const stop = store.subscribe((state, previous) => {
    if (state.selectedEventId !== previous.selectedEventId) follow(state.selectedEventId);
  });
  follow(store.getState().selectedEventId);

  return {
    followPublished: published.follow,
    retry: () => {
      published.retry();
      if (!parts.effects.isPublic || store.getState().history.phase === "failed") followed?.history.request();
      followed?.stream.retryNow();
    },
    close: () => {
      clearInterval(timer);
      stop();
      follow(undefined);
    },
  };
}

function followEvent(
  { store, client, effects }: EventReadingParts,
  eventId: string,
  onNews: () => void,
): Followed {
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

/** Follows an event at a public service, which has no stream. */
function pollEvent(
  { store, client, effects }: EventReadingParts,
  eventId: string,
  onNews: () => void,
): Followed {
  let newest: number | undefined;
  const history = createHistoryReader(store, client, eventId, () => newest);
  const stream = new LatestPoll({
    read: (signal) => client.findLatest(eventId, signal),
    schedule,
    random: effects.random,
    isVisible: effects.isVisible,
    onState: (state) => {
      const { receiveStream, receiveContact, history: held } = store.getState();
      receiveStream(state);
      if (state.kind !== "waiting") return;
      receiveContact(false);
      // The first reading has to say what is wrong.
      if (held.phase === "loading") history.request();
    },
    onLatest: (latest) => {
      const { phase, all } = store.getState().history;
      newest = latest?.sequence;
      if (phase === "ready" && all.at(-1)?.revisionId === latest?.revisionId) return;
      history.request();
      if (phase !== "loading") onNews();
    },
  });
  return { history, stream };
}
