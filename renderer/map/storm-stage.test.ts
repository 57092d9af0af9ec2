import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { FakeFrames, settle, toRef } from "../support/fake-frames.ts";
import type { Coloring, DrawnPicture, Scene, SceneLayer } from "./scene.ts";
import { StormStage } from "./storm-stage.ts";

const roomy = { memoryBytes: 1e9, gpuBytes: 1e9 };

/** A stage whose page repaints on request of the test. */
class FakePage {
  readonly fake = new FakeFrames();
  readonly reports: (DrawnPicture | undefined)[] = [];
  readonly stage: StormStage<string>;
  #frameRequests: (() => void)[] = [];
  #repaintIsDue = false;

  constructor(budget = roomy) {
    this.stage = new StormStage<string>(
      budget,
      {
        load: this.fake.load,
        beginUpload: this.fake.beginUpload,
        releaseTexture: this.fake.releaseTexture,
        nowMs: () => this.fake.nowMs,
        schedule: this.fake.schedule,
        onNextFrame: (run) => {
          this.#frameRequests.push(run);
          return () => {
            this.#frameRequests = this.#frameRequests.filter((other) => other !== run);
          };
        },
        repaint: () => {
          this.#repaintIsDue = true;
        },
      },
      {
        onDrawn: (drawn) => this.reports.push(drawn),
        onFrameState: () => undefined,
        onCache: () => undefined,
      },
    );
    this.stage.resume();
  }

  /** One animation frame: uploads, then a repaint if one is due. Returns the textures that are drawn. */
  async frame(): Promise<string[] | undefined> {
    const requests = this.#frameRequests;
    this.#frameRequests = [];
    for (const run of requests) run();
    let drawn: string[] | undefined;
    if (this.#repaintIsDue) {
      this.#repaintIsDue = false;
      drawn = this.stage.collect().map(({ texture }) => texture);
      this.stage.painted();
    }
    await settle();
    return drawn;
  }
}

const coloring: Coloring = { palette: "echotop", theme: "dark", showFrom: undefined };

function sceneAt(sequence: number | undefined, change: Partial<Scene> = {}): Scene {
  return {
    eventId: "storm",
    sequence,
    layers: [
      { id: "mrms-reflectivity", frame: toRef(`${sequence} r`), visible: true, opacity: 0.8, coloring },
      { id: "mrms-mesh", frame: toRef(`${sequence} m`), visible: true, opacity: 0.9, coloring },
    ],
    overlays: [],
    swipe: undefined,
    prefetch: [],
    ...change,
  };
}

let page: FakePage;

beforeEach(() => {
  page = new FakePage();
});

async function show(sequence: number): Promise<void> {
  page.stage.setScene(sceneAt(sequence));
  await page.fake.answer(`${sequence} r`);
  await page.fake.answer(`${sequence} m`);
  await page.frame();
  await page.frame();
}

describe("the stage", () => {
  test("knows the bounds of the echo in the frames that are loaded", async () => {
    const frames = [toRef("1 r"), toRef("1 m"), toRef("2 r")];
    expect(page.stage.findEchoBounds(frames)).toBeUndefined();
    await show(1);
    const [west, south, east, north] = page.stage.findEchoBounds(frames)!;
    expect([west, east]).toEqual([-100, -95]);
    expect(south).toBeCloseTo(30, 9);
    expect(north).toBeCloseTo(40, 9);
  });

  test("draws both layers of a revision in the same repaint, and reports it after that", async () => {
    page.stage.setScene(sceneAt(1));
    await page.fake.answer("1 m");
    expect(await page.frame()).toEqual([]);
    expect(page.reports).toEqual([undefined].slice(1));
    await page.fake.answer("1 r");
    await page.frame();
    await page.frame();
    expect(page.reports).toEqual([
      { eventId: "storm", sequence: 1, layers: ["mrms-reflectivity", "mrms-mesh"], failed: [], overlays: {} },
    ]);
  });

  test("steps in the next repaint when the frames are on the GPU already", async () => {
    page.stage.setScene(sceneAt(1, { prefetch: [toRef("2 r"), toRef("2 m")] }));
    for (const name of ["1 r", "1 m", "2 r", "2 m"]) await page.fake.answer(name);
    await page.frame();
    await page.frame();
    expect(page.stage.isReady(["2 r", "2 m"])).toBe(true);
    page.stage.setScene(sceneAt(2));
    expect(await page.frame()).toEqual(["2 r", "2 m"]);
    expect(page.reports.at(-1)?.sequence).toBe(2);
  });

  test("keeps the old picture, and its report, while the next one loads", async () => {
    await show(1);
    page.stage.setScene(sceneAt(2));
    await page.fake.answer("2 r");
    await page.frame();
    expect(page.stage.collect().map(({ texture }) => texture)).toEqual(["1 r", "1 m"]);
    expect(page.reports.map((report) => report?.sequence)).toEqual([1]);
  });

  test("skips the revisions that fast stepping passes over", async () => {
    await show(1);
    for (const sequence of [2, 3, 4, 5]) page.stage.setScene(sceneAt(sequence));
    expect([...page.fake.loads.keys()]).toEqual(["5 r", "5 m"]);
    await page.fake.answer("5 r");
    await page.fake.answer("5 m");
    await page.frame();
    await page.frame();
    expect(page.reports.map((report) => report?.sequence)).toEqual([1, 5]);
  });

  test("removes the picture of the previous event at once", async () => {
    await show(1);
    page.stage.setScene(sceneAt(7, { eventId: "other" }));
    expect(await page.frame()).toEqual([]);
    expect(page.reports.at(-1)).toBeUndefined();
    expect(page.reports).toHaveLength(2);
  });

  test("adds a failed frame when a retry succeeds", async () => {
    page.stage.setScene(sceneAt(1));
    await page.fake.answer("1 r");
    await page.fake.fail("1 m", "The connection failed.");
    await page.frame();
    await page.frame();
    expect(page.reports.at(-1)).toMatchObject({
      layers: ["mrms-reflectivity"],
      failed: ["mrms-mesh"],
      overlays: {},
    });
    expect(page.stage.readProbe({ longitudeDeg: -95, latitudeDeg: 35, pixelDeg: 0 })[1]).toMatchObject({
      kind: "failed",
      message: "The connection failed.",
    });
    page.fake.pass(2000);
    await page.fake.answer("1 m");
    await page.frame();
    await page.frame();
    expect(page.reports.at(-1)).toMatchObject({
      layers: ["mrms-reflectivity", "mrms-mesh"],
      failed: [],
      overlays: {},
    });
  });

  test("draws nothing after the GPU lost a picture until all of it is uploaded again", async () => {
    await show(1);
    page.fake.textures.clear();
    page.stage.suspend();
    expect(await page.frame()).toBeUndefined();
    page.fake.slices = 100;
    page.stage.resume();
    expect(await page.frame()).toEqual([]);
    page.fake.slices = 1;
    for (let turn = 0; turn < 30; turn++) await page.frame();
    expect(page.stage.collect().map(({ texture }) => texture)).toEqual(["1 r", "1 m"]);
  });

  test("repaints for opacity, palette and hidden classes, and not for a scene that changes nothing on screen", async () => {
    await show(1);
    page.stage.setScene(sceneAt(1, { prefetch: [toRef("2 r")] }));
    expect(await page.frame()).toBeUndefined();
    const changes: Partial<SceneLayer>[] = [
      { opacity: 0.1 },
      { coloring: { ...coloring, palette: "color-blind" } },
      { coloring: { ...coloring, theme: "light" } },
      { coloring: { ...coloring, showFrom: 12.7 } },
    ];
    for (const change of changes) {
      page.stage.setScene(
        sceneAt(1, { layers: sceneAt(1).layers.map((layer) => ({ ...layer, ...change })) }),
      );
      expect(await page.frame()).toHaveLength(2);
    }
  });

  test("probes the picture on screen, not the wanted one", async () => {
    const point = { longitudeDeg: -95, latitudeDeg: 35, pixelDeg: 0 };
    page.stage.setScene(sceneAt(1));
    expect(page.stage.readProbe(point).map(({ kind }) => kind)).toEqual(["loading", "loading"]);
    await show(1);
    page.stage.setScene(sceneAt(2));
    expect(page.stage.readProbe(point).map(({ frame }) => frame?.imageUrl)).toEqual(["1 r", "1 m"]);
    const layers = sceneAt(1).layers.map((layer) => ({ ...layer, frame: undefined }));
    page.stage.setScene(sceneAt(3, { layers }));
    expect(page.stage.readProbe(point).map(({ kind }) => kind)).toEqual(["not-delivered", "not-delivered"]);
  });

  test("never draws layers of two revisions together, nor of another event, whatever happens", async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({
          kind: fc.constant("scene" as const),
          event: fc.constantFrom("storm", "other"),
          sequence: fc.integer({ min: 1, max: 4 }),
          visible: fc.tuple(fc.boolean(), fc.boolean()),
        }),
        fc.record({ kind: fc.constantFrom("answer" as const, "fail" as const), which: fc.nat(3) }),
        fc.record({ kind: fc.constantFrom("frame" as const, "lose" as const, "wait" as const) }),
      ),
      { minLength: 5, maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        // Room for little more than the picture on screen.
        const tight = new FakePage({ memoryBytes: 12_000, gpuBytes: 5000 });
        let event: string | undefined;
        for (const step of list) {
          if (step.kind === "scene") {
            event = step.event;
            const name = `${step.event} ${step.sequence}`;
            tight.stage.setScene({
              ...sceneAt(step.sequence),
              eventId: step.event,
              layers: sceneAt(1).layers.map((layer, index) => ({
                ...layer,
                frame: toRef(`${name} ${layer.id}`),
                visible: step.visible[index]!,
              })),
            });
          } else if (step.kind === "answer" || step.kind === "fail") {
            const name = [...tight.fake.loads.keys()][step.which];
            if (name !== undefined)
              await (step.kind === "answer" ? tight.fake.answer(name) : tight.fake.fail(name));
          } else if (step.kind === "lose") {
            tight.fake.textures.clear();
            tight.stage.suspend();
            tight.stage.resume();
          } else if (step.kind === "wait") {
            tight.fake.pass(5000);
          }
          const drawn = (await tight.frame()) ?? [];
          const revisions = new Set(drawn.map((name) => name.split(" ").slice(0, 2).join(" ")));
          expect(revisions.size).toBeLessThanOrEqual(1);
          for (const revision of revisions) expect(revision.split(" ")[0]).toBe(event);
        }
        tight.stage.close();
        expect(tight.fake.textures.size).toBe(0);
      }),
      { seed: 7, numRuns: 150 },
    );
  });
});
