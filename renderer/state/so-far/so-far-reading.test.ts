import { expect, test } from "vitest";
import type { SwathFacts } from "../../frames/analysis-messages.ts";
import type { FrameRef } from "../../frames/frame-ref.ts";
import { exampleStore, steadyFrames } from "../../support/example-data.ts";
import { readSoFar } from "./so-far-reading.ts";
import { selectSwathPart, soFarOverlay } from "./so-far.ts";
import { toScene } from "../to-scene.ts";
import type { ViewerStore } from "../store.ts";

/** Answers at once; remembers each length asked for with the length of the swath that the map wants then. */
function createClient(store: ViewerStore) {
  const asked: (readonly [length: number, drawn: number])[] = [];
  const measureSwath = (frames: readonly FrameRef[]): Promise<SwathFacts> => {
    const derived = toScene(store.getState()).overlays.find(({ id }) => id === soFarOverlay)?.frame.derived;
    asked.push([frames.length, derived?.kind === "swath" ? derived.frames.length : 0]);
    return Promise.resolve({
      ...{ classes: [], lines: [], storm: undefined },
      parts: frames.map(() => "used" as const),
    });
  };
  return { asked, client: { measureSwath } };
}

/** The frames are read once all promises that are due have run. */
const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

test("the first swath grows on the map, each part wanted before it is measured", async () => {
  const store = exampleStore(steadyFrames(10));
  const { asked, client } = createClient(store);
  const stop = readSoFar(store, client);
  store.getState().toggleSoFar();
  await settle();
  expect(asked.slice(0, 3)).toEqual([
    [4, 4],
    [8, 8],
    [10, 10],
  ]);
  expect(selectSwathPart(store.getState())).toBe(10);
  stop();
});

test("a step while it grows continues with what is read", async () => {
  const store = exampleStore(steadyFrames(10));
  store.getState().goTo(6);
  const { asked, client } = createClient(store);
  const stop = readSoFar(store, client);
  store.getState().toggleSoFar();
  store.getState().step(1);
  await settle();
  expect(asked.slice(0, 2).map(([length]) => length)).toEqual([4, 7]);
  stop();
});
