// What the viewer reads from the service, each reading with its place in the store: lists one at a time, publication times
// once each. Answers and failures go to the store; nothing is decided here.
import type { StormClient } from "../api/client.ts";
import { isApiError, type ApiError } from "../api/service-errors.ts";
import { createReader, type Reader } from "./single-reader.ts";
import type { ViewerStore } from "./store.ts";

interface Attempt {
  readonly request: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly fail: (error: ApiError) => void;
}

/** Runs one request, tells the store whether the service answered, and hands a failure on unless it was given up. */
async function attempt(store: ViewerStore, { request, signal, fail }: Attempt): Promise<void> {
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

export function createEventsReader(store: ViewerStore, client: StormClient): Reader {
  return createReader((signal) =>
    attempt(store, {
      signal,
      request: async () => {
        const { events: list } = await client.listEvents(signal);
        const { events, receiveEvents } = store.getState();
        if (list !== events.list || events.phase !== "ready") receiveEvents(list);
      },
      fail: (error) => {
        store.getState().failEvents(error.code);
      },
    }),
  );
}

export function createSourcesReader(store: ViewerStore, client: StormClient): Reader {
  return createReader((signal) =>
    attempt(store, {
      signal,
      request: async () => {
        const { products } = await client.getDataStatus(signal);
        store.getState().receiveSources(products);
      },
      fail: (error) => {
        store.getState().failSources(error.code);
      },
    }),
  );
}

export function createFeedsReader(store: ViewerStore, client: Pick<StormClient, "listFeeds">): Reader {
  return createReader((signal) =>
    attempt(store, {
      signal,
      request: async () => {
        const { feeds: list } = await client.listFeeds(signal);
        const { feeds, receiveFeeds } = store.getState();
        if (list !== feeds.list || feeds.phase !== "ready") receiveFeeds(list);
      },
      fail: (error) => {
        store.getState().failFeeds(error.code);
      },
    }),
  );
}

export function createHistoryReader(store: ViewerStore, client: StormClient, eventId: string): Reader {
  let last: unknown;
  return createReader((signal) =>
    attempt(store, {
      signal,
      request: async () => {
        const history = await client.listRevisions(eventId, signal);
        if (history === last && store.getState().history.phase === "ready") return;
        last = history;
        store.getState().receiveHistory(eventId, history);
      },
      fail: (error) => {
        store.getState().failHistory(eventId, error.code);
      },
    }),
  );
}

/** Learns when a revision of the chosen event was published, unless that is known or being read. */
export function createPublishedReader(
  store: ViewerStore,
  client: StormClient,
): (revisionId: string | undefined) => void {
  return (revisionId) => {
    const eventId = store.getState().selectedEventId;
    if (revisionId === undefined || eventId === undefined) return;
    const known = store.getState().publishedAt[revisionId];
    if (known !== undefined && known !== "unknown") return;
    const learn = (published: { at: string } | "unknown"): void => {
      if (store.getState().selectedEventId === eventId)
        store.getState().learnPublished(revisionId, published);
    };
    store.getState().learnPublished(revisionId, "reading");
    client.getRevisionManifest(eventId, revisionId).then(
      (manifest) => {
        learn({ at: manifest.generatedAt });
      },
      () => {
        learn("unknown");
      },
    );
  };
}
