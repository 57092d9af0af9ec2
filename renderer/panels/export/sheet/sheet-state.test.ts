import { expect, test } from "vitest";
import type { DrawnPicture } from "../../../map/scene.ts";
import { selectShownRevision } from "../../../state/selectors.ts";
import { exampleEventId, exampleStore, steadyFrames } from "../../../support/example-data.ts";
import {
  framesOf,
  isPictureOf,
  toEmptyScene,
  toStillScene,
  toWholePicture,
  withPicture,
  withSequence,
} from "./sheet-state.ts";

const state = exampleStore(steadyFrames(4)).getState();
const drawn: DrawnPicture = {
  eventId: exampleEventId,
  sequence: 2,
  layers: ["mrms-reflectivity", "mrms-mesh"],
  failed: [],
  overlays: {},
};

test("a state of another revision has its scene and its words, and leaves the viewer's own alone", () => {
  const earlier = withPicture(withSequence(state, 2), drawn, undefined);
  expect(selectShownRevision(earlier)?.sequence).toBe(2);
  expect(toStillScene(earlier)).toMatchObject({ eventId: exampleEventId, sequence: 2, prefetch: [] });
  expect(framesOf(toStillScene(earlier))).toHaveLength(2);
  expect(selectShownRevision(state)?.sequence).toBe(4);
});

test("a picture is that of a scene with its revision and all its overlays", () => {
  const scene = toStillScene(withSequence(state, 2));
  const frame = { imageUrl: "swath", bounds: [0, 0, 1, 1] as [number, number, number, number] };
  const { coloring } = scene.layers[0]!;
  const overlay = {
    id: "so-far",
    frame,
    opacity: 1,
    coloring,
    over: undefined,
    side: undefined,
    stays: true,
  };
  expect(toWholePicture(scene)).toEqual(drawn);
  expect(isPictureOf(scene, drawn)).toBe(true);
  expect(isPictureOf(scene, undefined)).toBe(false);
  expect(isPictureOf(scene, { ...drawn, sequence: 3 })).toBe(false);
  expect(isPictureOf({ ...scene, overlays: [overlay] }, drawn)).toBe(false);
  expect(toWholePicture({ ...scene, overlays: [overlay] })?.overlays).toEqual({ "so-far": "swath" });
  expect(isPictureOf({ ...scene, overlays: [overlay] }, { ...drawn, overlays: { "so-far": "swath" } })).toBe(
    true,
  );
});

test("the ground alone is no picture of a revision", () => {
  const scene = toEmptyScene(state);
  expect(framesOf(scene)).toEqual([]);
  expect(toWholePicture(scene)).toBeUndefined();
  expect(isPictureOf(scene, undefined)).toBe(true);
  expect(isPictureOf(scene, drawn)).toBe(false);
});
