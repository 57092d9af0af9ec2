// The whole of an event: pages of older revisions, what happens while they are read, and services without them.
import { beforeEach, describe, expect, test, vi } from "vitest";
import { MrmsHistory, pageLimit, type RevisionPage } from "../../../shared/contract/index.ts";
import { ApiError } from "../../api/service-errors.ts";
import { mostHeldRevisions } from "../../platform/viewer-limits.ts";
import {
  exampleEvent,
  exampleEventId,
  exampleHistory,
  instantOf,
  steadyFrames,
} from "../../support/example-data.ts";
import { createHistoryReader } from "./history-reading.ts";
import { publicationsOf } from "../timeline/revisions.ts";
import type { Reader } from "./single-reader.ts";
import { createViewerStore, type ViewerStore } from "../store.ts";

/** An event of some revisions at a service, with or without pages; it counts what it is asked. */
class PagedEvent {
  list: RevisionPage;
  hasPages = true;
  failure: ApiError | undefined;
  /** Called before each page is answered. */
  beforePage: () => void = () => undefined;
  readonly asked: (number | "newest" | "contract")[] = [];
  #inFlight = 0;

  constructor(count: number) {
    this.list = pageOf(exampleHistory(steadyFrames(count)));
  }

  /** Publishes up to this sequence. */
  grow(count: number): void {
    const grown = pageOf(exampleHistory(steadyFrames(count)));
    const frames = [...this.list.frames, ...grown.frames.slice(this.list.latestSequence)];
    this.list = { ...this.list, frames, latestSequence: count };
  }

  /** Removes revisions before this sequence. */
  prune(sequence: number): void {
    const { list } = this;
    const frames = list.frames.filter((frame) => frame.sequence >= sequence);
    this.list = { ...list, frames, retentionClass: "operational" };
  }

  listRevisions = (): Promise<MrmsHistory> => {
    this.asked.push("contract");
    if (this.failure) return Promise.reject(this.failure);
    return Promise.resolve(
      MrmsHistory.parse({ ...this.list, frames: this.list.frames.slice(-pageLimit.max) }),
    );
  };

  listEarlierRevisions = async (
    _eventId: string,
    { before = Infinity, limit = pageLimit.max }: { readonly before?: number; readonly limit?: number },
  ): Promise<RevisionPage> => {
    this.asked.push(before === Infinity ? "newest" : before);
    this.#inFlight += 1;
    expect(this.#inFlight).toBe(1);
    await Promise.resolve();
    this.#inFlight -= 1;
    if (before !== Infinity) this.beforePage();
    if (this.failure) throw this.failure;
    if (!this.hasPages) throw new ApiError("not-found", "There is nothing at this address.");
    const frames = this.list.frames.filter(({ sequence }) => sequence < before);
    return { ...this.list, frames: frames.slice(-limit) };
  };
}

/** Adds what only our own list says: a publication one minute after the observation. */
function pageOf(history: MrmsHistory): RevisionPage {
  const frames = history.frames.map((frame) => ({
    ...frame,
    revisionId: frame.revisionId!,
    sequence: frame.sequence!,
    publishedAt: new Date(Date.parse(frame.observedAt) + 60_000).toISOString(),
    change: frame.sequence === 3 ? ("backfill" as const) : ("first" as const),
  }));
  return { ...history, frames };
}

describe("the history of an event", () => {
  let store: ViewerStore;
  let event: PagedEvent;
  let reader: Reader;

  function open(count: number): void {
    event = new PagedEvent(count);
    reader = createHistoryReader(store, event, exampleEventId);
    reader.request();
  }
  const held = (): number[] => store.getState().history.all.map(({ sequence }) => sequence);
  const from = (first: number, last: number): number[] =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const settle = (condition: () => void): Promise<void> => vi.waitFor(condition, { interval: 1 });
  const isWhole = (): boolean => store.getState().history.isWhole;

  beforeEach(() => {
    store = createViewerStore();
    store.getState().receiveEvents([exampleEvent()]);
  });

  test("is read page by page down to the first revision, one at a time", async () => {
    open(1_000);
    await settle(() => {
      expect(isWhole()).toBe(true);
    });
    expect(held()).toEqual(from(1, 1_000));
    expect(event.asked).toEqual(["newest", 641, 281]);
  });

  test("shows the newest before the older ones arrive", async () => {
    open(1_000);
    const counts: number[] = [];
    store.subscribe(({ history }) => counts.push(history.all.length));
    await settle(() => {
      expect(isWhole()).toBe(true);
    });
    expect([...new Set(counts)]).toEqual([360, 720, 1_000]);
  });

  test("has each revision's time of publication, and what it did", async () => {
    open(400);
    await settle(() => {
      expect(isWhole()).toBe(true);
    });
    const { publishedAt, history } = store.getState();
    expect(Object.keys(publishedAt)).toHaveLength(400);
    expect(publishedAt.r1).toEqual({ at: instantOf(1) });
    expect(
      publicationsOf(history.all)
        .map(({ kind }) => kind)
        .slice(0, 4),
    ).toEqual(["new", "new", "backfill", "new"]);
  });

  test("takes a publication that arrives meanwhile, and goes on with the pages", async () => {
    open(1_000);
    event.beforePage = () => {
      event.beforePage = () => undefined;
      event.grow(1_001);
      reader.request();
    };
    await settle(() => {
      expect(held()).toEqual(from(1, 1_001));
    });
    expect(event.asked.filter((asked) => asked !== "newest")).toEqual([641, 281]);
  });

  test("waits after a failure for the next reading, and then goes on where it was", async () => {
    open(1_000);
    event.beforePage = () => {
      event.failure = event.asked.includes(281) ? new ApiError("timed-out", "Slow.") : undefined;
    };
    await settle(() => {
      expect(event.asked).toContain(281);
    });
    await settle(() => {
      expect(held()).toEqual(from(281, 1_000));
    });
    expect(isWhole()).toBe(false);
    expect(store.getState().history.phase).toBe("ready");
    event.beforePage = () => undefined;
    event.failure = undefined;
    reader.request();
    await settle(() => {
      expect(held()).toEqual(from(1, 1_000));
    });
    expect(event.asked).toEqual(["newest", 641, 281, "newest", 281]);
  });

  test("ends with its event", async () => {
    open(1_000);
    event.beforePage = () => {
      reader.close();
      store.getState().chooseEvent("another");
    };
    await settle(() => {
      expect(store.getState().selectedEventId).toBe("another");
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(held()).toEqual([]);
    expect(event.asked).toEqual(["newest", 641]);
  });

  test("loses what retention has removed, also while it is read", async () => {
    open(1_000);
    event.beforePage = () => {
      event.prune(500);
    };
    await settle(() => {
      expect(isWhole()).toBe(true);
    });
    expect(held()).toEqual(from(500, 1_000));
    event.grow(1_001);
    event.asked.length = 0;
    reader.request();
    await settle(() => {
      expect(held()).toEqual(from(500, 1_001));
      expect(event.asked).toEqual(["newest", 501]);
    });
    event.prune(520);
    event.grow(1_002);
    reader.request();
    await settle(() => {
      expect(held()).toEqual(from(520, 1_002));
    });
    expect(isWhole()).toBe(true);
  });

  test("is filled where more than a page was published since it was read", async () => {
    open(500);
    await settle(() => {
      expect(held()).toEqual(from(1, 500));
    });
    event.grow(1_500);
    reader.request();
    await settle(() => {
      expect(held()).toEqual(from(1, 1_500));
    });
    expect(isWhole()).toBe(true);
  });

  test("is not read beyond the limit", async () => {
    open(mostHeldRevisions + 1_000);
    await settle(() => {
      expect(held().length).toBeGreaterThanOrEqual(mostHeldRevisions);
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(held()).toHaveLength(Math.ceil(mostHeldRevisions / pageLimit.max) * pageLimit.max);
    expect(isWhole()).toBe(false);
  });

  test("is the newest of the contract's list at a service without pages, asked once", async () => {
    event = new PagedEvent(1_000);
    event.hasPages = false;
    reader = createHistoryReader(store, event, exampleEventId);
    reader.request();
    await settle(() => {
      expect(held()).toEqual(from(641, 1_000));
    });
    expect(isWhole()).toBe(false);
    expect(store.getState().publishedAt).toEqual({});
    event.grow(1_001);
    reader.request();
    await settle(() => {
      expect(held()).toEqual(from(642, 1_001));
    });
    expect(event.asked).toEqual(["newest", "contract", "contract"]);
  });

  test("is not taken for one without pages while the service does not answer", async () => {
    event = new PagedEvent(10);
    event.failure = new ApiError("unreachable", "Nobody.");
    reader = createHistoryReader(store, event, exampleEventId);
    reader.request();
    await settle(() => {
      expect(store.getState().history).toMatchObject({ phase: "failed", problem: "unreachable" });
    });
    event.failure = undefined;
    reader.request();
    await settle(() => {
      expect(isWhole()).toBe(true);
    });
    expect(event.asked).toEqual(["newest", "newest"]);
  });

  test("holds the texts and legends of its layers once", async () => {
    open(400);
    // As parsed from two answers, every revision has its own copies.
    event.list = JSON.parse(JSON.stringify(event.list)) as RevisionPage;
    await settle(() => {
      expect(isWhole()).toBe(true);
    });
    const legends = store.getState().history.all.flatMap(({ layers }) => layers.map(({ legend }) => legend));
    expect(new Set(legends).size).toBe(2);
  });
});
