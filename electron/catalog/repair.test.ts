// Repair: after each fault that verification knows, the directory is sound again, nothing that can be made good is
// withdrawn, and what cannot be known is told and stays as it is.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFrameStore } from "./file-frame-store.ts";
import { initial } from "./migrations/0001-initial.ts";
import { openCatalog } from "./open-catalog.ts";
import { repairDirectory, type RepairFinding, type RepairOptions, type RepairReport } from "./repair.ts";
import { holdRetentionOff } from "./retention-lock.ts";
import { layerOf, startMs, temporaryDirectory } from "./support/drafts.ts";
import {
  changeCatalog,
  createSampleDirectory,
  frameFileOf,
  pictureOf,
  redrawSample,
  writeKeptSource,
  type SampleDirectory,
} from "./support/sample-directory.ts";
import { verifyDirectory } from "./verify.ts";

const nowMs = startMs + 86_400_000;

let sample: SampleDirectory;

beforeAll(async () => {
  sample = await createSampleDirectory();
});
afterAll(async () => {
  await rm(sample.directory, { recursive: true, force: true });
  await rm(sample.localFolder, { recursive: true, force: true });
});

async function makeDirectory(): Promise<string> {
  const directory = await temporaryDirectory();
  cpSync(sample.directory, directory, { recursive: true });
  return directory;
}

interface Repair extends RepairReport {
  readonly findings: readonly RepairFinding[];
}

async function repair(directory: string, options: Partial<RepairOptions> = {}): Promise<Repair> {
  const findings: RepairFinding[] = [];
  const report = await repairDirectory(directory, {
    redraw: redrawSample,
    now: () => new Date(nowMs),
    onFinding: (finding) => findings.push(finding),
    ...options,
  });
  return { ...report, findings };
}

const withoutSources = {
  redraw: () => Promise.reject(new Error("Nothing may be drawn.")),
};

/** The published content of a catalog: all rows that clients see something of. */
function publishedIn(directory: string): unknown {
  const database = new DatabaseSync(join(directory, "catalog.sqlite"));
  const rows = [
    "SELECT * FROM revisions ORDER BY event_id, sequence",
    "SELECT * FROM revision_layers ORDER BY event_id, sequence, product_id",
    `SELECT id, kind, label, origin, status, started_at, ended_at, west, south, east, north, current_revision_id,
       last_sequence, last_published_at FROM events ORDER BY id`,
  ].map((sql) => database.prepare(sql).all());
  database.close();
  return rows;
}

async function sequencesOf(directory: string, eventId: string): Promise<number[]> {
  const catalog = await openCatalog({ directory, now: () => new Date(nowMs) });
  const revisions = await catalog.listRevisions(eventId, 360);
  await catalog.close();
  return revisions.map(({ sequence }) => sequence);
}

async function expectSound(directory: string): Promise<void> {
  expect((await verifyDirectory(directory)).findings).toEqual([]);
}

describe("a sound directory", () => {
  test("stays as it is", async () => {
    const directory = await makeDirectory();
    const before = publishedIn(directory);
    expect(await repair(directory, withoutSources)).toMatchObject({
      findings: [],
      faults: 0,
      repaired: 0,
      withdrawn: 0,
      counts: { events: 2, revisions: 5, frames: 4 },
    });
    expect(publishedIn(directory)).toEqual(before);
  });
});

describe("what nothing needs", () => {
  test("is removed: orphans, also damaged ones, stale sources and staged files; other files stay and are told", async () => {
    const directory = await makeDirectory();
    const store = createFrameStore({ directory });
    const orphan = await store.put(pictureOf(77));
    const damaged = await store.put(pictureOf(78));
    writeFileSync(frameFileOf(directory, damaged), "damaged");
    const folder = await store.put(pictureOf(79));
    rmSync(frameFileOf(directory, folder));
    mkdirSync(join(frameFileOf(directory, folder), "inner"), { recursive: true });
    const stale = writeKeptSource(directory, Buffer.from("1000"));
    utimesSync(stale, (nowMs - 7_200_000) / 1000, (nowMs - 7_200_000) / 1000);
    const fresh = writeKeptSource(directory, Buffer.from("1001"));
    utimesSync(fresh, nowMs / 1000, nowMs / 1000);
    writeFileSync(join(directory, "staging", "1-x.png"), "half");
    writeFileSync(join(directory, "frames", "note.txt"), "?");
    const { findings, faults } = await repair(directory, withoutSources);
    expect(faults).toBe(0);
    const removed = findings
      .filter(({ repaired }) => repaired === "It was removed.")
      .map(({ where }) => where);
    expect(removed).toHaveLength(5);
    expect(removed).toContain("staging/1-x.png");
    expect(findings.filter(({ repaired }) => repaired === null).map(({ where }) => where)).toEqual([
      "frames/note.txt",
      relative(directory, fresh),
    ]);
    for (const frameId of [orphan, damaged, folder])
      expect(existsSync(frameFileOf(directory, frameId))).toBe(false);
    expect([existsSync(stale), existsSync(fresh)]).toEqual([false, true]);
    expect(readdirSync(join(directory, "staging"))).toEqual([]);
  });

  test("is left where another process may be about to use it", async () => {
    const directory = await makeDirectory();
    const writer = await openCatalog({ directory, now: () => new Date(nowMs) });
    const staging = join(directory, "staging");
    const nobody = 2 ** 22 + 1;
    for (const name of [`${process.pid}-x.png`, `${nobody}-x.png`])
      writeFileSync(join(staging, name), "half");
    utimesSync(join(staging, `${process.pid}-x.png`), nowMs / 1000, nowMs / 1000);
    expect((await repair(directory)).faults).toBe(0);
    expect(readdirSync(staging)).toEqual([`${process.pid}-x.png`]);
    await writer.close();
  });

  test("and is published while the repair goes on is not taken away", async () => {
    const directory = await makeDirectory();
    const frameId = await createFrameStore({ directory }).put(pictureOf(77));
    const catalog = await openCatalog({ directory, now: () => new Date(nowMs) });
    const damaged = frameFileOf(directory, sample.frames[1]!);
    rmSync(damaged);
    await repair(directory, {
      // Drawing comes before orphans are removed.
      redraw: async (path) => {
        await catalog.publish({ event: { id: "c" }, layers: [{ ...layerOf(), frameId }], assetIds: [] });
        return redrawSample(path);
      },
    });
    await catalog.close();
    expect(existsSync(frameFileOf(directory, frameId))).toBe(true);
    await expectSound(directory);
  });
});

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
      "that was cut short",
      (file) => {
        truncateSync(file, 20);
      },
    ],
    [
      "that a folder stands for",
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
  test.each(damages)("%s is drawn again from its kept source", async (_, damage) => {
    const directory = await makeDirectory();
    const before = publishedIn(directory);
    damage(frameFileOf(directory, sample.frames[1]!));
    const { findings, faults, withdrawn } = await repair(directory);
    expect({ faults, withdrawn }).toEqual({ faults: 0, withdrawn: 0 });
    expect(findings).toEqual([
      expect.objectContaining({
        where: `frames/${sample.frames[1]!.slice(0, 2)}/${sample.frames[1]!}.png`,
        repaired: "It was drawn again from its kept source.",
      }),
    ]);
    expect(publishedIn(directory)).toEqual(before);
    await expectSound(directory);
  });

  test("is drawn again from the local file that it was made of, where no source was kept", async () => {
    const directory = await makeDirectory();
    rmSync(frameFileOf(directory, sample.otherFrames[1]!));
    const { findings } = await repair(directory);
    expect(findings.map(({ repaired }) => repaired)).toEqual([
      "It was drawn again from the file that it was made of.",
    ]);
    await expectSound(directory);
  });

  test("is drawn again for every event that shows it, from the source of any", async () => {
    const directory = await makeDirectory();
    rmSync(join(directory, "sources"), { recursive: true });
    rmSync(frameFileOf(directory, sample.frames[0]!));
    expect(await repair(directory)).toMatchObject({ faults: 0, withdrawn: 0 });
    await expectSound(directory);
  });

  test.each([
    [
      "is gone",
      (path: string) => {
        rmSync(path);
      },
    ],
    [
      "is damaged",
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
  ])("whose source %s takes its revision with it, and nothing else", async (_, damage) => {
    const directory = await makeDirectory();
    damage(sourceOf(directory, 1));
    rmSync(frameFileOf(directory, sample.frames[1]!));
    const { findings, faults, withdrawn } = await repair(directory);
    expect({ faults, withdrawn }).toEqual({ faults: 0, withdrawn: 1 });
    expect(findings).toContainEqual({
      severity: "fault",
      where: "catalog.sqlite, event a, sequence 2",
      what: "Its frame of mrms-mesh is missing or damaged.",
      repaired: "It was withdrawn: its frame cannot be drawn again. Its sequence stays used.",
    });
    expect(await sequencesOf(directory, "a")).toEqual([1, 3]);
    expect(await sequencesOf(directory, "b")).toEqual([1, 2]);
    expect(
      (await verifyDirectory(directory)).findings.filter(({ severity }) => severity === "fault"),
    ).toEqual([]);
  });

  test("that would be drawn otherwise today is not made again", async () => {
    const directory = await makeDirectory();
    rmSync(frameFileOf(directory, sample.frames[1]!));
    const { withdrawn } = await repair(directory, {
      redraw: async (path) => ({ ...(await redrawSample(path)), png: pictureOf(99) }),
    });
    expect(withdrawn).toBe(1);
    expect(await sequencesOf(directory, "a")).toEqual([1, 3]);
  });

  test("that is withdrawn from the end moves the current revision back, and its sequence is not used again", async () => {
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

  test("of every revision of an event leaves an event without data", async () => {
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

/** The kept source of a shade. */
function sourceOf(directory: string, shade: number): string {
  return writeKeptSource(directory, Buffer.from(String(shade)));
}

describe("a revision", () => {
  test.each([
    ["manifest = x'00'", "Its manifest was composed again, byte for byte."],
    ["manifest = CAST('{}' AS BLOB)", "Its manifest was composed again, byte for byte."],
    [
      "manifest = CAST(replace(CAST(manifest AS TEXT), 'mm', 'cm') AS BLOB)",
      "Its manifest was composed again, byte for byte.",
    ],
    ["manifest_sha256 = 'x'", "The hash of its manifest was recorded again: manifest and rows agree."],
    [
      "manifest_sha256 = replace(manifest_sha256, 'a', 'b')",
      "The hash of its manifest was recorded again: manifest and rows agree.",
    ],
    ["published_at = published_at - 1", "Its rows were written again from its manifest."],
    ["observed_at = observed_at + 1", "Its rows were written again from its manifest."],
    ["observation_window = 1", "Its rows were written again from its manifest."],
    ["west = -179", "Its rows were written again from its manifest."],
    ["revision_id = 'a b'", "Its rows were written again from its manifest."],
    ["observed_at = 9007199254740991", "Its rows were written again from its manifest."],
    ["published_at = 9223372036854775807", "Its rows were written again from its manifest."],
  ])("with %s is as it was", async (setting, expected) => {
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
  ])("left by %s is as it was", async (sql) => {
    const directory = await makeDirectory();
    const before = publishedIn(directory);
    changeCatalog(directory, sql);
    expect(await repair(directory, withoutSources)).toMatchObject({ faults: 0, withdrawn: 0 });
    expect(publishedIn(directory)).toEqual(before);
    await expectSound(directory);
  });

  test("whose layers are gone gets them back from its manifest", async () => {
    const directory = await makeDirectory();
    changeCatalog(directory, "DELETE FROM revision_layers WHERE event_id = 'a' AND sequence = 2");
    expect(await repair(directory, withoutSources)).toMatchObject({ faults: 0, withdrawn: 0 });
    expect(await sequencesOf(directory, "a")).toEqual([1, 2, 3]);
    const { findings } = await verifyDirectory(directory);
    // What it was made of is not known any more.
    expect(findings.filter(({ severity }) => severity === "fault")).toEqual([]);
  });

  test.each([
    "manifest = x'00', published_at = published_at - 1",
    "manifest = x'00', manifest_sha256 = 'x'",
    "manifest = CAST('{}' AS BLOB), published_at = 9223372036854775807",
  ])("with %s is withdrawn, and its frame goes with it", async (setting) => {
    const directory = await makeDirectory();
    changeCatalog(directory, `UPDATE revisions SET ${setting} WHERE event_id = 'a' AND sequence = 2`);
    const { findings, faults, withdrawn } = await repair(directory, withoutSources);
    expect({ faults, withdrawn }).toEqual({ faults: 0, withdrawn: 1 });
    expect(findings).toContainEqual(
      expect.objectContaining({
        where: "catalog.sqlite, event a, sequence 2",
        repaired: "It was withdrawn: its manifest cannot be made good. Its sequence stays used.",
      }),
    );
    expect(await sequencesOf(directory, "a")).toEqual([1, 3]);
    expect(existsSync(frameFileOf(directory, sample.frames[1]!))).toBe(false);
    await expectSound(directory);
  });

  test("that was taken away leaves its sequence used", async () => {
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
        repaired: expect.stringContaining("(sequence 2, 3) is recorded as withdrawn") as string,
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
  ])("with %s is as it was", async (setting) => {
    const directory = await makeDirectory();
    const before = publishedIn(directory);
    changeCatalog(directory, `UPDATE events SET ${setting} WHERE id = 'a'`);
    const { findings, faults } = await repair(directory, withoutSources);
    expect(faults).toBe(0);
    expect(findings).toEqual([
      expect.objectContaining({
        where: "catalog.sqlite, event a",
        repaired: "Its row was made again from its revisions.",
      }),
    ]);
    expect(publishedIn(directory)).toEqual(before);
    await expectSound(directory);
  });

  test("whose counter is ahead of its revisions keeps it, for the sequences may have been seen", async () => {
    const directory = await makeDirectory();
    changeCatalog(directory, "UPDATE events SET last_sequence = 5 WHERE id = 'a'");
    expect((await repair(directory, withoutSources)).faults).toBe(0);
    const catalog = await openCatalog({ directory, now: () => new Date(nowMs) });
    expect(await catalog.findEvent("a")).toMatchObject({ latestSequence: 5 });
    await catalog.close();
    await expectSound(directory);
  });

  test("whose id cannot be one, or which is gone, is told and not guessed", async () => {
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

describe("a catalog", () => {
  test.each([
    ["without the row that counts changes", "DELETE FROM catalog_state"],
    [
      "with layers of no revision",
      "INSERT INTO revision_layers SELECT 999, product_id, event_id, 999, observed_at, frame_id, west, south, east, north, message_sha256, source_url, source_last_modified, source_sha256 FROM revision_layers LIMIT 1",
    ],
  ])("%s is sound again", async (_, sql) => {
    const directory = await makeDirectory();
    const before = publishedIn(directory);
    changeCatalog(directory, sql);
    const { faults, withdrawn } = await repair(directory, withoutSources);
    expect({ faults, withdrawn }).toEqual({ faults: 0, withdrawn: 0 });
    expect(publishedIn(directory)).toEqual(before);
    await expectSound(directory);
  });

  test("of an older version is brought up to date", async () => {
    const directory = await temporaryDirectory();
    changeCatalog(directory, `${initial.sql}; PRAGMA user_version = 1; PRAGMA application_id = 1164142703`);
    const { findings, faults } = await repair(directory, withoutSources);
    expect(faults).toBe(0);
    expect(findings[0]).toMatchObject({ where: "catalog.sqlite", what: "It had the older version 1." });
    await expectSound(directory);
  });

  test("that is gone, garbage, newer, cut short or without a table is told and left alone", async () => {
    const cases: readonly ((directory: string, catalog: string) => void)[] = [
      (_, catalog) => {
        rmSync(catalog);
      },
      (_, catalog) => {
        writeFileSync(catalog, "garbage ".repeat(2000));
      },
      (directory) => {
        changeCatalog(directory, "PRAGMA user_version = 99");
      },
      (_, catalog) => {
        truncateSync(catalog, 20_000);
      },
      (directory) => {
        changeCatalog(directory, "DROP TABLE revision_layers");
      },
    ];
    for (const damage of cases) {
      const directory = await makeDirectory();
      damage(directory, join(directory, "catalog.sqlite"));
      const { findings, faults, withdrawn } = await repair(directory, withoutSources);
      expect(faults).toBeGreaterThan(0);
      expect(withdrawn).toBe(0);
      expect(findings.filter(({ repaired }) => repaired !== null)).toEqual([]);
      expect(readdirSync(join(directory, "frames"))).toHaveLength(
        readdirSync(join(sample.directory, "frames")).length,
      );
    }
  });

  test(
    "with any page overwritten is repaired or told, and never loses a frame that it showed soundly",
    { timeout: 60_000 },
    async () => {
      const directory = await makeDirectory();
      const catalog = join(directory, "catalog.sqlite");
      const sound = readFileSync(catalog);
      for (let page = 0; page * 4096 < sound.length; page += 1) {
        const damaged = Buffer.from(sound);
        for (let at = page * 4096; at < (page + 1) * 4096; at += 1) damaged[at] = (at * 31 + page) & 0xff;
        for (const suffix of ["-wal", "-shm"]) rmSync(catalog + suffix, { force: true });
        writeFileSync(catalog, damaged);
        const { faults } = await repair(directory, withoutSources);
        if (faults === 0) {
          expect((await verifyDirectory(directory)).counts).toMatchObject({ revisions: 5, frames: 4 });
        }
      }
      for (const suffix of ["-wal", "-shm"]) rmSync(catalog + suffix, { force: true });
      writeFileSync(catalog, sound);
      await expectSound(directory);
    },
  );
});

describe("a repair", () => {
  test("that is interrupted leaves what it did done, and the next one goes on", async () => {
    const directory = await makeDirectory();
    for (const frameId of sample.frames) rmSync(frameFileOf(directory, frameId));
    const stopping = new AbortController();
    let drawn = 0;
    const redraw: RepairOptions["redraw"] = (path) => {
      drawn += 1;
      if (drawn === 2) stopping.abort();
      stopping.signal.throwIfAborted();
      return redrawSample(path);
    };
    await expect(repair(directory, { redraw, signal: stopping.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(await repair(directory)).toMatchObject({ faults: 0, withdrawn: 0 });
    await expectSound(directory);
  });

  test("is seen by a catalog that had read what was damaged", async () => {
    const directory = await makeDirectory();
    changeCatalog(directory, "UPDATE revisions SET manifest = x'00' WHERE event_id = 'a' AND sequence = 2");
    const serving = await openCatalog({ directory, now: () => new Date(nowMs) });
    expect((await serving.listRevisions("a", 360))[1]!.manifest).toEqual(Uint8Array.of(0));
    await repair(directory, withoutSources);
    const again = (await serving.listRevisions("a", 360))[1]!;
    expect(JSON.parse(Buffer.from(again.manifest).toString())).toMatchObject({ eventId: "a", sequence: 2 });
    await serving.close();
  });

  test("gives way to a backup, and takes its turn after it", async () => {
    const directory = await makeDirectory();
    const backup = await holdRetentionOff(join(directory, "retention.lock"));
    let isDone = false;
    const running = repair(directory).then((report) => {
      isDone = true;
      return report;
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(isDone).toBe(false);
    backup.close();
    expect((await running).faults).toBe(0);
  });

  test("of a directory that is not there says so and makes none", async () => {
    const directory = join(await temporaryDirectory(), "missing");
    expect(await repair(directory)).toMatchObject({ faults: 1, repaired: 0 });
    expect(existsSync(directory)).toBe(false);
  });
});
