import { expect, test } from "vitest";
import type { FrameRef } from "./frame-ref.ts";
import { SwathMaker } from "./swath-maker.ts";

function toFrames(...names: readonly string[]): FrameRef[] {
  return names.map((imageUrl) => ({ imageUrl, bounds: [-100, 36, -90, 46] }));
}

test("a list that is no longer wanted when its turn comes leaves the swath made before it", async () => {
  const read: string[] = [];
  const maker = new SwathMaker({
    load: ({ imageUrl }) => {
      read.push(imageUrl);
      return Promise.reject(new Error("The frame is gone."));
    },
  });
  const { signal } = new AbortController();
  const make = (wanted: AbortSignal, ...names: readonly string[]): Promise<number> =>
    maker.make(toFrames(...names), ({ parts }) => parts.length, { signal: wanted });
  await make(signal, "a");
  await expect(make(AbortSignal.abort(), "x")).rejects.toThrow("aborted");
  expect(await make(signal, "a", "b")).toBe(2);
  expect(read).toEqual(["a", "b"]);
});
