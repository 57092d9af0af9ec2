// Stored sources and explained gaps: at most notes, never faults.
import { mkdirSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { dataDirectory, sourceLocations } from "../files/data-directory.ts";
import { createFrameStore } from "../files/file-frame-store.ts";
import { layerOf, openTestCatalog } from "../support/drafts.ts";
import { keepSource } from "../support/kept-source.ts";
import { pictureOf } from "../support/pictures.ts";
import { verifyDirectory } from "./verify-directory.ts";

interface Place {
  readonly directory: string;
  readonly frameId: string;
  readonly keep: (text: string) => Promise<string>;
  readonly publish: (seconds: number, sourceSha256?: string) => Promise<void>;
}

async function openPlace(): Promise<Place> {
  const { catalog, directory } = await openTestCatalog();
  const frameId = await createFrameStore({ directory }).put(pictureOf(1));
  return {
    directory,
    frameId,
    keep: (text) => keepSource(directory, text),
    publish: async (seconds, sourceSha256) => {
      const layers = [{ ...layerOf({ seconds }), frameId, sourceSha256 }];
      await catalog.publish({ event: { id: "storm" }, layers, assetIds: [] });
    },
  };
}

test("a stored source that a revision was made from is counted and has no finding", async () => {
  const { directory, keep, publish } = await openPlace();
  await publish(0, await keep("a"));
  // Most layers have no stored source: they were ingested from local files.
  await publish(120);
  expect(await verifyDirectory(directory)).toMatchObject({ findings: [], counts: { sources: 1 } });
});

test("sources without a revision, damaged ones and other files are notes", async () => {
  const { directory, keep, publish } = await openPlace();
  const { sourcesFolder } = dataDirectory(directory);
  const [orphan, damaged] = [await keep("orphan"), await keep("damaged")];
  await publish(0, damaged);
  writeFileSync(sourceLocations(sourcesFolder, damaged).plain, "changed");
  mkdirSync(`${sourcesFolder}/other`);
  writeFileSync(`${sourcesFolder}/${orphan.slice(0, 2)}/notes.txt`, "");
  const { findings } = await verifyDirectory(directory);
  expect(new Set(findings.map(({ severity }) => severity))).toEqual(new Set(["note"]));
  expect(new Map(findings.map(({ where, what }) => [where, what]))).toEqual(
    new Map([
      [`sources/${orphan.slice(0, 2)}/${orphan}.grib2`, "No revision was made from it."],
      [
        `sources/${damaged.slice(0, 2)}/${damaged}.grib2`,
        "Its bytes do not match its name, so it cannot restore a frame.",
      ],
      ["sources/other", "It is not a folder of source files."],
      [`sources/${orphan.slice(0, 2)}/notes.txt`, "It is not a source file: its name is not a hash."],
    ]),
  );
});

test("a condemned frame that still exists is a note", async () => {
  const { directory, frameId } = await openPlace();
  const database = new DatabaseSync(dataDirectory(directory).catalogFile);
  database.prepare("INSERT INTO condemned_files VALUES ('frame', ?)").run(frameId);
  database.close();
  const { findings } = await verifyDirectory(directory);
  expect(findings).toMatchObject([{ severity: "note", what: "Retention will remove it." }]);
});

test("a gap in a benchmark's sequences is a fault unless exactly these were withdrawn", async () => {
  const { directory, publish } = await openPlace();
  for (const seconds of [0, 120, 240]) await publish(seconds);
  const database = new DatabaseSync(dataDirectory(directory).catalogFile);
  const faults = async (): Promise<string[]> =>
    (await verifyDirectory(directory)).findings.map(({ what }) => what);
  database.exec(`PRAGMA foreign_keys = ON; DELETE FROM revisions WHERE sequence IN (1, 3);
    UPDATE events SET current_revision_id = (SELECT revision_id FROM revisions)`);
  expect(await faults()).toContainEqual(expect.stringContaining("its counter is at 3"));
  const withdraw = database.prepare("INSERT INTO withdrawn_revisions VALUES ('storm', ?, 'R', 0, 'lost')");
  withdraw.run(3);
  expect(await faults()).toEqual(["1 of its 3 sequences are missing; a benchmark event must have them all."]);
  withdraw.run(1);
  expect(await faults()).toEqual([]);
  database.close();
});
