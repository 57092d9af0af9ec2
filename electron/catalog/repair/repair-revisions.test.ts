// Repair of revisions and events: rows and manifests restore each other byte for byte.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
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
  withoutSources,
} from "../support/repair-trial.ts";
import { pictureOf } from "../support/pictures.ts";
import { changeCatalog, frameFileOf } from "../support/sample-directory.ts";
import { verifyDirectory } from "../verify/verify-directory.ts";

const { makeDirectory, sample, close } = await createRepairTrial();
afterAll(close);

describe("a revision", () => {
  test.each([
    ["manifest = x'00'", "Its manifest was restored, byte for byte."],
    ["manifest = CAST('{}' AS BLOB)", "Its manifest was restored, byte for byte."],
    [
      "manifest = CAST(replace(CAST(manifest AS TEXT), 'mm', 'cm') AS BLOB)",
      "Its manifest was restored, byte for byte.",
    ],
    ["manifest_sha256 = 'x'", "The hash of its manifest was restored: manifest and rows agree."],
    [
      "manifest_sha256 = replace(manifest_sha256, 'a', 'b')",
      "The hash of its manifest was restored: manifest and rows agree.",
    ],
    ["published_at = published_at - 1", "Its rows were restored from its manifest."],
    ["observed_at = observed_at + 1", "Its rows were restored from its manifest."],
    ["observation_window = 1", "Its rows were restored from its manifest."],
    ["west = -179", "Its rows were restored from its manifest."],
    ["revision_id = 'a b'", "Its rows were restored from its manifest."],
    ["observed_at = 9007199254740991", "Its rows were restored from its manifest."],
    ["published_at = 9223372036854775807", "Its rows were restored from its manifest."],
  ])("with %s is restored", async (setting, expected) => {
    const directory = await makeDirectory();
    const before = publishedIn(directory);
    changeCatalog(directory, `UPDATE revisions SET ${setting} WHERE event_id = 'a' AND sequence = 2`);
    const { findings, faults, withdrawn } = await repair(directory, withoutSources);
    expect({ faults, withdrawn }).toEqual({ faults: 0, withdrawn: 0 });
    expect(findings.map(({ repaired }) => repaired)).toContain(expected);
    expect(publishedIn(directory)).toEqual(before);
    await expectSound(directory);
  });

  test.each([
    "UPDATE revision_layers SET source_url = 'x:y' WHERE sequence = 2",
    "UPDATE revision_layers SET product_id = 'mrms-reflectivity' WHERE event_id = 'a'",
    "UPDATE revision_layers SET frame_id = '../x' WHERE sequence = 3",
    "UPDATE revision_layers SET west = 1, observed_at = 5 WHERE sequence = 3",
  ])("damaged by %s is restored", async (sql) => {
    const directory = await makeDirectory();
    const before = publishedIn(directory);
    changeCatalog(directory, sql);
    expect(await repair(directory, withoutSources)).toMatchObject({ faults: 0, withdrawn: 0 });
    expect(publishedIn(directory)).toEqual(before);
    await expectSound(directory);
  });

  test("that lost its layer rows gets them back from its manifest", async () => {
    const directory = await makeDirectory();
    changeCatalog(directory, "DELETE FROM revision_layers WHERE event_id = 'a' AND sequence = 2");
    expect(await repair(directory, withoutSources)).toMatchObject({ faults: 0, withdrawn: 0 });
    expect(await sequencesOf(directory, "a")).toEqual([1, 2, 3]);
    const { findings } = await verifyDirectory(directory);
    // The source of the lost row is unknown.
    expect(findings.filter(({ severity }) => severity === "fault")).toEqual([]);
  });

  test.each([
    "manifest = x'00', published_at = published_at - 1",
    "manifest = x'00', manifest_sha256 = 'x'",
    "manifest = CAST('{}' AS BLOB), published_at = 9223372036854775807",
  ])("with %s is withdrawn together with its frame", async (setting) => {
    const directory = await makeDirectory();
    changeCatalog(directory, `UPDATE revisions SET ${setting} WHERE event_id = 'a' AND sequence = 2`);
    const { findings, faults, withdrawn } = await repair(directory, withoutSources);
    expect({ faults, withdrawn }).toEqual({ faults: 0, withdrawn: 1 });
    expect(findings).toContainEqual(
      expect.objectContaining({
        where: "catalog.sqlite, event a, sequence 2",
        repaired: "It was withdrawn: its manifest cannot be restored. Its sequence stays used.",
      }),
    );
    expect(await sequencesOf(directory, "a")).toEqual([1, 3]);
    expect(existsSync(frameFileOf(directory, sample.frames[1]!))).toBe(false);
    await expectSound(directory);
  });

  test("that was deleted is recorded as withdrawn, so that its sequence stays used", async () => {
    const directory = await makeDirectory();
    rmSync(join(directory, "sources"), { recursive: true });
    changeCatalog(
      directory,
      "DELETE FROM revisions WHERE event_id = 'a' AND sequence >= 2; DELETE FROM revision_layers WHERE event_id = 'a' AND sequence >= 2",
    );
    const { findings, faults } = await repair(directory, withoutSources);
    expect(faults).toBe(0);
    expect(findings).toContainEqual(
      expect.objectContaining({
        where: "catalog.sqlite, event a",
        repaired: expect.stringContaining("(sequence 2, 3) were recorded as withdrawn") as string,
      }),
    );
    const catalog = await openCatalog({ directory, now: () => new Date(nowMs) });
    const frameId = await createFrameStore({ directory }).put(pictureOf(2));
    const layer = { ...layerOf({ seconds: 480 }), frameId };
    const { revision } = await catalog.publish({ event: { id: "a" }, layers: [layer], assetIds: [] });
    expect(revision?.sequence).toBe(4);
    await catalog.close();
    await expectSound(directory);
  });
});

describe("an event", () => {
  test.each([
    "last_sequence = 2",
    "current_revision_id = '20240501T200000Z-1'",
    "current_revision_id = NULL",
    "last_published_at = 0",
    "ended_at = started_at",
    "ended_at = 9007199254740991",
    "east = west",
    "west = -181",
    "west = NULL",
  ])("with %s is restored", async (setting) => {
    const directory = await makeDirectory();
    const before = publishedIn(directory);
    changeCatalog(directory, `UPDATE events SET ${setting} WHERE id = 'a'`);
    const { findings, faults } = await repair(directory, withoutSources);
    expect(faults).toBe(0);
    expect(findings).toEqual([
      expect.objectContaining({
        where: "catalog.sqlite, event a",
        repaired: "Its row was recomputed from its revisions.",
      }),
    ]);
    expect(publishedIn(directory)).toEqual(before);
    await expectSound(directory);
  });

  test("keeps a counter ahead of its revisions, because clients may have seen these sequences", async () => {
    const directory = await makeDirectory();
    changeCatalog(directory, "UPDATE events SET last_sequence = 5 WHERE id = 'a'");
    expect((await repair(directory, withoutSources)).faults).toBe(0);
    const catalog = await openCatalog({ directory, now: () => new Date(nowMs) });
    expect(await catalog.findEvent("a")).toMatchObject({ latestSequence: 5 });
    await catalog.close();
    await expectSound(directory);
  });

  test("that is missing or has an invalid id is reported and never guessed", async () => {
    for (const sql of [
      "UPDATE events SET id = 'Not An Id' WHERE id = 'a'",
      "DELETE FROM events WHERE id = 'b'",
    ]) {
      const directory = await makeDirectory();
      changeCatalog(directory, sql);
      const { findings, faults, withdrawn } = await repair(directory, withoutSources);
      expect(faults).toBeGreaterThan(0);
      expect(withdrawn).toBe(0);
      expect(findings.some(({ repaired }) => repaired === null)).toBe(true);
      expect((await verifyDirectory(directory)).counts).toMatchObject({ revisions: 5, frames: 4 });
    }
  });
});
