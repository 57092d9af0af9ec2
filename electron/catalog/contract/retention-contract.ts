// Retention: what it removes and preserves, and that each manifest always has its frames.
import { describe, expect, test } from "vitest";
import type { Catalog, PublishOutcome } from "../catalog.ts";
import type { FrameStore } from "../files/frame-store.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { publishAgainWhileFramesVanish } from "../stores/frame-vanished.ts";
import { assetOf, draftOf, layerOf, observedAfter, startMs } from "../support/drafts.ts";
import { pictureOf } from "../support/pictures.ts";
import { openTrial, type CatalogEngine, type Connection, type Trial } from "./catalog-engine.ts";
import { keepBytes } from "./store-contract.ts";

const minuteMs = 60_000;

interface Station extends Trial {
  /** Publishes the window of this minute with a picture of this shade. */
  readonly publish: (
    event: string,
    minutes: number,
    shade: number,
    kind?: "historical-event",
  ) => Promise<PublishOutcome>;
}

async function openStation(engine: CatalogEngine): Promise<Station> {
  const trial = await openTrial(engine);
  await trial.setClock(startMs + 48 * 60 * minuteMs);
  return {
    ...trial,
    publish: async (id, minutes, shade, kind) => {
      const frameId = await trial.frames.put(pictureOf(shade));
      const facts = { seconds: minutes * 60, message: `${minutes} ${shade}` };
      return trial.strictCatalog.publish({
        event: { id, kind: kind ?? "operational-feed" },
        layers: [{ ...layerOf(facts), frameId }],
        assetIds: [],
      });
    },
  };
}

async function sequencesOf(catalog: Catalog, event: string): Promise<number[]> {
  return (await catalog.listRevisions(event, 360)).map(({ sequence }) => sequence);
}

/** Returns the shades, below `below`, whose pictures are stored. */
async function storedShades(frames: FrameStore, below: number): Promise<number[]> {
  const stored: number[] = [];
  for (let shade = 0; shade < below; shade += 1) {
    if (await frames.read(sha256Of(pictureOf(shade)))) stored.push(shade);
  }
  return stored;
}

export function retentionContract(engine: CatalogEngine): void {
  describe("retention", () => {
    test("removes revisions older than the limit before the newest observation, with their frames", async () => {
      const { catalog, frames, publish, findFaults } = await openStation(engine);
      for (const [index, minutes] of [0, 10, 20, 30].entries()) await publish("live", minutes, index);
      expect(await catalog.prune("live", 10 * minuteMs)).toEqual({ revisions: 2, frames: 2, sources: 0 });
      expect(await sequencesOf(catalog, "live")).toEqual([3, 4]);
      expect(await storedShades(frames, 4)).toEqual([2, 3]);
      expect(await catalog.findEvent("live")).toMatchObject({
        latestSequence: 4,
        endedAt: observedAfter(1800),
      });
      expect(await findFaults()).toEqual([]);
      expect(await catalog.prune("live", 10 * minuteMs)).toEqual({ revisions: 0, frames: 0, sources: 0 });
    });

    test("shrinks the event's window and bounds to the remaining revisions", async () => {
      const { catalog, findFaults } = await openStation(engine);
      for (const { minutes, bounds } of [
        { minutes: 0, bounds: [-120, 25, -110, 30] },
        { minutes: 20, bounds: [-100, 30, -95, 35] },
        { minutes: 30, bounds: [-96, 32, -90, 40] },
      ] as const) {
        await catalog.publish({
          ...draftOf("live", { seconds: minutes * 60, bounds: [...bounds], message: String(minutes) }),
          event: { id: "live", kind: "operational-feed" },
        });
      }
      await catalog.prune("live", 10 * minuteMs);
      expect(await catalog.findEvent("live")).toMatchObject({
        startedAt: observedAfter(1200),
        endedAt: observedAfter(1800),
        bounds: [-100, 30, -90, 40],
      });
      expect(await findFaults()).toEqual([]);
    });

    test("never reuses a sequence, and notifies readers on other connections", async () => {
      const { catalog, connect, publish } = await openStation(engine);
      const other = (await connect()).catalog;
      await publish("live", 0, 0);
      const [first] = await other.listRevisions("live", 9);
      await publish("live", 60, 1);
      await catalog.prune("live", minuteMs);
      expect(await sequencesOf(other, "live")).toEqual([2]);
      expect(await other.findRevision("live", first!.revisionId)).toBeUndefined();
      expect(await other.listLayers("live", first!.revisionId)).toEqual([]);
      expect(await other.hasFrame("live", "mrms-mesh", sha256Of(pictureOf(0)))).toBe(false);
      expect((await publish("live", 62, 2)).revision?.sequence).toBe(3);
    });

    test("preserves the current revision regardless of its age", async () => {
      const { catalog, publish, findFaults } = await openStation(engine);
      await publish("live", 600, 1);
      await publish("live", 0, 2);
      expect((await catalog.prune("live", minuteMs)).revisions).toBe(0);
      expect(await sequencesOf(catalog, "live")).toEqual([1, 2]);
      await publish("live", 602, 3);
      expect((await catalog.prune("live", 10 * minuteMs)).revisions).toBe(1);
      expect(await sequencesOf(catalog, "live")).toEqual([1, 3]);
      expect(await findFaults()).toEqual([]);
    });

    test("ignores benchmarks, archived feeds and unknown events", async () => {
      const { catalog, publish } = await openStation(engine);
      for (const minutes of [0, 600]) {
        await publish("benchmark", minutes, minutes, "historical-event");
        await publish("archived", minutes, minutes);
      }
      await catalog.archiveEvent("archived");
      for (const event of ["benchmark", "archived", "nowhere"]) {
        expect(await catalog.prune(event, 0)).toEqual({ revisions: 0, frames: 0, sources: 0 });
      }
      expect(await sequencesOf(catalog, "benchmark")).toEqual([1, 2]);
    });

    test("preserves a frame that another revision or event shows", async () => {
      const { catalog, frames, publish, findFaults } = await openStation(engine);
      await publish("live", 0, 7);
      await publish("live", 2, 8);
      await publish("benchmark", 0, 7, "historical-event");
      await publish("live", 600, 8);
      expect(await catalog.prune("live", minuteMs)).toMatchObject({ revisions: 2, frames: 0 });
      expect(await storedShades(frames, 9)).toEqual([7, 8]);
      expect(await findFaults()).toEqual([]);
    });

    test("removes more revisions than fit in one transaction", async () => {
      const { catalog, frames, publish } = await openStation(engine);
      for (let shade = 0; shade < 130; shade += 1) await publish("live", shade * 2, shade);
      expect(await catalog.prune("live", 20 * minuteMs)).toMatchObject({ revisions: 119, frames: 119 });
      expect(await storedShades(frames, 130)).toEqual(Array.from({ length: 11 }, (_, index) => 119 + index));
    });

    test("removes stored sources with their revisions, and asset rows except for the newest of each product", async () => {
      const trial = await openStation(engine);
      const { strictCatalog: catalog, frames, sources } = trial;
      const kept: string[] = [];
      for (const minutes of [0, 2, 600]) {
        const bytes = Buffer.from(`source ${minutes > 0}`);
        if (minutes < 600) await keepBytes(trial, bytes);
        const sourceSha256 = sha256Of(bytes);
        kept.push(sourceSha256);
        const observedAt = observedAfter(minutes * 60);
        const assetIds = await catalog.discoverAssets([assetOf("live", `url ${minutes}`, { observedAt })]);
        const frameId = await frames.put(pictureOf(minutes % 251));
        const layer = { ...layerOf({ seconds: minutes * 60 }), frameId, sourceSha256 };
        await catalog.publish({ event: { id: "live", kind: "operational-feed" }, layers: [layer], assetIds });
      }
      expect(await catalog.prune("live", minuteMs)).toEqual({ revisions: 2, frames: 2, sources: 1 });
      expect(await sources.has(kept[0]!)).toBe(false);
      // The third revision was made from the second source, too.
      expect(await sources.has(kept[1]!)).toBe(true);
      expect((await catalog.listAssets("live")).map(({ locator }) => locator)).toEqual(["url 600"]);
    });

    test("never leaves a manifest without its frame while two writers publish the same pictures", async () => {
      const { catalog, connect, frames, findFaults } = await openStation(engine);
      const others = [await connect(), await connect()];
      let published = 0;
      const publishing = others.map(async (other, feed) => {
        for (let step = 0; step < 60; step += 1) {
          await publishStep(other, feed, step);
          published += 1;
        }
      });
      const pruning = (async () => {
        while (published < 120) {
          for (const event of ["feed-0", "feed-1"]) await catalog.prune(event, 0);
          await new Promise(setImmediate);
        }
      })();
      await Promise.all([...publishing, pruning]);
      expect(await findFaults()).toEqual([]);
      for (const event of ["feed-0", "feed-1"]) {
        await catalog.prune(event, 0);
        expect(await sequencesOf(catalog, event)).toEqual([60]);
      }
      expect(await storedShades(frames, 4)).toEqual([1, 3]);
      expect(await findFaults()).toEqual([]);
    });
  });
}

/** Publishes a step of a feed whose pictures take turns, and stores the picture again while it vanishes. */
async function publishStep({ strictCatalog, frames }: Connection, feed: number, step: number): Promise<void> {
  await publishAgainWhileFramesVanish(async () => {
    const frameId = await frames.put(pictureOf(2 * feed + (step % 2)));
    const layer = { ...layerOf({ seconds: step * 120, message: `${feed} ${step}` }), frameId };
    const event = { id: `feed-${feed}`, kind: "operational-feed" } as const;
    return strictCatalog.publish({ event, layers: [layer], assetIds: [] });
  });
}
