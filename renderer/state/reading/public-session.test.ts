// A session at a public service: no stream, few questions, and none while the page is hidden.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { LatestRevision, RevisionPage } from "../../../shared/contract/index.ts";
import type { StormClient } from "../../api/client.ts";
import { ApiError } from "../../api/service-errors.ts";
import { exampleEvent, exampleHistory, instantOf, steadyFrames } from "../../support/example-data.ts";
import { startSession, type ViewerSession } from "./session.ts";
import { createViewerStore, type ViewerStore } from "../store.ts";

/** A public service with this many revisions; it counts what it is asked. */
class PublicService {
  count = 400;
  failure: ApiError | undefined;
  readonly asked: Record<string, number> = {};
  readonly pages: { readonly before?: number; readonly limit?: number }[] = [];

  readonly client: StormClient = {
    findLatest: () => this.#answer("latest", toLatest(this.count)),
    listEarlierRevisions: (_eventId, page) => {
      this.pages.push(page);
      return this.#answer("page", toPage(this.count, page));
    },
    listEvents: () =>
      this.#answer("events", { schemaVersion: 1, generatedAt: instantOf(0), events: [exampleEvent()] }),
    getDataStatus: () =>
      this.#answer("status", { service: "storm-data", generatedAt: instantOf(0), products: [] }),
    listRevisions: () => this.#answer("history", exampleHistory(steadyFrames(this.count))),
    listFeeds: () => this.#answer("feeds", { feeds: [] }),
    searchPlaces: () => this.#answer("places", { attribution: "", provider: "place-data", results: [] }),
    getRevisionManifest: () => Promise.reject(new Error("A page says when it was published.")),
    getSteps: () => Promise.reject(new Error("A session reads no steps.")),
  };

  #answer<T>(name: string, value: T): Promise<T> {
    this.asked[name] = (this.asked[name] ?? 0) + 1;
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(value);
  }
}

function toLatest(sequence: number): LatestRevision | undefined {
  if (sequence === 0) return undefined;
  const at = instantOf(sequence);
  return {
    ...{ schemaVersion: 1, eventId: "iowa", revisionId: `r${sequence}`, sequence },
    ...{ observedAt: at, publishedAt: at, manifestUrl: "/" },
  };
}

function toPage(
  count: number,
  { before = Infinity, limit = 360 }: { before?: number; limit?: number },
): RevisionPage {
  const history = exampleHistory(steadyFrames(count));
  const frames = history.frames
    .filter(({ sequence }) => sequence! < before)
    .slice(-limit)
    .map((frame) => ({
      ...frame,
      revisionId: frame.revisionId!,
      sequence: frame.sequence!,
      publishedAt: frame.observedAt,
      change: "first" as const,
    }));
  return { ...history, frames };
}

describe("a session at a public service", () => {
  let service: PublicService;
  let store: ViewerStore;
  let session: ViewerSession;
  let isVisible: boolean;
  let comeBack: () => void;

  beforeEach(async () => {
    vi.useFakeTimers({ now: Date.parse(instantOf(10)) });
    service = new PublicService();
    store = createViewerStore();
    isVisible = true;
    session = startSession({
      store,
      client: service.client,
      effects: {
        openSocket: () => {
          throw new Error("A public service has no stream.");
        },
        now: () => Date.now(),
        random: () => 0.5,
        isPublic: true,
        isVisible: () => isVisible,
        onReturn: (callback) => {
          comeBack = callback;
          return () => undefined;
        },
      },
    });
    await pass(0);
  });
  afterEach(() => {
    session.close();
    vi.useRealTimers();
  });

  const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
  const held = (): number | undefined => store.getState().history.all.at(-1)?.sequence;

  test("reads the whole event once, and counts as connected", () => {
    expect(store.getState().history.all).toHaveLength(400);
    expect(store.getState().stream.kind).toBe("open");
    expect(service.pages).toEqual([{ before: 401 }, { before: 41 }]);
    expect(service.asked).toEqual({ events: 1, status: 1, latest: 1, page: 2 });
  });

  test("asks only for the newest revision while nothing changes", async () => {
    await pass(5 * 30_000 - 1);
    expect(service.asked).toEqual({ events: 1, status: 1, latest: 5, page: 2 });
  });

  test.each([
    [1, 4],
    [4, 4],
    [5, 24],
    [25, 360],
  ])("after %i new revisions reads a page of %i", async (news, limit) => {
    service.count += news;
    await pass(30_000);
    expect(held()).toBe(400 + news);
    expect(store.getState().history.all).toHaveLength(400 + news);
    expect(service.pages.slice(2)).toEqual([{ before: 401 + news, limit }]);
  });

  test("after a long absence it reads what it missed, with no gap", async () => {
    isVisible = false;
    service.count = 1_000;
    await pass(3_600_000);
    expect(held()).toBe(400);
    isVisible = true;
    comeBack();
    await pass(0);
    expect(store.getState().history.all.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => index + 1),
    );
  });

  test("asks for nothing while the page is hidden", async () => {
    isVisible = false;
    await pass(60_000);
    const before = { ...service.asked };
    await pass(3_600_000);
    expect(service.asked).toEqual(before);
  });

  test("a page that returns early waits for its time", async () => {
    await pass(10_000);
    comeBack();
    await pass(0);
    expect(service.asked.latest).toBe(1);
    await pass(20_000);
    expect(service.asked.latest).toBe(2);
  });

  test("asks less and less often while the service fails, and soon after it is back", async () => {
    service.failure = new ApiError("unreachable", "no");
    await pass(30_000);
    expect(store.getState().stream).toEqual({ kind: "waiting", attempt: 2, delayMs: 60_000 });
    await pass(60_000 + 120_000 + 240_000);
    expect(service.asked.latest).toBe(5);
    expect(store.getState().silentSinceMs).toBeDefined();
    service.failure = undefined;
    service.count += 1;
    comeBack();
    await pass(0);
    expect(held()).toBe(401);
    expect(store.getState().silentSinceMs).toBeUndefined();
  });

  test("a revision that was withdrawn leaves the list", async () => {
    service.count -= 1;
    await pass(30_000);
    expect(held()).toBe(399);
  });

  test("an event without revisions is ready and empty", async () => {
    service.count = 0;
    store.getState().chooseEvent("texas");
    await pass(0);
    expect(store.getState().history).toMatchObject({ phase: "ready", all: [] });
    const before = service.asked.page;
    await pass(60_000);
    expect(service.asked.page).toBe(before);
  });

  test("a service that fails from the start says what is wrong", async () => {
    service.failure = new ApiError("unavailable", "no");
    store.getState().chooseEvent("texas");
    await pass(0);
    expect(store.getState().history).toMatchObject({ phase: "failed", problem: "unavailable" });
    service.failure = undefined;
    await pass(60_000);
    expect(store.getState().history.phase).toBe("ready");
  });
});
