// Retention in a data directory: locks, crashes, refusals of the disk and damaged rows.
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { Catalog, PublishOutcome } from "../../catalog.ts";
import { dataDirectory, frameLocation } from "../../files/data-directory.ts";
import { createFrameStore } from "../../files/file-frame-store.ts";
import { publishAgainWhileFramesVanish } from "../../stores/frame-vanished.ts";
import { holdRetentionOff } from "../../files/directory-locks.ts";
import { createStoredFiles, type StoredFiles } from "../../files/stored-files.ts";
import { layerOf, openTestCatalog, startMs } from "../../support/drafts.ts";
import { pictureOf } from "../../support/pictures.ts";
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

  test.each([
    ["removes", realFiles],
    [
      "removes, before it is killed,",
      (root: string): StoredFiles => ({
        ...realFiles(root),
        sync: () => {
          throw new Error("killed");
        },
      }),
    ],
  ])("a publication notices that retention %s a frame after its look", async (_, filesOf) => {
    const { catalog, directory, publish } = await openStation(undefined, filesOf);
    await publish("live", 0, 1);
    await publish("live", 600, 2);
    let looks = 0;
    const other = await openStation(directory, (root) => {
      const files = realFiles(root);
      return {
        ...files,
        hasFrame: async (frameId) => {
          const isStored = await files.hasFrame(frameId);
          looks += 1;
          if (looks === 1) await catalog.prune("live", 0).catch(() => undefined);
          return isStored;
        },
      };
    });
    const publishing = other.publish("benchmark", 0, 1, "historical-event");
    await expect(publishing).rejects.toMatchObject({ code: "frame-missing" });
    expect(looks).toBeGreaterThan(1);
    expect(storedFrames(directory)).toHaveLength(1);

    const { revision } = await other.publish("benchmark", 0, 1, "historical-event");
    expect(revision?.sequence).toBe(1);
    await other.catalog.prune("live", 0);
    expect(storedFrames(directory)).toHaveLength(2);
    expect(await other.faults()).toEqual([]);
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
