// Retention with real frame files: what it removes and preserves, and that each manifest always has its frames.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { Catalog, PublishOutcome } from "../../catalog.ts";
import { dataDirectory, frameLocation, sourceLocations } from "../../files/data-directory.ts";
import { createFrameStore } from "../../files/file-frame-store.ts";
import { createSourceStore } from "../../files/file-source-store.ts";
import { publishAgainWhileFramesVanish } from "../../stores/frame-vanished.ts";
import { holdRetentionOff } from "../../files/directory-locks.ts";
import { createStoredFiles, type StoredFiles } from "../../files/stored-files.ts";
import { assetOf, layerOf, observedAfter, openTestCatalog, startMs } from "../../support/drafts.ts";
import { keepSource } from "../../support/kept-source.ts";
import { pictureOf } from "../../support/sample-directory.ts";
import { verifyDirectory } from "../../verify/verify-directory.ts";

const minuteMs = 60_000;
const realFiles = (directory: string): StoredFiles => createStoredFiles(dataDirectory(directory));

interface Station {
  readonly catalog: Catalog;
  readonly directory: string;
  /** Publishes the window of this minute with a picture of this shade. */
  readonly publish: (
    event: string,
    minutes: number,
    shade: number,
    kind?: "historical-event",
  ) => Promise<PublishOutcome>;
  /** Returns the findings of a verification. */
  readonly faults: () => Promise<readonly string[]>;
}

async function openStation(directoryOf?: string, filesOf = realFiles): Promise<Station> {
  const { catalog, directory, clock } = await openTestCatalog(directoryOf, filesOf);
  clock.nowMs = startMs + 48 * 60 * minuteMs;
  const store = createFrameStore({ directory });
  return {
    catalog,
    directory,
    publish: async (id, minutes, shade, kind) => {
      const frameId = await store.put(pictureOf(shade));
      const facts = { seconds: minutes * 60, message: `${minutes} ${shade}` };
      return catalog.publish({
        event: { id, kind: kind ?? "operational-feed" },
        layers: [{ ...layerOf(facts), frameId }],
        assetIds: [],
      });
    },
    faults: async () => {
      const { findings } = await verifyDirectory(directory);
      return findings.filter(({ severity }) => severity === "fault").map(({ what }) => what);
    },
  };
}

/** Returns the frames on disk. */
function storedFrames(directory: string): string[] {
  const { framesFolder } = dataDirectory(directory);
  return readdirSync(framesFolder).flatMap((prefix) =>
    readdirSync(join(framesFolder, prefix)).map((name) => name.replace(".png", "")),
  );
}

async function sequencesOf(catalog: Catalog, event: string): Promise<number[]> {
  return (await catalog.listRevisions(event, 360)).map(({ sequence }) => sequence);
}

describe("retention", () => {
  test("removes revisions older than the limit before the newest observation, with their frames", async () => {
    const { catalog, directory, publish, faults } = await openStation();
    for (const [index, minutes] of [0, 10, 20, 30].entries()) await publish("live", minutes, index);
    expect(await catalog.prune("live", 10 * minuteMs)).toEqual({ revisions: 2, frames: 2, sources: 0 });
    expect(await sequencesOf(catalog, "live")).toEqual([3, 4]);
    expect(storedFrames(directory)).toHaveLength(2);
    expect(await catalog.findEvent("live")).toMatchObject({
      latestSequence: 4,
      endedAt: observedAfter(1800),
    });
    expect(await faults()).toEqual([]);
    expect(await catalog.prune("live", 10 * minuteMs)).toEqual({ revisions: 0, frames: 0, sources: 0 });
  });

  test("shrinks the event's window and bounds to the remaining revisions", async () => {
    const { catalog, directory, faults } = await openStation();
    const store = createFrameStore({ directory });
    const pictures = [
      { minutes: 0, bounds: [-120, 25, -110, 30] },
      { minutes: 20, bounds: [-100, 30, -95, 35] },
      { minutes: 30, bounds: [-96, 32, -90, 40] },
    ] as const;
    for (const { minutes, bounds } of pictures) {
      const frameId = await store.put(pictureOf(minutes));
      const layer = layerOf({ seconds: minutes * 60, bounds: [...bounds], message: String(minutes) });
      await catalog.publish({
        event: { id: "live", kind: "operational-feed" },
        layers: [{ ...layer, frameId }],
        assetIds: [],
      });
    }
    await catalog.prune("live", 10 * minuteMs);
    expect(await catalog.findEvent("live")).toMatchObject({
      startedAt: observedAfter(1200),
      endedAt: observedAfter(1800),
      bounds: [-100, 30, -90, 40],
    });
    expect(await faults()).toEqual([]);
  });

  test("never reuses a sequence, and notifies readers on other connections", async () => {
    const { catalog, directory, publish } = await openStation();
    const other = await openTestCatalog(directory);
    await publish("live", 0, 0);
    const [first] = await other.catalog.listRevisions("live", 9);
    await publish("live", 60, 1);
    await catalog.prune("live", minuteMs);
    expect(await sequencesOf(other.catalog, "live")).toEqual([2]);
    expect(await other.catalog.findRevision("live", first!.revisionId)).toBeUndefined();
    const [layer] = await other.catalog.listLayers("live", first!.revisionId);
    expect(layer).toBeUndefined();
    expect((await publish("live", 62, 2)).revision?.sequence).toBe(3);
  });

  test("preserves the current revision regardless of its age", async () => {
    const { catalog, publish, faults } = await openStation();
    await publish("live", 600, 1);
    await publish("live", 0, 2);
    expect((await catalog.prune("live", minuteMs)).revisions).toBe(0);
    expect(await sequencesOf(catalog, "live")).toEqual([1, 2]);
    await publish("live", 602, 3);
    expect((await catalog.prune("live", 10 * minuteMs)).revisions).toBe(1);
    expect(await sequencesOf(catalog, "live")).toEqual([1, 3]);
    expect(await faults()).toEqual([]);
  });

  test("ignores benchmarks, archived feeds and unknown events", async () => {
    const { catalog, publish } = await openStation();
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
    const { catalog, directory, publish, faults } = await openStation();
    await publish("live", 0, 7);
    await publish("live", 2, 8);
    await publish("benchmark", 0, 7, "historical-event");
    await publish("live", 600, 8);
    expect(await catalog.prune("live", minuteMs)).toMatchObject({ revisions: 2, frames: 0 });
    expect(storedFrames(directory)).toHaveLength(2);
    expect(await faults()).toEqual([]);
  });

  test("removes more revisions than fit in one transaction", async () => {
    const { catalog, directory } = await openStation(undefined, (root) => ({
      ...realFiles(root),
      hasFrame: () => Promise.resolve(true),
    }));
    const event = { id: "live", kind: "operational-feed" } as const;
    for (let minutes = 0; minutes < 600; minutes += 2) {
      await catalog.publish({ event, layers: [layerOf({ seconds: minutes * 60 })], assetIds: [] });
    }
    expect(await catalog.prune("live", 20 * minuteMs)).toMatchObject({ revisions: 289, frames: 289 });
    expect(storedFrames(directory)).toEqual([]);
  });

  test("removes stored sources with their revisions, and asset rows except for the newest of each product", async () => {
    const { catalog, directory } = await openStation();
    const frames = createFrameStore({ directory });
    const sources = createSourceStore({ directory });
    const kept: string[] = [];
    for (const minutes of [0, 2, 600]) {
      const sha256 = await keepSource(directory, `source ${minutes > 0}`);
      kept.push(sha256);
      const observedAt = observedAfter(minutes * 60);
      const assetIds = await catalog.discoverAssets([assetOf("live", `url ${minutes}`, { observedAt })]);
      const frameId = await frames.put(pictureOf(minutes % 251));
      const layer = { ...layerOf({ seconds: minutes * 60 }), frameId, sourceSha256: sha256 };
      await catalog.publish({ event: { id: "live", kind: "operational-feed" }, layers: [layer], assetIds });
    }
    expect(await catalog.prune("live", minuteMs)).toEqual({ revisions: 2, frames: 2, sources: 1 });
    expect(await sources.has(kept[0]!)).toBe(false);
    // The third revision was made from the second source, too.
    expect(await sources.has(kept[1]!)).toBe(true);
    expect((await catalog.listAssets("live")).map(({ locator }) => locator)).toEqual(["url 600"]);
  });
});

describe("retention during other work", () => {
  test("is blocked by a backup or a repair, and catches up afterwards", async () => {
    const { catalog, directory, publish } = await openStation();
    await publish("live", 0, 0);
    await publish("live", 600, 1);
    const lock = await holdRetentionOff(dataDirectory(directory).retentionLock);
    expect((await catalog.prune("live", 0)).revisions).toBe(0);
    lock.close();
    lock.close();
    expect((await catalog.prune("live", 0)).revisions).toBe(1);
  });

  test("may remove a frame before its publication; the publisher then stores it again", async () => {
    const { catalog, directory, publish } = await openStation();
    const { framesFolder } = dataDirectory(directory);
    const store = createFrameStore({ directory });
    let attempts = 0;
    const { revision } = await publishAgainWhileFramesVanish(async () => {
      const frameId = await store.put(pictureOf(9));
      attempts += 1;
      if (attempts < 3) rmSync(frameLocation(framesFolder, frameId).file);
      return catalog.publish({ event: { id: "live" }, layers: [{ ...layerOf(), frameId }], assetIds: [] });
    });
    expect([revision?.sequence, attempts]).toEqual([1, 3]);
    await expect(
      publishAgainWhileFramesVanish(() =>
        catalog.publish({ event: { id: "live" }, layers: [layerOf({ seconds: 120 })], assetIds: [] }),
      ),
    ).rejects.toMatchObject({ code: "frame-missing" });
    expect((await publish("live", 4, 1, "historical-event")).revision?.sequence).toBe(2);
  });

  test("never leaves a manifest without its frame while two writers publish the same pictures", async () => {
    const { catalog, directory, faults } = await openStation();
    const store = createFrameStore({ directory });
    const others = [await openStation(directory), await openStation(directory)];
    let published = 0;
    const publishing = others.map(async (other, feed) => {
      for (let step = 0; step < 60; step += 1) {
        await publishAgainWhileFramesVanish(async () => {
          const frameId = await store.put(pictureOf(2 * feed + (step % 2)));
          const layer = { ...layerOf({ seconds: step * 120, message: `${feed} ${step}` }), frameId };
          const event = { id: `feed-${feed}`, kind: "operational-feed" } as const;
          return other.catalog.publish({ event, layers: [layer], assetIds: [] });
        });
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
    expect(await faults()).toEqual([]);
    for (const event of ["feed-0", "feed-1"]) {
      await catalog.prune(event, 0);
      expect(await sequencesOf(catalog, event)).toEqual([60]);
    }
    expect(storedFrames(directory).length).toBeLessThanOrEqual(2);
    expect(await faults()).toEqual([]);
  });

  test("removes files that a crash left between its transactions, unless a new revision shows them", async () => {
    const directory = (await openTestCatalog()).directory;
    const crashing = await openStation(directory, (root) => ({
      ...realFiles(root),
      remove: () => {
        throw new Error("killed");
      },
    }));
    await crashing.publish("live", 0, 1);
    await crashing.publish("live", 2, 2);
    await crashing.publish("live", 600, 3);
    await expect(crashing.catalog.prune("live", 0)).rejects.toThrow("killed");
    const { catalog, publish, faults } = await openStation(directory);
    expect(storedFrames(directory)).toHaveLength(3);
    expect(await faults()).toEqual([]);
    await publish("live", 602, 2);
    expect(await catalog.prune("live", 10 * minuteMs)).toEqual({ revisions: 0, frames: 1, sources: 0 });
    expect(storedFrames(directory)).toHaveLength(2);
    expect(await faults()).toEqual([]);
  });

  test("reports storage-failed if the disk refuses a removal, and tries again the next time", async () => {
    let refuses = true;
    const { catalog, directory, publish, faults } = await openStation(undefined, (root) => {
      const files = realFiles(root);
      return { ...files, remove: (file) => !refuses && files.remove(file) };
    });
    await publish("live", 0, 1);
    await publish("live", 600, 2);
    await expect(catalog.prune("live", 0)).rejects.toMatchObject({ code: "storage-failed" });
    expect(await sequencesOf(catalog, "live")).toEqual([2]);
    expect(await faults()).toEqual([]);
    refuses = false;
    expect(await catalog.prune("live", 0)).toMatchObject({ revisions: 0, frames: 1 });
    expect(storedFrames(directory)).toHaveLength(1);
  });

  test("never removes a file outside the folders because of a damaged row", async () => {
    const { catalog, directory, publish } = await openStation();
    await publish("live", 0, 1);
    const precious = join(directory, "precious.png");
    writeFileSync(precious, "");
    const database = new DatabaseSync(dataDirectory(directory).catalogFile);
    database.exec("INSERT INTO condemned_files VALUES ('frame', '../precious')");
    database.close();
    await catalog.prune("live", 0);
    expect(existsSync(precious)).toBe(true);
  });
});

describe("an unused source", () => {
  test("is discarded, and one that a revision was made from stays", async () => {
    const { catalog, directory } = await openStation();
    const { sourcesFolder } = dataDirectory(directory);
    const [shown, unshown] = ["a".repeat(64), "b".repeat(64)];
    for (const sha256 of [shown, unshown]) {
      const { folder, gzip } = sourceLocations(sourcesFolder, sha256);
      mkdirSync(folder, { recursive: true });
      writeFileSync(gzip, "");
    }
    const frameId = await createFrameStore({ directory }).put(pictureOf(1));
    const layers = [{ ...layerOf(), frameId, sourceSha256: shown }];
    await catalog.publish({ event: { id: "live" }, layers, assetIds: [] });
    expect(await catalog.discardSources([shown, unshown])).toBe(1);
    expect(existsSync(sourceLocations(sourcesFolder, shown).gzip)).toBe(true);
    expect(existsSync(sourceLocations(sourcesFolder, unshown).gzip)).toBe(false);
    expect(await catalog.discardSources([])).toBe(0);
  });
});
