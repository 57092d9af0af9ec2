import { expect, test } from "vitest";
import type { OverlayContent, OverlayShape } from "../../../shared/overlays/overlay.ts";
import type { StormEvent } from "../../../shared/contract/index.ts";
import {
  exampleEvent,
  exampleEventId,
  exampleStore,
  instantOf,
  steadyFrames,
} from "../../support/example-data.ts";
import type { ViewerStore } from "../store.ts";
import type { OverlayDraft } from "./held-overlay.ts";
import { selectShownOverlays } from "./shown-overlays.ts";

const point: OverlayShape = { geometry: { type: "Point", coordinates: [-95, 42] } };

function timed(from: number, to = from): OverlayShape {
  return { ...point, fromMs: Date.parse(instantOf(from)), toMs: Date.parse(instantOf(to)) };
}

function contentOf(...shapes: readonly OverlayShape[]): OverlayContent {
  return { format: "geojson", shapes, notes: [] };
}

/** Frames of minutes 0, 2, … 38, as sequences from 1. */
function open(draft: Partial<OverlayDraft>, event: Partial<StormEvent> = {}): ViewerStore {
  const store = exampleStore(steadyFrames(20));
  store.getState().receiveEvents([exampleEvent(event)]);
  store.getState().putOverlay({ id: "a", name: "a.geojson", ...draft });
  return store;
}

function show(store: ViewerStore, sequence: number): ReturnType<typeof selectShownOverlays>[number] {
  const layers = ["mrms-reflectivity"] as const;
  store.getState().receiveDrawn({ eventId: exampleEventId, sequence, layers, failed: [], overlays: {} });
  return selectShownOverlays(store.getState())[0]!;
}

test("a shape is shown while it is valid at the observed time of the picture on screen", () => {
  const store = open({ content: contentOf(timed(10, 20)) });
  expect(show(store, 5).shapes).toEqual([]);
  expect(show(store, 5).laterHidden).toBe(1);
  expect(show(store, 6).shapes).toHaveLength(1);
  expect(show(store, 11).shapes).toHaveLength(1);
  expect(show(store, 12).shapes).toEqual([]);
});

test("nothing is shown before there is a picture, nor of an overlay that is off", () => {
  const store = open({ content: contentOf(point) });
  expect(selectShownOverlays(store.getState())[0]!.shapes).toEqual([]);
  expect(show(store, 1).shapes).toHaveLength(1);
  store.getState().chooseForOverlay("a", { isOn: false });
  expect(show(store, 1).shapes).toEqual([]);
});

test("what is for now is shown with the newest picture of a live event only", () => {
  const live = { kind: "operational-feed", status: "active" } as const;
  const store = open({ content: contentOf(point), untimed: "now" }, live);
  store.setState({ nowMs: Date.parse(instantOf(40)) });
  expect(show(store, 20).shapes).toHaveLength(1);
  expect(show(store, 19)).toMatchObject({ shapes: [], heldBack: 1 });
  store.getState().setKnownAt(19);
  expect(show(store, 20).shapes).toEqual([]);
  store.getState().backToNow();
  expect(show(store, 20).shapes).toHaveLength(1);
  // The feed has stood still for an hour: the picture is not of now.
  store.setState({ nowMs: Date.parse(instantOf(100)) });
  expect(show(store, 20).shapes).toEqual([]);
});

test("what is for now is hidden over a past event, even with its newest picture", () => {
  const store = open({ content: contentOf(point), untimed: "now" });
  store.setState({ nowMs: Date.parse(instantOf(40)) });
  expect(show(store, 20).shapes).toEqual([]);
});

test("what is for now is hidden in a replay that runs like a live event", () => {
  const replay = { kind: "operational-feed", status: "active", label: "Iowa (replay)" } as const;
  const store = open({ content: contentOf(point, timed(30, 40)), untimed: "now" }, replay);
  store.setState({ nowMs: Date.parse(instantOf(40)) });
  expect(show(store, 20)).toMatchObject({ heldBack: 1, rule: { kind: "valid-at" } });
  expect(show(store, 20).shapes).toHaveLength(1);
});

test.each([
  ["official", "Iowa (synthetic)", "official-over-synthetic"],
  ["official", "Iowa (replay)", undefined],
  ["synthetic", "Iowa", "synthetic-over-real"],
  ["synthetic", "Iowa (synthetic)", undefined],
  ["own", "Iowa (synthetic)", undefined],
] as const)("%s content over %s", (origin, label, unfit) => {
  const store = open({ content: contentOf(point), origin }, { label });
  // Known before there is a picture: reports of such an overlay must not be compared either.
  expect(selectShownOverlays(store.getState())[0]!.unfit).toBe(unfit);
  const shown = show(store, 1);
  expect(shown.unfit).toBe(unfit);
  expect(shown.shapes).toHaveLength(unfit === undefined ? 1 : 0);
});

test("the list stays the same while the picture does", () => {
  const store = open({ content: contentOf(timed(10, 20)) });
  show(store, 6);
  const before = selectShownOverlays(store.getState());
  store.setState({ nowMs: Date.parse(instantOf(50)) });
  expect(selectShownOverlays(store.getState())).toBe(before);
});
