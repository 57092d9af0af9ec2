// Directories of older versions: verification without changes, migration when they are opened, and older programs that
// still have them open.
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import type { FileKind } from "../../../platform/sqlite/file-version.ts";
import { dataDirectory, frameLocation } from "../../files/data-directory.ts";
import { openDatabase } from "../catalog-database.ts";
import { createFrameStore } from "../../files/file-frame-store.ts";
import { createStoredFiles } from "../../files/stored-files.ts";
import { composeManifest } from "../../plans/compose-manifest.ts";
import { catalogKind, migrations } from "./catalog-schema.ts";
import { openReadableCatalog } from "../open-catalog.ts";
import {
  draftOf,
  layerOf,
  observedAfter,
  openTestCatalog,
  startMs,
  temporaryDirectory,
} from "../../support/drafts.ts";
import { pictureOf } from "../../support/pictures.ts";
import { verifyDirectory } from "../../verify/verify-directory.ts";

interface OldDirectory {
  readonly directory: string;
  readonly catalogFile: string;
}

/** Creates a directory of the first version, with one event, one revision and one asset. */
async function makeOldDirectory(): Promise<OldDirectory> {
  const directory = await temporaryDirectory();
  const { catalogFile, stagingFolder } = dataDirectory(directory);
  await mkdir(stagingFolder);
  const frameId = await createFrameStore({ directory }).put(pictureOf(1));
  const layer = { ...layerOf(), frameId };
  const { bytes, sha256 } = composeManifest({
    eventId: "old",
    origin: "observed",
    revisionId: "R1",
    sequence: 1,
    publishedAt: observedAfter(60),
    layers: [layer],
  });
  const database = await openDatabase(catalogFile, "write", {
    ...catalogKind,
    migrations: migrations.slice(0, 1),
  });
  const bounds = layer.bounds.join(", ");
  database.exec(`INSERT INTO events VALUES ('old', 'historical-event', 'Old', 'observed', 'complete', ${startMs},
    ${startMs}, ${bounds}, 'R1', 1, ${startMs + 60_000}, ${startMs + 60_000})`);
  database
    .prepare(`INSERT INTO revisions VALUES (1, 'old', 1, 'R1', ?, ?, ?, ${bounds}, ?, ?)`)
    .run(startMs, Math.floor(startMs / 120_000), startMs + 60_000, bytes, sha256);
  database
    .prepare(`INSERT INTO revision_layers VALUES (1, 'mrms-mesh', 'old', 1, ?, ?, ${bounds}, ?, ?, NULL)`)
    .run(startMs, frameId, layer.messageSha256, layer.sourceUrl);
  database.exec(`INSERT INTO assets VALUES (1, 'old', '/there/a.grib2', 'mrms-mesh', ${startMs}, 9, NULL, NULL, 1,
    'complete', ${startMs}, NULL)`);
  database.close();
  return { directory, catalogFile };
}

function versionOf(catalogFile: string): unknown {
  const database = new DatabaseSync(catalogFile, { readOnly: true });
  try {
    return database.prepare("PRAGMA user_version").get()?.user_version;
  } finally {
    database.close();
  }
}

describe("a directory of the first version", () => {
  test("is verified in its migrated form and stays unchanged", async () => {
    const { directory, catalogFile } = await makeOldDirectory();
    const before = readFileSync(catalogFile);
    const temporary = (): string[] =>
      readdirSync(tmpdir()).filter((name) => name.startsWith("echotop-catalog-"));
    const leftovers = temporary();
    const { findings, counts } = await verifyDirectory(directory);
    expect(findings).toEqual([
      {
        severity: "note",
        where: "catalog.sqlite",
        what: expect.stringContaining("older version 1") as string,
      },
    ]);
    expect(counts).toEqual({ events: 1, revisions: 1, frames: 1, sources: 0 });
    expect(readFileSync(catalogFile)).toEqual(before);
    expect(temporary().filter((name) => !leftovers.includes(name))).toEqual([]);
  });

  test("is verified, and damage in it is found", async () => {
    const { directory, catalogFile } = await makeOldDirectory();
    const database = new DatabaseSync(catalogFile);
    database.exec("UPDATE events SET last_sequence = 7");
    database.close();
    const { findings } = await verifyDirectory(directory);
    expect(findings.filter(({ severity }) => severity === "fault").map(({ what }) => what)).toEqual([
      "Its newest sequence is 1, but its counter is at 7.",
    ]);
  });

  test.each(["write", "read"] as const)("is migrated when it is opened to %s", async (mode) => {
    const { directory, catalogFile } = await makeOldDirectory();
    const catalog =
      mode === "write"
        ? (await openTestCatalog(directory)).catalog
        : await openReadableCatalog({ directory });
    expect(await catalog.findEvent("old")).toMatchObject({
      label: "Old",
      latestSequence: 1,
      isRegistered: false,
      mirrorOf: undefined,
      replayOf: undefined,
    });
    expect(await catalog.listLayers("old", "R1")).toMatchObject([{ sourceSha256: undefined }]);
    expect(await catalog.listAssets("old")).toMatchObject([{ locator: "/there/a.grib2", etag: undefined }]);
    expect(await catalog.listFeedLog({ limit: 9 })).toEqual([]);
    await catalog.close();
    expect(versionOf(catalogFile)).toBe(migrations.length);
    expect((await verifyDirectory(directory)).findings).toEqual([]);
  });

  test("continues with its next sequence after the migration", async () => {
    const { directory } = await makeOldDirectory();
    const { catalog } = await openTestCatalog(directory);
    expect((await catalog.publish(draftOf("old", { seconds: 120 }))).revision?.sequence).toBe(2);
  });

  test("stays unchanged and usable if its migration is interrupted at any step", async () => {
    const { directory } = await makeOldDirectory();
    const copies = await temporaryDirectory();
    const statements = migrations[1]!.sql.split(";").filter((statement) => /\w/.test(statement));
    for (let done = 0; done <= statements.length; done += 4) {
      const [running, killed] = [join(copies, `${done}-running`), join(copies, `${done}-killed`)];
      cpSync(directory, running, { recursive: true });
      const database = new DatabaseSync(dataDirectory(running).catalogFile);
      database.exec("BEGIN IMMEDIATE");
      database.exec(statements.slice(0, done).join(";"));
      // Simulates a killed process, which does not roll back.
      cpSync(running, killed, { recursive: true });
      database.close();
      expect(versionOf(dataDirectory(killed).catalogFile)).toBe(1);
      const { catalog } = await openTestCatalog(killed);
      expect((await catalog.findEvent("old"))?.latestSequence).toBe(1);
      await catalog.close();
      expect((await verifyDirectory(killed)).findings).toEqual([]);
    }
  });
});

describe("an older Echotop on the same directory", () => {
  const before: FileKind = { ...catalogKind, migrations: migrations.slice(0, 2) };

  test("is refused", async () => {
    const { directory } = await openTestCatalog();
    const { catalogFile } = dataDirectory(directory);
    await expect(openDatabase(catalogFile, "write", before)).rejects.toMatchObject({
      code: "conflict",
      detail: expect.stringContaining("written by a newer Echotop") as string,
    });
  });

  test("that was there first removes no frame which is being published", async () => {
    const directory = await temporaryDirectory();
    const { catalogFile, framesFolder } = dataDirectory(directory);
    const older = await openDatabase(catalogFile, "write", before);
    onTestFinished(() => {
      older.close();
    });
    const frameId = await createFrameStore({ directory }).put(pictureOf(1));
    older.prepare("INSERT INTO condemned_files VALUES ('frame', ?)").run(frameId);
    const { catalog } = await openTestCatalog(directory, (root) => {
      const files = createStoredFiles(dataDirectory(root));
      return {
        ...files,
        hasFrame: async (id) => {
          const isStored = await files.hasFrame(id);
          if (!isStored) return false;
          older.exec("BEGIN IMMEDIATE");
          rmSync(frameLocation(framesFolder, id).file);
          older.exec("DELETE FROM condemned_files; COMMIT");
          return true;
        },
      };
    });
    const draft = { ...draftOf("new"), layers: [{ ...layerOf(), frameId }] };
    await expect(catalog.publish(draft)).rejects.toMatchObject({ code: "frame-missing" });
    expect(await catalog.listEvents(9)).toEqual([]);
  });
});
