import { describe, expect, test } from "vitest";
import { exampleEventId, exampleHistory, exampleStore, steadyFrames } from "../support/example-data.ts";
import { createReadinessSelector } from "./timeline/readiness.ts";
import { createSceneSelector, toScene } from "./to-scene.ts";
import { createViewerStore } from "./store.ts";

describe("the scene", () => {
  test("is empty, and of no event, before one is chosen", () => {
    expect(toScene(createViewerStore().getState())).toEqual({
      eventId: undefined,
      sequence: undefined,
      layers: [],
      overlays: [],
      swipe: undefined,
      prefetch: [],
    });
  });

  test("shows the wanted revision's layers in drawing order, as the manifest has them", () => {
    const scene = toScene(exampleStore(steadyFrames(3)).getState());
    expect(scene).toMatchObject({ eventId: exampleEventId, sequence: 3 });
    expect(scene.layers.map(({ id, visible, opacity }) => ({ id, visible, opacity }))).toEqual([
      { id: "mrms-reflectivity", visible: true, opacity: 0.85 },
      { id: "mrms-mesh", visible: true, opacity: 0.9 },
    ]);
  });

  test("puts the person's wishes over the manifest's, for every revision", () => {
    const store = exampleStore(steadyFrames(3));
    store.getState().setLayerOpacity("mrms-mesh", 0.4);
    store.getState().setLayerVisible("mrms-reflectivity", false);
    store.getState().step(-1);
    const scene = toScene(store.getState());
    expect(scene.layers[0]).toMatchObject({ id: "mrms-reflectivity", visible: false, opacity: 0.85 });
    expect(scene.layers[1]).toMatchObject({ id: "mrms-mesh", visible: true, opacity: 0.4 });
  });

  test("hides small hail while both layers show, until the person chooses otherwise", () => {
    const store = exampleStore([...steadyFrames(1), { sequence: 2, minute: 2, only: "mrms-mesh" }]);
    const showFrom = (): (number | undefined)[] =>
      toScene(store.getState()).layers.map(({ coloring }) => coloring.showFrom);
    // The newest revision has no reflectivity to cover.
    expect(showFrom()).toEqual([undefined, undefined]);
    store.getState().goTo(1);
    expect(showFrom()).toEqual([undefined, 12.7]);
    store.getState().setLayerVisible("mrms-reflectivity", false);
    expect(showFrom()).toEqual([undefined, undefined]);
    store.getState().setLayerVisible("mrms-reflectivity", true);
    store.getState().setLayerShowFrom("mrms-mesh", 3.175);
    expect(showFrom()).toEqual([undefined, undefined]);
    store.getState().setLayerShowFrom("mrms-mesh", 25.4);
    store.getState().setLayerShowFrom("mrms-reflectivity", 20);
    expect(showFrom()).toEqual([20, 25.4]);
  });

  test("keeps the colors of another service's frames, and all of them", () => {
    const store = exampleStore([]);
    const history = exampleHistory(steadyFrames(1));
    const legend = [{ color: "rgb(0 200 0)", label: "moderate" }];
    const frames = history.frames.map((frame) => ({
      ...frame,
      layers: frame.layers.map((layer) => ({ ...layer, legend })),
    }));
    store.getState().receiveHistory(exampleEventId, { ...history, frames });
    store.getState().setLayerShowFrom("mrms-mesh", 25.4);
    const colorings = toScene(store.getState()).layers.map(({ coloring }) => coloring);
    expect(colorings).toEqual(Array(2).fill({ palette: "published", theme: "dark", showFrom: undefined }));
  });

  test("names a layer that the revision lacks, without a frame", () => {
    const store = exampleStore([
      { sequence: 1, minute: 0 },
      { sequence: 2, minute: 2, only: "mrms-reflectivity" },
    ]);
    const scene = toScene(store.getState());
    expect(scene.layers[0]?.frame?.imageUrl).toContain("mrms-reflectivity");
    expect(scene.layers[1]).toMatchObject({ id: "mrms-mesh", frame: undefined });
  });

  test("prefetches the neighbors of visible layers while it rests", () => {
    const store = exampleStore(steadyFrames(9));
    store.getState().setLayerVisible("mrms-mesh", false);
    store.getState().goTo(5);
    const { prefetch } = toScene(store.getState());
    expect(prefetch.every((frame) => frame.imageUrl.includes("mrms-reflectivity"))).toBe(true);
    const { revisions } = store.getState().history;
    expect(prefetch[0]?.imageUrl).toBe(revisions[5]?.layers[0]?.imageUrl);
    expect(prefetch[1]?.imageUrl).toBe(revisions[3]?.layers[0]?.imageUrl);
  });

  test("wants what comes next while it plays, over the end of the loop", () => {
    const store = exampleStore(steadyFrames(4));
    store.getState().goTo(3);
    store.getState().play();
    const { revisions } = store.getState().history;
    const { prefetch } = toScene(store.getState());
    expect(prefetch.map((frame) => frame.imageUrl)).toEqual(
      [3, 0, 1].flatMap((index) => revisions[index]!.layers.map((layer) => layer.imageUrl)),
    );
  });

  test("stays the same object through clock ticks and pointer movements", () => {
    const store = exampleStore(steadyFrames(4));
    const select = createSceneSelector();
    const scene = select(store.getState());
    store.getState().tick(5);
    store.getState().setCrosshair(true);
    expect(select(store.getState())).toBe(scene);
    store.getState().setPalette("color-blind");
    expect(select(store.getState())).not.toBe(scene);
    expect(select(store.getState()).layers.map(({ coloring }) => coloring.palette)).toEqual([
      "color-blind",
      "color-blind",
    ]);
    store.getState().setTheme("light");
    expect(select(store.getState()).layers.map(({ coloring }) => coloring.theme)).toEqual(["light", "light"]);
  });
});

describe("readiness", () => {
  test("a revision is ready when all its visible frames have settled and one can be drawn", () => {
    const store = exampleStore(steadyFrames(2));
    const select = createReadinessSelector(store.getState().history.all);
    const [reflectivity, mesh] = store.getState().history.revisions[0]!.layers;
    expect(select(store.getState())).toEqual(["loading", "loading"]);
    store.getState().receiveFrameStates({ [reflectivity!.imageUrl]: { status: "ready" } });
    expect(select(store.getState())[0]).toBe("loading");
    const failed = { status: "failed", message: "Gone.", retryAtMs: 1 } as const;
    store.getState().receiveFrameStates({ [mesh!.imageUrl]: failed });
    expect(select(store.getState())[0]).toBe("ready");
    store.getState().receiveFrameStates({ [reflectivity!.imageUrl]: failed });
    expect(select(store.getState())[0]).toBe("failed");
    store.getState().receiveFrameStates({ [reflectivity!.imageUrl]: { status: "evicted" } });
    expect(select(store.getState())[0]).toBe("loading");
  });

  test("asks nothing of hidden layers", () => {
    const store = exampleStore(steadyFrames(1));
    const [reflectivity] = store.getState().history.revisions[0]!.layers;
    store.getState().receiveFrameStates({ [reflectivity!.imageUrl]: { status: "ready" } });
    store.getState().setLayerVisible("mrms-mesh", false);
    expect(createReadinessSelector(store.getState().history.all)(store.getState())).toEqual(["ready"]);
  });
});
