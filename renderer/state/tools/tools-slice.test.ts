import { beforeEach, expect, test } from "vitest";
import type { Coordinate } from "../../../shared/contract/index.ts";
import { createViewerStore, type ViewerStore } from "../store.ts";

const norman: Coordinate = [-97.44, 35.22];
const moore: Coordinate = [-97.49, 35.34];
const tulsa: Coordinate = [-95.99, 36.15];

let store: ViewerStore;
beforeEach(() => {
  store = createViewerStore();
});

function click(coordinate: Coordinate, observedMs?: number): void {
  store.getState().addToolPoint({ coordinate, observedMs });
}

test("measuring takes points, takes them back, and keeps its line when it ends", () => {
  const { toggleTool, takeBackToolPoint, endTool } = store.getState();
  toggleTool("measure", undefined);
  for (const point of [norman, norman, moore, tulsa]) click(point);
  expect(store.getState().measuring?.points).toEqual([norman, moore, tulsa]);
  takeBackToolPoint();
  endTool();
  click(tulsa);
  expect(store.getState()).toMatchObject({ toolTaking: undefined, measuring: { points: [norman, moore] } });
  toggleTool("measure", undefined);
  expect(store.getState().measuring).toBeUndefined();
});

test("a tool that ends with too little is closed", () => {
  const { toggleTool, endTool } = store.getState();
  toggleTool("measure", undefined);
  click(norman);
  endTool();
  expect(store.getState()).toMatchObject({ toolTaking: undefined, measuring: undefined });
});

test("a motion needs two times and two places", () => {
  store.getState().toggleTool("motion", "storm");
  click(norman);
  expect(store.getState().motion).toMatchObject({ positions: [], refusal: "no-picture" });
  click(norman, 1000);
  click(moore, 1000);
  expect(store.getState().motion).toMatchObject({ positions: [{}], refusal: "same-time" });
  click(norman, 121_000);
  expect(store.getState().motion).toMatchObject({ positions: [{}], refusal: "too-close" });
  click(moore, 121_000);
  const { motion, toolTaking } = store.getState();
  expect(motion?.positions).toHaveLength(2);
  expect(motion?.refusal).toBeUndefined();
  expect(toolTaking).toBeUndefined();
});

test("one tool takes points at a time; a motion over another event starts anew", () => {
  const { toggleTool } = store.getState();
  toggleTool("motion", "storm");
  click(norman, 1000);
  toggleTool("measure", "storm");
  expect(store.getState()).toMatchObject({ toolTaking: "measure", motion: undefined });
  toggleTool("motion", "storm");
  toggleTool("motion", "other");
  expect(store.getState().motion?.eventId).toBe("other");
});
