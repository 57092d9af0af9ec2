import { beforeEach, describe, expect, test } from "vitest";
import { FakeFrames, settle, toRef } from "../support/fake-frames.ts";
import type { DecodedFrame } from "./decoded-frame.ts";
import { SharedFrames } from "./shared-frames.ts";

const never = new AbortController().signal;

describe("frames of several maps", () => {
  let fake: FakeFrames;
  let closed: number;
  let shared: SharedFrames;

  beforeEach(() => {
    fake = new FakeFrames();
    closed = 0;
    shared = new SharedFrames(() => ({
      load: (imageUrl, signal) => fake.load(toRef(imageUrl), signal),
      close: () => {
        closed += 1;
      },
    }));
  });

  test("are loaded once, while loading and afterwards", async () => {
    const [first, second] = [shared.open("levels"), shared.open("levels")];
    const loads = [first.load("a", never), second.load("a", never)];
    await fake.answer("a");
    const [one, two] = await Promise.all(loads);
    expect(two).toBe(one);
    expect(await second.load("a", never)).toBe(one);
    expect(fake.asked).toEqual(["a"]);
  });

  test("of cells alone may be those with levels, but not the other way", async () => {
    const [screen, still] = [shared.open("levels"), shared.open("cells")];
    const loads = [screen.load("a", never), still.load("a", never)];
    await fake.answer("a");
    const [one, two] = await Promise.all(loads);
    expect(two).toBe(one);
    void still.load("b", never);
    void screen.load("b", never);
    expect(fake.asked).toEqual(["a", "b", "b"]);
  });

  test("are given up when the last caller gives up, and not before", async () => {
    const source = shared.open("levels");
    const [first, second] = [new AbortController(), new AbortController()];
    const loads = [source.load("a", first.signal), source.load("a", second.signal)];
    const { signal } = fake.loads.get("a")!;
    first.abort();
    await expect(loads[0]).rejects.toThrow();
    expect(signal.aborted).toBe(false);
    second.abort();
    await expect(loads[1]).rejects.toThrow();
    expect(signal.aborted).toBe(true);
    void source.load("a", never);
    expect(fake.asked).toEqual(["a", "a"]);
  });

  test("that fail are told to each caller, and asked for again", async () => {
    const source = shared.open("levels");
    const loads = Promise.allSettled([source.load("a", never), source.load("a", never)]);
    await fake.fail("a", "gone");
    expect((await loads).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    void source.load("a", never);
    expect(fake.asked).toEqual(["a", "a"]);
  });

  test("with bitmaps have one owner each", async () => {
    const source = shared.open("levels");
    const color: DecodedFrame = { kind: "color", widthPx: 1, heightPx: 1, tiles: [] };
    const loads = [source.load("a", never), source.load("a", never)];
    fake.loads.get("a")!.resolve(color);
    await settle();
    expect(fake.asked).toEqual(["a", "a"]);
    fake.loads.get("a")!.resolve({ ...color });
    const [one, two] = await Promise.all(loads);
    expect(two).not.toBe(one);
  });

  test("keep their workers until the last map is closed", () => {
    const [first, second] = [shared.open("levels"), shared.open("levels")];
    first.close();
    first.close();
    expect(closed).toBe(0);
    second.close();
    expect(closed).toBe(1);
  });
});
