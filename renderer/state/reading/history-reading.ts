// Reads the whole of an event into the store: the newest revisions, again after each notice, then older pages one at a
// time. Our own list is the one that is polled, because it also says when each revision was published and what it did;
// the contract's list would have to be read beside it. A service without it is read by the contract: the newest alone.
import type { StormClient } from "../../api/client.ts";
import { pageLimit } from "../../../shared/contract/index.ts";
import { isApiError } from "../../api/service-errors.ts";
import { mostHeldRevisions } from "../../platform/viewer-limits.ts";
import { createServiceReader } from "./readings.ts";
import type { RevisionList } from "../timeline/revisions.ts";
import type { Reader } from "./single-reader.ts";
import type { ViewerStore } from "../store.ts";

type RevisionLists = Pick<StormClient, "listEarlierRevisions" | "listRevisions">;

/** Pages of revisions that viewers without a stream ask for: few sizes, so that shared caches have their answers. */
const newestPages = [4, 24, pageLimit.max] as const;

/**
 * `findNewest` returns the newest sequence if it is known from elsewhere: then the page is asked for by that sequence,
 * and no longer than what is missing, so that no cache answers with an older one.
 */
export function createHistoryReader(
  store: ViewerStore,
  client: RevisionLists,
  eventId: string,
  findNewest: () => number | undefined = () => undefined,
): Reader {
  const older = createOlderReader(store, client, eventId);
  let hasPages: boolean | undefined;
  let last: unknown;

  function toPage(): { readonly before?: number; readonly limit?: number } {
    const newest = findNewest();
    if (newest === undefined) return {};
    const missing = newest - (store.getState().history.all.at(-1)?.sequence ?? 0);
    const limit = missing > 0 ? newestPages.find((size) => size >= missing) : undefined;
    return { before: newest + 1, ...(limit !== undefined && { limit }) };
  }

  async function readNewest(signal: AbortSignal): Promise<RevisionList> {
    if (hasPages !== false) {
      try {
        const page = await client.listEarlierRevisions(eventId, toPage(), signal);
        hasPages = true;
        return page;
      } catch (error) {
        const lacksPages = isApiError(error) && (error.code === "not-found" || error.code === "unreadable");
        if (!lacksPages || hasPages) throw error;
      }
    }
    const list = await client.listRevisions(eventId, signal);
    hasPages = false;
    return list;
  }

  const read = async (signal: AbortSignal): Promise<void> => {
    const list = await readNewest(signal);
    const { history, receiveHistory } = store.getState();
    if (list !== last || history.phase !== "ready") {
      last = list;
      const first = list.frames[0]?.sequence;
      const follows = (history.all.at(-1)?.sequence ?? -Infinity) >= (first ?? Infinity) - 1;
      receiveHistory(eventId, list, hasPages ? first : undefined);
      if (!hasPages || first === undefined || first === 1) older.readBefore(undefined);
      // Between those held and the newest, revisions may be missing.
      else if (!follows) older.readBefore(first);
      else if (list.retentionClass === "operational") older.checkBefore(first);
    }
    older.request();
  };
  const newest = createServiceReader(store, read, (problem) => {
    store.getState().failHistory(eventId, problem);
  });
  return {
    request: newest.request,
    close: () => {
      newest.close();
      older.close();
    },
  };
}

interface OlderReader extends Reader {
  /** Reads the revisions before this sequence from now on; undefined if there is nothing to read. */
  readonly readBefore: (sequence: number | undefined) => void;
  /** Does the same if retention has removed the oldest one held. */
  readonly checkBefore: (sequence: number) => void;
}

/** Reads one page for each request, and goes on by itself; after a failure it waits for the next request. */
function createOlderReader(store: ViewerStore, client: RevisionLists, eventId: string): OlderReader {
  let before: number | undefined;
  let checkedBefore: number | undefined;

  async function readPage(asked: number, signal: AbortSignal): Promise<void> {
    const page = await client.listEarlierRevisions(eventId, { before: asked }, signal);
    store.getState().receiveOlder(eventId, page, asked);
    if (before === asked) before = findNext(store, page.frames[0]?.sequence);
  }

  async function check(newer: number, signal: AbortSignal): Promise<void> {
    const oldest = store.getState().history.all[0]?.sequence ?? 0;
    const { frames } = await client.listEarlierRevisions(eventId, { before: oldest + 1, limit: 1 }, signal);
    if (checkedBefore === newer) checkedBefore = undefined;
    if (frames[0]?.sequence !== oldest) before ??= newer;
  }

  const read = async (signal: AbortSignal): Promise<void> => {
    if (before !== undefined) await readPage(before, signal);
    else if (checkedBefore !== undefined) await check(checkedBefore, signal);
    request();
  };
  const reader = createServiceReader(store, read, () => undefined);
  const request = (): void => {
    if (before !== undefined || checkedBefore !== undefined) reader.request();
  };
  return {
    request,
    close: reader.close,
    readBefore: (sequence) => {
      before = sequence;
      checkedBefore = undefined;
    },
    checkBefore: (sequence) => {
      checkedBefore = sequence;
    },
  };
}

/** Returns the sequence before which the next page ends; undefined if the event or the limit is reached. */
function findNext(store: ViewerStore, first: number | undefined): number | undefined {
  const { all } = store.getState().history;
  if (first === undefined || first === 1) return undefined;
  const held = all.length - all.findIndex(({ sequence }) => sequence >= first);
  return held < mostHeldRevisions ? first : undefined;
}
