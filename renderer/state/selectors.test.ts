import { describe, expect, test } from "vitest";
import { findFirstEvent } from "./slices/events-slice.ts";
import {
  exampleEvent,
  exampleEventId,
  exampleHistory,
  exampleStore,
  steadyFrames,
} from "../support/example-data.ts";
import { publicationsOf, toRevisions } from "./timeline/revisions.ts";
import {
  isLiveEvent,
  knownLayersOf,
  selectDrawn,
  selectIsLoadingPicture,
  selectShownRevision,
} from "./selectors.ts";
import { findLoopEnds, loopOrder } from "./timeline/loop.ts";
import { createViewerStore } from "./store.ts";

describe("what is shown", () => {
  test("is the drawn revision while the wanted one is on its way", () => {
    const store = exampleStore(steadyFrames(5));
    expect(selectShownRevision(store.getState())?.sequence).toBe(5);
    store
      .getState()
      .receiveDrawn({ eventId: exampleEventId, sequence: 5, layers: [], failed: [], overlays: {} });
    store.getState().goTo(2);
    expect(selectShownRevision(store.getState())?.sequence).toBe(5);
    expect(selectIsLoadingPicture(store.getState())).toBe(true);
  });

  test("is nothing of another event, and known again on the way back", () => {
    const store = createViewerStore();
    store.getState().receiveEvents([exampleEvent(), exampleEvent({ id: "texas", label: "Texas" })]);
    store
      .getState()
      .receiveDrawn({ eventId: exampleEventId, sequence: 5, layers: [], failed: [], overlays: {} });
    store.getState().chooseEvent("texas");
    expect(selectDrawn(store.getState())).toBeUndefined();
    store.getState().chooseEvent(exampleEventId);
    expect(selectDrawn(store.getState())?.sequence).toBe(5);
  });
});

describe("the loop", () => {
  test("holds what was observed in its minutes, in publication order", () => {
    const revisions = toRevisions(
      exampleHistory([...steadyFrames(40), { sequence: 41, minute: 20, variant: "b" }]),
    );
    expect(loopOrder(revisions, "all", "published")).toHaveLength(41);
    expect(loopOrder(revisions, 30, "published")).toEqual(
      Array.from({ length: 16 }, (_, index) => 25 + index),
    );
    expect(loopOrder(revisions, 60, "published").at(-1)).toBe(41);
  });

  test("holds each window once by observed time, at its newest revision", () => {
    const revisions = toRevisions(
      exampleHistory([
        ...steadyFrames(4),
        { sequence: 5, minute: 2, variant: "b" },
        { sequence: 6, minute: -2 },
      ]),
    );
    expect(loopOrder(revisions, "all", "observed")).toEqual([6, 1, 5, 3, 4]);
    expect(loopOrder(revisions, { first: 1, last: 4 }, "observed")).toEqual([1, 3, 4]);
  });

  test("is the whole event where its last minutes hold but one revision", () => {
    const revisions = toRevisions(
      exampleHistory([
        { sequence: 1, minute: 0 },
        { sequence: 2, minute: 500 },
      ]),
    );
    expect(loopOrder(revisions, 60, "published")).toEqual([1, 2]);
  });

  test("lies between two revisions, and an open end includes later ones", () => {
    const revisions = toRevisions(exampleHistory(steadyFrames(6)));
    expect(loopOrder(revisions, { first: 2, last: 4 }, "published")).toEqual([2, 3, 4]);
    expect(loopOrder(revisions, { first: 4, last: undefined }, "published")).toEqual([4, 5, 6]);
    const later = toRevisions(exampleHistory(steadyFrames(8)));
    expect(loopOrder(later, { first: 4, last: undefined }, "published").at(-1)).toBe(8);
    expect(loopOrder(later, { first: 2, last: 4 }, "published")).toEqual([2, 3, 4]);
  });

  test("has its ends where it plays, and none where there is nothing to loop over", () => {
    const revisions = toRevisions(exampleHistory(steadyFrames(40)));
    expect(findLoopEnds(revisions, "all")).toEqual({ first: 0, last: 39 });
    expect(findLoopEnds(revisions, 30)).toEqual({ first: 24, last: 39 });
    expect(findLoopEnds(revisions, { first: 10, last: 20 })).toEqual({ first: 9, last: 19 });
    expect(findLoopEnds(revisions.slice(0, 1), "all")).toBeUndefined();
  });
});

describe("derivations of a list", () => {
  test("are made once a list", () => {
    const revisions = toRevisions(exampleHistory(steadyFrames(3)));
    expect(publicationsOf(revisions)).toBe(publicationsOf(revisions));
  });

  test("know a layer by its newest description, in drawing order", () => {
    const revisions = toRevisions(
      exampleHistory([
        { sequence: 1, minute: 0, only: "mrms-mesh" },
        { sequence: 2, minute: 2 },
        { sequence: 3, minute: 4, only: "mrms-reflectivity" },
      ]),
    );
    const known = knownLayersOf(revisions);
    expect(known.map((layer) => layer.id)).toEqual(["mrms-reflectivity", "mrms-mesh"]);
    expect(known[1]?.observedAt).toBe(revisions[1]?.observedAt);
  });
});

describe("events", () => {
  test("the first shown is that of the last visit, else the first with data, else the first", () => {
    const empty = exampleEvent({ id: "empty", currentRevisionId: null });
    const full = exampleEvent({ id: "full" });
    const last = exampleEvent({ id: "last" });
    expect(findFirstEvent([empty, full, last], "last")).toBe(last);
    expect(findFirstEvent([empty, full, last], "gone")).toBe(full);
    expect(findFirstEvent([empty], undefined)).toBe(empty);
    expect(findFirstEvent([], undefined)).toBeUndefined();
  });

  test("only an active feed of real data is live", () => {
    expect(isLiveEvent(exampleEvent({ kind: "operational-feed", status: "active" }))).toBe(true);
    expect(isLiveEvent(exampleEvent({ kind: "operational-feed", status: "archived" }))).toBe(false);
    expect(
      isLiveEvent(exampleEvent({ kind: "operational-feed", status: "active", label: "X (synthetic)" })),
    ).toBe(false);
    expect(isLiveEvent(exampleEvent({ status: "active" }))).toBe(false);
    expect(isLiveEvent(undefined)).toBe(false);
  });
});
