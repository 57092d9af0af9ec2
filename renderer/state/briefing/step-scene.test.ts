import { expect, test } from "vitest";
import { toNewestView, type PinnedRevision } from "../../../shared/views/citable-view.ts";
import { examplePane, exampleRevision, exampleView } from "../../../shared/views/support/any-view.ts";
import { toGround, toPreviewCamera, toStepScene } from "./step-scene.ts";

test("a step's scene has its frames at their places, with the step's own settings", () => {
  expect(toStepScene(exampleView, [])).toMatchObject({
    eventId: "demonstration",
    sequence: 23,
    layers: [
      {
        id: "mrms-reflectivity",
        opacity: 0.8,
        frame: {
          imageUrl: `/v1/storm-events/demonstration/frames/mrms-reflectivity/${"a".repeat(64)}.png`,
          bounds: [-98.5, 34.25, -96.005, 36],
        },
      },
      { id: "mrms-mesh", coloring: { palette: "echotop", theme: "dark", showFrom: 25.4 } },
    ],
  });
});

test("a layer without a frame is not delivered, and a view that follows the newest has no scene", () => {
  const [pane] = exampleView.panes;
  const revision = { ...pane!.revision!, layers: [] };
  const scene = toStepScene({ ...exampleView, panes: [{ ...pane!, revision }] }, []);
  expect(scene?.layers.map(({ frame }) => frame)).toEqual([undefined, undefined]);
  expect(toStepScene(toNewestView(exampleView), [])).toBeUndefined();
});

test("the largest so far lies under the layer that it is made of", () => {
  const pane = {
    ...examplePane,
    soFar: { product: "mrms-mesh", opacity: 0.5, first: 1, frames: 2 } as const,
  };
  const [, mesh] = exampleRevision.layers;
  const frames = ["/one.png", "/two.png"].map((imageUrl) => ({ imageUrl, bounds: mesh!.bounds }));
  const scene = toStepScene({ ...exampleView, panes: [pane] }, frames);
  expect(scene?.overlays).toMatchObject([
    { frame: { derived: { kind: "swath", frames } }, opacity: 0.5, over: "mrms-reflectivity" },
  ]);
  expect(scene?.layers.map(({ coloring }) => coloring.isEdged)).toEqual([false, true]);
  expect(toStepScene({ ...exampleView, panes: [pane] }, [])?.overlays).toEqual([]);
});

test("what changed is swiped as on the projector", () => {
  const before: PinnedRevision = {
    ...exampleRevision,
    sequence: 15,
    layers: [{ ...exampleRevision.layers[0]!, frame: "c".repeat(64) }, exampleRevision.layers[1]!],
  };
  const how = { layer: "mrms-reflectivity", side: "swipe", swipeAt: 0.25, threshold: 2 } as const;
  const pane = { ...examplePane, comparing: { before, ...how } };
  const scene = toStepScene({ ...exampleView, panes: [pane] }, []);
  expect(scene).toMatchObject({
    swipe: 0.25,
    layers: [
      { side: "right", coloring: { palette: "gray" } },
      { side: "left", opacity: 0.85 },
    ],
    overlays: [
      { side: "left", frame: { imageUrl: expect.stringContaining("c".repeat(64)) as string } },
      { side: "right", frame: { derived: { kind: "difference" } }, coloring: { showFrom: 5 } },
    ],
  });
});

test("the preview shows the same area as the projector", () => {
  expect(toPreviewCamera(exampleView, 480, 1920)).toEqual({ center: [-97.4389, 35.2226], zoom: 5.25 });
  const [pane] = exampleView.panes;
  expect(toPreviewCamera({ ...exampleView, panes: [pane!, pane!] }, 480, 1920)?.zoom).toBe(6.25);
});

test("the ground is the step's", () => {
  expect(toGround(exampleView)).toMatchObject({
    counties: true,
    highways: true,
    cities: false,
    radars: false,
  });
});
