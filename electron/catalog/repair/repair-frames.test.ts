// Repair of frames: a frame is rendered again if the result is identical; otherwise its revisions are withdrawn.
import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createFrameStore } from "../files/file-frame-store.ts";
import { openCatalog } from "../sqlite/open-catalog.ts";
import { layerOf } from "../support/drafts.ts";
import {
  createRepairTrial,
  expectSound,
  nowMs,
  publishedIn,
  repair,
  sequencesOf,
  sourceOf,
} from "../support/repair-trial.ts";
import { pictureOf } from "../support/pictures.ts";
import { frameFileOf, redrawSample } from "../support/sample-directory.ts";
import { verifyDirectory } from "../verify/verify-directory.ts";

const { makeDirectory, sample, close } = await createRepairTrial();
afterAll(close);

describe("a frame", () => {
  const damages: readonly [string, (file: string) => void][] = [
    ["that is missing", rmSync],
    [
      "that was changed",
      (file) => {
        writeFileSync(file, pictureOf(50));
      },
    ],
    [
      "that was truncated",
      (file) => {
        truncateSync(file, 20);
      },
    ],
    [
      "that was replaced by a folder",
      (file) => {
        rmSync(file);
        mkdirSync(join(file, "inner"), { recursive: true });
      },
    ],
    [
      "whose folder is gone",
      (file) => {
        rmSync(dirname(file), { recursive: true });
      },
    ],
  ];
  test.each(damages)("%s is rendered again from its stored source", async (_, damage) => {
    const directory = await makeDirectory();
    const before = publishedIn(directory);
    damage(frameFileOf(directory, sample.frames[1]!));
    const { findings, faults, withdrawn } = await repair(directory);
    expect({ faults, withdrawn }).toEqual({ faults: 0, withdrawn: 0 });
    expect(findings).toEqual([
      expect.objectContaining({
        where: `frames/${sample.frames[1]!.slice(0, 2)}/${sample.frames[1]!}.png`,
        repaired: "It was restored from its stored source.",
      }),
    ]);
    expect(publishedIn(directory)).toEqual(before);
    await expectSound(directory);
  });

  test("without a stored source is rendered again from its ingested local file", async () => {
    const directory = await makeDirectory();
    rmSync(frameFileOf(directory, sample.otherFrames[1]!));
    const { findings } = await repair(directory);
    expect(findings.map(({ repaired }) => repaired)).toEqual(["It was restored from the ingested file."]);
    await expectSound(directory);
  });

  test("shown by several events is restored for all of them from any one source", async () => {
    const directory = await makeDirectory();
    rmSync(join(directory, "sources"), { recursive: true });
    rmSync(frameFileOf(directory, sample.frames[0]!));
    expect(await repair(directory)).toMatchObject({ faults: 0, withdrawn: 0 });
    await expectSound(directory);
  });

  test.each([
    [
      "that is missing",
      (path: string) => {
        rmSync(path);
      },
    ],
    [
      "that is damaged",
      (path: string) => {
        writeFileSync(path, "no shade");
      },
    ],
    [
      "is another one by now",
      (path: string) => {
        writeFileSync(path, "2");
      },
    ],
  ])("whose source %s is withdrawn with its revision, and nothing else changes", async (_, damage) => {
    const directory = await makeDirectory();
    damage(sourceOf(directory, 1));
    rmSync(frameFileOf(directory, sample.frames[1]!));
    const { findings, faults, withdrawn } = await repair(directory);
    expect({ faults, withdrawn }).toEqual({ faults: 0, withdrawn: 1 });
    expect(findings).toContainEqual({
      severity: "fault",
      where: "catalog.sqlite, event a, sequence 2",
      what: "Its frame of mrms-mesh is missing or damaged.",
      repaired: "It was withdrawn: its frame cannot be restored. Its sequence stays used.",
    });
    expect(await sequencesOf(directory, "a")).toEqual([1, 3]);
    expect(await sequencesOf(directory, "b")).toEqual([1, 2]);
    expect(
      (await verifyDirectory(directory)).findings.filter(({ severity }) => severity === "fault"),
    ).toEqual([]);
  });

  test("is not restored if it would look different today", async () => {
    const directory = await makeDirectory();
    rmSync(frameFileOf(directory, sample.frames[1]!));
    const { withdrawn } = await repair(directory, {
      redraw: async (path) => ({ ...(await redrawSample(path)), png: pictureOf(99) }),
    });
    expect(withdrawn).toBe(1);
    expect(await sequencesOf(directory, "a")).toEqual([1, 3]);
  });

  test("withdrawn from the newest revision moves the current revision back, and its sequence is not reused", async () => {
    const directory = await makeDirectory();
    rmSync(frameFileOf(directory, sample.frames[2]!));
    rmSync(sourceOf(directory, 2));
    await repair(directory);
    const catalog = await openCatalog({ directory, now: () => new Date(nowMs) });
    const event = await catalog.findEvent("a");
    expect(event).toMatchObject({ latestSequence: 3, endedAt: "2024-05-01T20:02:00Z" });
    expect((await catalog.findLatestRevision("a"))?.revisionId).toBe(event?.currentRevisionId);
    const frameId = await createFrameStore({ directory }).put(pictureOf(2));
    const layer = { ...layerOf({ seconds: 240 }), frameId };
    const { revision } = await catalog.publish({ event: { id: "a" }, layers: [layer], assetIds: [] });
    expect(revision?.sequence).toBe(4);
    await catalog.close();
    await expectSound(directory);
  });

  test("withdrawn from all revisions leaves the event without data", async () => {
    const directory = await makeDirectory();
    rmSync(join(directory, "sources"), { recursive: true });
    for (const frameId of new Set([...sample.frames, ...sample.otherFrames]))
      rmSync(frameFileOf(directory, frameId));
    const other = {
      redraw: (path: string) => redrawSample(path).then((drawn) => ({ ...drawn, sha256: "0" })),
    };
    expect(await repair(directory, other)).toMatchObject({ faults: 0, withdrawn: 5 });
    const catalog = await openCatalog({ directory, now: () => new Date(nowMs) });
    expect(await catalog.findEvent("a")).toMatchObject({
      currentRevisionId: null,
      latestSequence: 3,
      bounds: null,
    });
    await catalog.close();
    await expectSound(directory);
  });
});
