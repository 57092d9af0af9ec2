import { beforeEach, describe, expect, test } from "vitest";
import { FakeFrames, settle, toRef } from "../support/fake-frames.ts";
import { FrameCache } from "./frame-cache.ts";
import type { FrameRef } from "../frames/frame-ref.ts";
import type { FrameState } from "./scene.ts";

/** Room for ten frames of one row in memory (a kilobyte of palette each), and for four on the GPU. */
const budget = { memoryBytes: 10 * 2024, gpuBytes: 4 * 1000 };

let fake: FakeFrames;
let states: [imageUrl: string, status: FrameState["status"]][];
let cache: FrameCache<string>;

beforeEach(() => {
  fake = new FakeFrames();
  states = [];
  cache = createCache();
});

function createCache(limits = budget): FrameCache<string> {
  return new FrameCache<string>(limits, {
    load: fake.load,
    beginUpload: fake.beginUpload,
    releaseTexture: fake.releaseTexture,
    nowMs: () => fake.nowMs,
    schedule: fake.schedule,
    onChange: () => undefined,
    onFrameState: (imageUrl, { status }) => states.push([imageUrl, status]),
    onUse: () => undefined,
  });
}

function refs(...names: string[]): FrameRef[] {
  return names.map(toRef);
}

function want(required: string[], soon: string[] = [], onScreen: string[] = []): void {
  cache.want({ required: refs(...required), soon: refs(...soon) }, refs(...onScreen));
}

/** Loads and uploads everything requested, in order. */
async function bringIn(heightPx = 1): Promise<void> {
  for (;;) {
    const [next] = fake.loads.keys();
    if (next !== undefined) await fake.answer(next, heightPx);
    else if (cache.uploads !== "none") cache.tick(fake.nowMs + 100);
    else return;
  }
}

describe("the frame cache", () => {
  test("loads two at a time, most urgent first", async () => {
    want(["a", "b"], ["c", "d"]);
    expect(fake.asked).toEqual(["a", "b"]);
    await fake.answer("b");
    expect(fake.asked).toEqual(["a", "b", "c"]);
  });

  test("aborts unwanted loads when a more urgent frame is wanted", async () => {
    want(["a", "b"]);
    want(["c", "d"]);
    expect(fake.asked).toEqual(["a", "b", "c", "d"]);
    expect([...fake.loads.keys()]).toEqual(["c", "d"]);
    await settle();
    expect(states).toContainEqual(["a", "evicted"]);
  });

  test("lets unwanted loads finish when nothing else is wanted, so that stepping back is quick", async () => {
    want(["a"]);
    want(["b"]);
    expect([...fake.loads.keys()]).toEqual(["a", "b"]);
    await fake.answer("a");
    want(["a"]);
    expect(fake.asked).toEqual(["a", "b"]);
  });

  test("is ready when a frame is uploaded, not when it is decoded", async () => {
    want(["a"]);
    expect(cache.readinessOf("a")).toBe("pending");
    await fake.answer("a");
    expect(cache.readinessOf("a")).toBe("pending");
    expect(cache.uploads).toBe("urgent");
    cache.tick(fake.nowMs + 100);
    expect(cache.readinessOf("a")).toBe("ready");
  });

  test("uploads until the deadline, and continues in the next animation frame", async () => {
    fake.slices = 10;
    want(["a"]);
    await fake.answer("a");
    cache.tick(fake.nowMs + 2 * fake.sliceMs);
    expect(cache.readinessOf("a")).toBe("pending");
    for (let turn = 0; turn < 4; turn++) cache.tick(fake.nowMs + 2 * fake.sliceMs);
    expect(cache.readinessOf("a")).toBe("ready");
  });

  test("cancels an upload for a more urgent one", async () => {
    fake.slices = 10;
    want(["a"], ["b"]);
    await fake.answer("b");
    cache.tick(fake.nowMs);
    await fake.answer("a");
    cache.tick(fake.nowMs + 100);
    expect(cache.readinessOf("a")).toBe("ready");
    expect(cache.use.usedBytes).toBeLessThanOrEqual(budget.memoryBytes + budget.gpuBytes);
  });

  test("stays within both budgets, and evicts the least recently used frame first", async () => {
    for (const name of ["a", "b", "c", "d", "e", "f"]) {
      want([name]);
      await bringIn();
    }
    expect([...fake.textures]).toEqual(["c", "d", "e", "f"]);
    expect(cache.use).toEqual({ usedBytes: 6 * 2024 + 4 * 1000, budgetBytes: 24_240, frames: 6 });
    want(["c"]);
    want(["g"]);
    await bringIn();
    expect([...fake.textures].toSorted()).toEqual(["c", "e", "f", "g"]);
  });

  test("uploads a frame from memory again after the GPU evicted it", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) {
      want([name]);
      await bringIn();
    }
    expect(cache.readinessOf("a")).toBe("pending");
    const asked = fake.asked.length;
    want(["a"]);
    await bringIn();
    expect(cache.readinessOf("a")).toBe("ready");
    expect(fake.asked).toHaveLength(asked);
  });

  test("never evicts frames on screen or waited for, even beyond the budget", async () => {
    want(["a", "b"], [], []);
    await bringIn(2);
    want(["c", "d"], ["e", "f"], ["a", "b"]);
    await bringIn(2);
    for (const name of ["a", "b", "c", "d"]) expect(cache.readinessOf(name)).toBe("ready");
    want(["c", "d"], [], ["c", "d"]);
    expect([...fake.textures].toSorted()).toEqual(["c", "d"]);
  });

  test("obeys a smaller budget at once but for the picture on screen, and fills a larger one", async () => {
    const all = ["a", "b", "c", "d", "e", "f"];
    want(["a"], all.slice(1));
    await bringIn();
    want(["a"], all.slice(1), ["a"]);
    const isWithin = (limits: typeof budget): boolean =>
      cache.use.usedBytes <= limits.memoryBytes + limits.gpuBytes;

    const small = { memoryBytes: 3 * 2024, gpuBytes: 3 * 1000 };
    cache.setBudget(small);
    expect(cache.use).toMatchObject({ budgetBytes: 3 * 3024 });
    expect(isWithin(small)).toBe(true);
    expect([...fake.textures].toSorted()).toEqual(["a", "b", "c"]);
    await bringIn();
    expect(isWithin(small)).toBe(true);

    cache.setBudget({ memoryBytes: 100_000, gpuBytes: 100_000 });
    await bringIn();
    expect([...fake.textures].toSorted()).toEqual(all);

    // Room for nothing: only the picture on screen and the frames of the next step remain.
    cache.setBudget({ memoryBytes: 0, gpuBytes: 0 });
    expect([...fake.textures]).toEqual(["a"]);
  });

  test("does not evict a frame for a less urgent one", async () => {
    want(["a"], ["b", "c", "d", "e", "f"]);
    await bringIn();
    expect([...fake.textures].toSorted()).toEqual(["a", "b", "c", "d"]);
  });

  test("stops prefetching when memory is full", async () => {
    cache = createCache({ memoryBytes: 3 * 2024, gpuBytes: 100_000 });
    const many = Array.from({ length: 20 }, (_, at) => `s${at}`);
    want(["a"], many);
    await bringIn();
    expect(fake.asked.length).toBeLessThanOrEqual(5);
    expect(cache.use.frames).toBe(3);
  });

  test("makes room for the next step, no matter how large its frames are", async () => {
    cache = createCache({ memoryBytes: 4000, gpuBytes: 1000 });
    want(["a", "b"], ["c", "d", "e"], ["a", "b"]);
    await bringIn(5);
    expect([...fake.textures].toSorted()).toEqual(["a", "b", "c", "d"]);
  });

  test("remembers a failure, and retries it after a growing delay", async () => {
    want(["a"]);
    await fake.fail("a", "no such frame");
    expect(cache.readinessOf("a")).toBe("failed");
    expect(cache.find("a")?.failure?.message).toBe("no such frame");
    fake.pass(1999);
    expect(fake.asked).toEqual(["a"]);
    fake.pass(1);
    expect(fake.asked).toEqual(["a", "a"]);
    // Still failed during the retry, so that no step waits for it.
    expect(cache.readinessOf("a")).toBe("failed");
    await fake.fail("a");
    fake.pass(3999);
    expect(fake.asked).toHaveLength(2);
    fake.pass(1);
    await bringIn();
    expect(cache.readinessOf("a")).toBe("ready");
    expect(cache.find("a")?.failure).toBeUndefined();
  });

  test("does not retry a frame that is no longer wanted", async () => {
    want(["a"]);
    await fake.fail("a");
    want(["b"]);
    fake.pass(100_000);
    expect(fake.asked).toEqual(["a", "b"]);
  });

  test("counts a GPU refusal as a failure of the frame", async () => {
    const { beginUpload } = fake;
    cache = new FrameCache<string>(budget, {
      load: fake.load,
      beginUpload: (frame) => ({
        ...beginUpload(frame),
        step: () => {
          throw new Error("The graphics memory is full.");
        },
      }),
      releaseTexture: fake.releaseTexture,
      nowMs: () => fake.nowMs,
      schedule: fake.schedule,
      onChange: () => undefined,
      onFrameState: () => undefined,
      onUse: () => undefined,
    });
    want(["c"]);
    await fake.answer("c");
    cache.tick(fake.nowMs + 10);
    expect(cache.readinessOf("c")).toBe("failed");
    expect(cache.use.usedBytes).toBe(0);
  });

  test("uploads all wanted frames again after the GPU lost them, without loading them again", async () => {
    want(["a", "b"], ["c"]);
    await bringIn();
    const asked = fake.asked.length;
    fake.textures.clear();
    cache.dropTextures();
    expect(cache.readinessOf("a")).toBe("pending");
    await bringIn();
    expect([...fake.textures].toSorted()).toEqual(["a", "b", "c"]);
    expect(fake.asked).toHaveLength(asked);
  });

  test("drops frames that have become useless, and loads those that are wanted again", async () => {
    want(["a"], ["b", "c"]);
    await bringIn();
    want(["a"], ["b"]);
    const [first, second] = refs("a", "c").map(({ imageUrl }) => cache.find(imageUrl)?.frame);
    cache.dropFrames((frame) => frame === first || frame === second);
    expect(["a", "b", "c"].map((name) => cache.readinessOf(name))).toEqual(["pending", "ready", "pending"]);
    expect(fake.asked).toEqual(["a", "b", "c", "a"]);
    await bringIn();
    expect(cache.readinessOf("a")).toBe("ready");
    expect(cache.find("a")?.frame).not.toBe(first);
  });

  test("releases everything once when it is closed", async () => {
    want(["a"], ["b"]);
    await fake.answer("a");
    cache.tick(fake.nowMs + 10);
    cache.close();
    cache.close();
    expect(fake.textures.size).toBe(0);
    expect(fake.loads.size).toBe(0);
    want(["c"]);
    expect(fake.asked).toEqual(["a", "b"]);
  });
});
