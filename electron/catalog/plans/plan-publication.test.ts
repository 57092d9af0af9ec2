// Plans of publications: decisions from the state alone.
import { describe, expect, test } from "vitest";
import type { EventDraft, PublishDraft, PublishedLayer } from "../catalog.ts";
import { draftOf, layerOf, observedAfter, startMs, type LayerFacts } from "../support/drafts.ts";
import { emptyEvent, type EventState } from "./event-state.ts";
import {
  checkPublication,
  planPublication,
  type PublicationPlan,
  type PublicationState,
} from "./plan-publication.ts";

const knownEvent: EventState = {
  ...emptyEvent,
  ...{ id: "a", kind: "historical-event", label: "a", origin: "observed", status: "active" },
  updatedAtMs: startMs,
};

function framesOf(...layers: readonly PublishedLayer[]): ReadonlySet<string> {
  return new Set(layers.map(({ frameId }) => frameId));
}

/** Plans a publication whose frames are stored into an event without revisions, unless `state` differs. */
function plan(draft: PublishDraft, state: Partial<PublicationState> = {}, nowMs = startMs): PublicationPlan {
  const publication = checkPublication(draft);
  const whole: PublicationState = {
    event: undefined,
    layers: draft.layers.map(() => ({ newestMessageSha256: undefined, isRepeated: false })),
    windowLayers: [],
    newestWindow: undefined,
    storedFrames: framesOf(...draft.layers, ...(state.windowLayers ?? [])),
    ...state,
  };
  return planPublication(publication, whole, nowMs);
}

function draftInto(event: EventDraft, facts: LayerFacts): PublishDraft {
  return { ...draftOf(event.id, facts), event };
}

describe("a draft", () => {
  test.each([
    ["no layer", draftOf("a")],
    ["one product twice", draftOf("a", { seconds: 0 }, { seconds: 1 })],
    ["layers of two windows", draftOf("a", { seconds: 0 }, { productId: "mrms-reflectivity", seconds: 120 })],
    ["an event id outside the contract", draftOf("Not An Id", {})],
    ["a frame id that is no hash", { ...draftOf("a"), layers: [{ ...layerOf(), frameId: "../x" }] }],
    ["an invalid instant", { ...draftOf("a"), layers: [{ ...layerOf(), observedAt: "soon" }] }],
  ])("with %s is refused", (_name, draft) => {
    expect(() => checkPublication(draft)).toThrow(expect.objectContaining({ code: "invalid-input" }));
  });

  test.each(["", "\u001b[31mred", "a\u202eb", "two\nlines"])("with the label %j is refused", (label) => {
    expect(() => plan(draftInto({ id: "a", label }, {}))).toThrow(
      expect.objectContaining({ code: "invalid-input" }),
    );
  });
});

describe("an observation ahead of the clock", () => {
  const live = { id: "live", kind: "operational-feed" } as const;
  const synthetic = { id: "synthetic", origin: "synthetic" } as const;

  test.each([
    ["10 minutes, into a live feed", draftInto(live, { seconds: 600 })],
    ["a day, into another event", draftOf("storm", { seconds: 86_400 })],
    ["any time, if it is synthetic", draftInto(synthetic, { seconds: 86_401 })],
  ])("is published if it is ahead by %s", (_name, draft) => {
    expect(plan(draft).published?.revision.sequence).toBe(1);
  });

  test.each([
    ["11 minutes ahead", draftInto(live, { seconds: 601 })],
    ["2024-05-02T20:00:01.000Z is more than a day ahead", draftOf("storm", { seconds: 86_401 })],
  ])("is refused because it is %s", (why, draft) => {
    expect(() => plan(draft)).toThrow(
      expect.objectContaining({
        code: "source-invalid",
        detail: expect.stringContaining(why) as string,
      }),
    );
  });
});

describe("a plan", () => {
  test("carries the window's other layer over, unless its frame was lost", () => {
    const other = layerOf();
    const draft = draftOf("a", { productId: "mrms-reflectivity", seconds: 2 });
    const shown = (storedFrames: ReadonlySet<string>): string[] | undefined =>
      plan(draft, { event: knownEvent, windowLayers: [other], storedFrames }).published?.revision.layers.map(
        ({ productId }) => productId,
      );
    expect(shown(framesOf(...draft.layers, other))).toEqual(["mrms-reflectivity", "mrms-mesh"]);
    expect(shown(framesOf(...draft.layers))).toEqual(["mrms-reflectivity"]);
  });

  test("needs the frames of new layers only", () => {
    const draft = draftOf("a", {});
    expect(() => plan(draft, { storedFrames: new Set() })).toThrow(
      expect.objectContaining({ code: "frame-missing" }),
    );
    const layers = [{ newestMessageSha256: draft.layers[0]!.messageSha256, isRepeated: false }];
    expect(plan(draft, { event: knownEvent, layers, storedFrames: new Set() }).published).toBeUndefined();
  });

  test("completes the assets, also if nothing is published", () => {
    const draft = { ...draftOf("a", {}), assetIds: [7, 8] };
    const layers = [{ newestMessageSha256: undefined, isRepeated: true }];
    expect(plan(draft, { event: knownEvent, layers }, startMs + 5)).toEqual({
      completed: [7, 8].map((id) => ({ id, sha256: undefined, completedAtMs: startMs + 5 })),
      unchanged: ["mrms-mesh"],
      published: undefined,
    });
  });

  test("takes the sequence after the last one ever used, and never publishes before the last publication", () => {
    const event = { ...knownEvent, lastSequence: 41, lastPublishedAtMs: startMs + 9000 };
    const { published } = plan(draftOf("a", { seconds: 39 }), { event });
    expect(published?.revision).toMatchObject({
      sequence: 42,
      revisionId: "20240501T200039Z-42",
      publishedAtMs: startMs + 9000,
    });
    expect(published?.event).toMatchObject({
      lastSequence: 42,
      currentRevisionId: "20240501T200039Z-42",
      endedAtMs: startMs + 39_000,
      updatedAtMs: startMs + 9000,
    });
  });

  test("is a backfill up to the newest window, and the first one after it", () => {
    const changeAt = (newestWindow: number | undefined): string | undefined =>
      plan(draftOf("a", {}), { event: knownEvent, newestWindow }).published?.change;
    const window = checkPublication(draftOf("a", {})).window;
    expect([undefined, window - 1, window, window + 1].map(changeAt)).toEqual([
      ...["first", "first"],
      ...["backfill", "backfill"],
    ]);
  });

  test("keeps the status of a registered event, and makes any other active", () => {
    const complete = { ...knownEvent, status: "complete" } as const;
    const registeredWindow = { startedAtMs: startMs - 1000, endedAtMs: startMs + 1000 };
    const statusOf = (event: EventState): string | undefined =>
      plan(draftOf("a", {}), { event }).published?.event.status;
    expect(statusOf(complete)).toBe("active");
    expect(statusOf({ ...complete, registeredWindow })).toBe("complete");
  });

  test.each<[string, Partial<EventState>]>([
    ["archived", { status: "archived" }],
    ["a mirror", { mirrorOf: "http://127.0.0.1/" }],
    ["a replay", { replayOf: { eventId: "b", sequence: 1 } }],
  ])("is refused for an event that is %s", (_what, change) => {
    expect(() => plan(draftOf("a", {}), { event: { ...knownEvent, ...change } })).toThrow(
      expect.objectContaining({ code: "conflict" }),
    );
  });

  test("writes instants in one form", () => {
    const layer = { ...layerOf(), observedAt: "2024-05-01T15:00:00.000-05:00" };
    const { published } = plan({ ...draftOf("a"), layers: [layer] });
    expect(published?.revision.layers[0]?.observedAt).toBe(observedAfter(0));
  });
});
