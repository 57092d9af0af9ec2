import { describe, expect, test } from "vitest";
import { exampleEventId, exampleStore, steadyFrames } from "../support/example-data.ts";
import { createReadinessSelector } from "./readiness.ts";
import { createSceneSelector, toScene } from "./to-scene.ts";
import { createViewerStore } from "./store.ts";

describe("the scene", () => {
  test("is empty, and of no event, before one is chosen", () => {
    expect(toScene(createViewerStore().getState())).toEqual({
      eventId: undefined,
      sequence: undefined,
      layers: [],
      palette: "standard",
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
    expect(select(store.getState()).palette).toBe("color-blind");
  });
});

describe("readiness", () => {
  test("a revision is ready when all its visible frames have settled and one can be drawn", () => {
    const store = exampleStore(steadyFrames(2));
    const select = createReadinessSelector();
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
    expect(createReadinessSelector()(store.getState())).toEqual(["ready"]);
  });
});
