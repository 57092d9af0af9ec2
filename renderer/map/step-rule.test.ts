import { describe, expect, test } from "vitest";
import { toRef } from "../support/fake-frames.ts";
import { layersToDraw, nextPicture, toDrawnPicture, wishesOf } from "./step-rule.ts";
import type { FrameReadiness, ShownOverlays } from "./step-rule.ts";
import type { Scene, SceneLayer, SceneOverlay } from "./scene.ts";

const noOverlays: ShownOverlays = new Map();

function layer(
  id: SceneLayer["id"],
  imageUrl: string | undefined,
  change: Partial<SceneLayer> = {},
): SceneLayer {
  return {
    id,
    frame: imageUrl === undefined ? undefined : toRef(imageUrl),
    visible: true,
    opacity: 1,
    coloring: { palette: "echotop", theme: "dark", showFrom: undefined },
    ...change,
  };
}

function sceneAt(sequence: number, change: Partial<Scene> = {}): Scene {
  return {
    eventId: "storm",
    sequence,
    layers: [layer("mrms-reflectivity", `r${sequence}`), layer("mrms-mesh", `m${sequence}`)],
    overlays: [],
    swipe: undefined,
    prefetch: [],
    ...change,
  };
}

function readiness(table: Record<string, FrameReadiness>): (imageUrl: string) => FrameReadiness {
  return (imageUrl) => table[imageUrl] ?? "pending";
}

const first = nextPicture(undefined, sceneAt(1), readiness({ r1: "ready", m1: "ready" }))!;

describe("the step rule", () => {
  test("shows nothing until every visible layer of the first revision is ready", () => {
    expect(nextPicture(undefined, sceneAt(1), readiness({ r1: "ready" }))).toBeUndefined();
    expect(first.sequence).toBe(1);
  });

  test("keeps the last picture whole until the next one is", () => {
    expect(nextPicture(first, sceneAt(2), readiness({ r2: "ready", m2: "pending" }))).toBe(first);
    expect(nextPicture(first, sceneAt(2), readiness({ r2: "ready", m2: "ready" }))?.sequence).toBe(2);
  });

  test("continues without a frame that failed, and reports it", () => {
    const picture = nextPicture(first, sceneAt(2), readiness({ r2: "ready", m2: "failed" }))!;
    const scene = sceneAt(2);
    const drawn = layersToDraw(picture, scene, noOverlays, () => true);
    expect(drawn.map(({ frame }) => frame.imageUrl)).toEqual(["r2"]);
    expect(toDrawnPicture(picture, scene, drawn)).toEqual({
      eventId: "storm",
      overlays: {},
      sequence: 2,
      layers: ["mrms-reflectivity"],
      failed: ["mrms-mesh"],
    });
  });

  test("does not wait for a layer that is hidden or was not delivered", () => {
    const layers = [layer("mrms-reflectivity", "r2", { visible: false }), layer("mrms-mesh", undefined)];
    expect(nextPicture(first, sceneAt(2, { layers }), readiness({}))?.sequence).toBe(2);
  });

  test("never keeps the picture of another event", () => {
    expect(nextPicture(first, sceneAt(1, { eventId: "other" }), readiness({}))).toBeUndefined();
    const ready = readiness({ r1: "ready", m1: "ready" });
    expect(nextPicture(first, sceneAt(1, { eventId: "other" }), ready)?.eventId).toBe("other");
  });

  test("shows nothing without a sequence or an event", () => {
    const ready = readiness({ r1: "ready", m1: "ready" });
    expect(nextPicture(first, sceneAt(1, { sequence: undefined }), ready)).toBeUndefined();
    expect(nextPicture(first, sceneAt(1, { eventId: undefined }), ready)).toBeUndefined();
  });
});

describe("the layers drawn of a picture", () => {
  const all = (): boolean => true;

  test("follow visibility, order and opacity at once", () => {
    const [reflectivity, mesh] = sceneAt(1).layers;
    const scene = sceneAt(1, {
      layers: [
        { ...mesh!, opacity: 0.4 },
        { ...reflectivity!, visible: false },
      ],
    });
    expect(layersToDraw(first, scene, noOverlays, all)).toMatchObject([{ id: "mrms-mesh", opacity: 0.4 }]);
    const swapped = sceneAt(1, { layers: [mesh!, reflectivity!] });
    expect(layersToDraw(first, swapped, noOverlays, all).map(({ id }) => id)).toEqual([
      "mrms-mesh",
      "mrms-reflectivity",
    ]);
  });

  test("are none while one of its frames is not on the GPU", () => {
    expect(layersToDraw(first, sceneAt(1), noOverlays, (imageUrl) => imageUrl === "r1")).toEqual([]);
  });

  test("include a layer that was hidden as soon as its frame is on the GPU, without holding up the others", () => {
    const hidden = sceneAt(1, {
      layers: [layer("mrms-reflectivity", "r1"), layer("mrms-mesh", "m1", { visible: false })],
    });
    const picture = nextPicture(undefined, hidden, readiness({ r1: "ready" }))!;
    expect(layersToDraw(picture, sceneAt(1), noOverlays, (imageUrl) => imageUrl === "r1")).toMatchObject([
      { id: "mrms-reflectivity" },
    ]);
    expect(layersToDraw(picture, sceneAt(1), noOverlays, all)).toHaveLength(2);
  });

  test("are those of the old revision while the next one loads", () => {
    const drawn = layersToDraw(first, sceneAt(2), noOverlays, all);
    expect(drawn.map(({ frame }) => frame.imageUrl)).toEqual(["r1", "m1"]);
  });
});

describe("the frames that a scene needs", () => {
  test("are its visible frames, then those wanted soon, then hidden ones, without duplicates", () => {
    const scene = sceneAt(1, {
      layers: [layer("mrms-reflectivity", "r1"), layer("mrms-mesh", "m1", { visible: false })],
      prefetch: [toRef("r2"), toRef("r1"), toRef("r3"), toRef("r2")],
    });
    const { required, soon } = wishesOf(scene);
    expect(required.map(({ imageUrl }) => imageUrl)).toEqual(["r1"]);
    expect(soon.map(({ imageUrl }) => imageUrl)).toEqual(["r2", "r3", "m1"]);
  });

  test("are only those wanted soon when nothing is shown", () => {
    expect(wishesOf(sceneAt(1, { sequence: undefined })).required).toEqual([]);
  });
});

describe("overlays", () => {
  const overlay = (imageUrl: string, change: Partial<SceneOverlay> = {}): SceneOverlay => ({
    id: "swath",
    frame: toRef(imageUrl),
    opacity: 1,
    coloring: { palette: "so-far", theme: "dark", showFrom: undefined },
    over: "mrms-reflectivity",
    side: undefined,
    stays: true,
    ...change,
  });
  const ready = nextPicture(undefined, sceneAt(1), () => "ready");
  const drawnWith = (
    change: Partial<SceneOverlay>,
    shown: ShownOverlays,
    missing: readonly string[],
  ): string[] =>
    layersToDraw(
      ready,
      sceneAt(1, { overlays: [overlay("s2", change)] }),
      shown,
      (url) => !missing.includes(url),
    ).map(({ frame }) => frame.imageUrl);

  test("are drawn directly over their layer, or under all", () => {
    expect(drawnWith({}, noOverlays, [])).toEqual(["r1", "s2", "m1"]);
    expect(drawnWith({ over: undefined }, noOverlays, [])).toEqual(["s2", "r1", "m1"]);
  });

  test("hold up no step; the last frame of one that stays is drawn meanwhile", () => {
    const shown = new Map([["swath", toRef("s1")]]);
    expect(drawnWith({}, noOverlays, ["s2"])).toEqual(["r1", "m1"]);
    expect(drawnWith({}, shown, ["s2"])).toEqual(["r1", "s1", "m1"]);
    expect(drawnWith({ stays: false }, shown, ["s2"])).toEqual(["r1", "m1"]);
    expect(drawnWith({}, shown, ["s1", "s2"])).toEqual(["r1", "m1"]);
  });

  test("of the next revision do not lie over the picture before it, but for one that stays", () => {
    const next = (stays: boolean) => sceneAt(2, { overlays: [overlay("s2", { stays })] });
    const urls = (stays: boolean): string[] =>
      layersToDraw(ready, next(stays), noOverlays, () => true).map(({ frame }) => frame.imageUrl);
    expect(urls(false)).toEqual(["r1", "m1"]);
    expect(urls(true)).toEqual(["r1", "s2", "m1"]);
  });

  test("are reported apart from the layers, and wanted before what is prefetched", () => {
    const scene = sceneAt(1, { overlays: [overlay("s2")], prefetch: [toRef("r2")] });
    const drawn = layersToDraw(ready, scene, noOverlays, () => true);
    expect(toDrawnPicture(ready, scene, drawn)).toMatchObject({
      layers: ["mrms-reflectivity", "mrms-mesh"],
      overlays: { swath: "s2" },
    });
    const { required, soon } = wishesOf(scene);
    expect(required.map(({ imageUrl }) => imageUrl)).toEqual(["r1", "m1"]);
    expect(soon.map(({ imageUrl }) => imageUrl)).toEqual(["s2", "r2"]);
  });
});
