// Reads lists from the service into the store: each list one request at a time, publication times once each. Answers
// and failures go to the store; nothing is decided here.
import type { StormClient } from "../../api/client.ts";
import { isApiError, type ApiErrorCode } from "../../api/service-errors.ts";
import { createReader, type Reader } from "./single-reader.ts";
import type { PublishedAt } from "../slices/history-slice.ts";
import type { ViewerStore } from "../store.ts";

/** Creates a reader that also tells the store whether the service answered. An aborted request is not a failure. */
export function createServiceReader(
  store: ViewerStore,
  read: (signal: AbortSignal) => Promise<void>,
  fail: (problem: ApiErrorCode) => void,
): Reader {
  return createReader(async (signal) => {
    try {
      await read(signal);
      store.getState().receiveContact(true);
    } catch (error) {
      if (signal.aborted) return;
      if (!isApiError(error)) throw error;
      store.getState().receiveContact(error.code !== "unreachable" && error.code !== "timed-out");
      fail(error.code);
    }
  });
}

export function createEventsReader(store: ViewerStore, client: StormClient): Reader {
  const read = async (signal: AbortSignal): Promise<void> => {
    const { events: list } = await client.listEvents(signal);
    const { events, receiveEvents } = store.getState();
    if (list !== events.list || events.phase !== "ready") receiveEvents(list);
  };
  return createServiceReader(store, read, store.getState().failEvents);
}

export function createSourcesReader(store: ViewerStore, client: StormClient): Reader {
  const { receiveSources, failSources } = store.getState();
  const read = async (signal: AbortSignal): Promise<void> => {
    const { products } = await client.getDataStatus(signal);
    receiveSources(products);
  };
  return createServiceReader(store, read, failSources);
}

export function createFeedsReader(store: ViewerStore, client: Pick<StormClient, "listFeeds">): Reader {
  const read = async (signal: AbortSignal): Promise<void> => {
    const { feeds: list } = await client.listFeeds(signal);
    const { feeds, receiveFeeds } = store.getState();
    if (list !== feeds.list || feeds.phase !== "ready") receiveFeeds(list);
  };
  return createServiceReader(store, read, store.getState().failFeeds);
}

/** Reads when revisions of the chosen event were published, each once. */
export interface PublishedReader {
  /** Reads the time of a revision, unless it is known or being read. Returns a function that ends the interest. */
  readonly follow: (revisionId: string | undefined) => () => void;
  /** Reads the times again that are still followed and could not be read. */
  readonly retry: () => void;
}

export function createPublishedReader(store: ViewerStore, client: StormClient): PublishedReader {
  const followed = new Map<object, string>();

  function read(revisionId: string): void {
    const { selectedEventId: eventId, publishedAt, learnPublished } = store.getState();
    const known = publishedAt[revisionId];
    if (eventId === undefined || (known !== undefined && known !== "unknown")) return;
    const learn = (published: PublishedAt): void => {
      if (store.getState().selectedEventId === eventId) learnPublished(revisionId, published);
    };
    learn("reading");
    client.getRevisionManifest(eventId, revisionId).then(
      ({ generatedAt }) => {
        learn({ at: generatedAt });
      },
      () => {
        learn("unknown");
      },
    );
  }

  return {
    follow: (revisionId) => {
      if (revisionId === undefined) return () => undefined;
      const follower = {};
      followed.set(follower, revisionId);
      read(revisionId);
      return () => followed.delete(follower);
    },
    retry: () => {
      const { publishedAt } = store.getState();
      for (const revisionId of followed.values()) if (publishedAt[revisionId] === "unknown") read(revisionId);
    },
  };
}
