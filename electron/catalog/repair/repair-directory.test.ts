// Repair of a whole directory: it passes verification afterwards, and unrecoverable damage is reported and left alone.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { noSteps } from "../../../shared/views/briefing-steps.ts";
import { createFrameStore } from "../files/file-frame-store.ts";
import { initial } from "../sqlite/schema/0001-initial.ts";
import { openCatalog } from "../sqlite/open-catalog.ts";
import type { RepairOptions } from "./repair-directory.ts";
import { holdRetentionOff } from "../files/directory-locks.ts";
import { layerOf, overlayDraftOf, temporaryDirectory } from "../support/drafts.ts";
import {
  createRepairTrial,
  expectSound,
  nowMs,
  publishedIn,
  repair,
  withoutSources,
} from "../support/repair-trial.ts";
import { pictureOf } from "../support/pictures.ts";
import { changeCatalog, frameFileOf, redrawSample, writeKeptSource } from "../support/sample-directory.ts";
import { verifyDirectory } from "../verify/verify-directory.ts";

const { makeDirectory, sample, close } = await createRepairTrial();
afterAll(close);

describe("a directory without faults", () => {
  test("is not changed by a repair", async () => {
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

describe("an unused file", () => {
  test("is removed if it is an orphan, a stale source or staged; other files are only reported", async () => {
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

  test("is not removed if another process may be about to use it", async () => {
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

  test("is not removed if it is published during the repair", async () => {
    const directory = await makeDirectory();
    const frameId = await createFrameStore({ directory }).put(pictureOf(77));
    const catalog = await openCatalog({ directory, now: () => new Date(nowMs) });
    const damaged = frameFileOf(directory, sample.frames[1]!);
    rmSync(damaged);
    await repair(directory, {
      // Rendering comes before the removal of orphans.
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

describe("a catalog", () => {
  test("loses an overlay whose bytes were changed, and only that one", async () => {
    const directory = await makeDirectory();
    const catalog = await openCatalog({ directory, now: () => new Date(nowMs) });
    const [event] = await catalog.listEvents(1);
    for (const name of ["reports", "warnings"]) {
      await catalog.keepOverlay(overlayDraftOf(event!.id, { name, text: name }));
    }
    await catalog.close();
    changeCatalog(directory, "UPDATE kept_overlays SET content = x'00' WHERE name = 'reports'");
    const { findings } = await repair(directory, withoutSources);
    expect(findings).toMatchObject([
      { where: `catalog.sqlite, overlay reports of ${event!.id}`, repaired: "It was removed." },
    ]);
    const repaired = await openCatalog({ directory, now: () => new Date(nowMs) });
    expect((await repaired.listKeptOverlays(event!.id)).map(({ name }) => name)).toEqual(["warnings"]);
    await repaired.close();
    await expectSound(directory);
  });

  test.each([
    ["without the row of the change counters", "DELETE FROM catalog_state"],
    [
      "with layers without a revision",
      "INSERT INTO revision_layers SELECT 999, product_id, event_id, 999, observed_at, frame_id, west, south, east, north, message_sha256, source_url, source_last_modified, source_sha256 FROM revision_layers LIMIT 1",
    ],
    [
      "with steps of an unknown event",
      "PRAGMA foreign_keys = OFF; INSERT INTO briefing_steps VALUES ('gone', 1, 0, '{}')",
    ],
    ["with steps that are no JSON", "INSERT INTO briefing_steps SELECT id, 1, 0, '{' FROM events LIMIT 1"],
    [
      "with steps of another event",
      `INSERT INTO briefing_steps SELECT id, 1, 0, '${JSON.stringify(noSteps("another"))}' FROM events LIMIT 1`,
    ],
    [
      "with an overlay of an unknown event",
      "PRAGMA foreign_keys = OFF; INSERT INTO kept_overlays VALUES ('gone', 'reports', 'a', 0, '{}', x'00')",
    ],
    [
      "with an overlay without facts",
      "INSERT INTO kept_overlays SELECT id, 'reports', 'a', 0, '{', x'00' FROM events LIMIT 1",
    ],
  ])("%s passes verification after the repair", async (_, sql) => {
    const directory = await makeDirectory();
    const before = publishedIn(directory);
    changeCatalog(directory, sql);
    const { faults, withdrawn } = await repair(directory, withoutSources);
    expect({ faults, withdrawn }).toEqual({ faults: 0, withdrawn: 0 });
    expect(publishedIn(directory)).toEqual(before);
    await expectSound(directory);
  });

  test("of an older version is migrated", async () => {
    const directory = await temporaryDirectory();
    changeCatalog(directory, `${initial.sql}; PRAGMA user_version = 1; PRAGMA application_id = 1164142703`);
    const { findings, faults } = await repair(directory, withoutSources);
    expect(faults).toBe(0);
    expect(findings[0]).toMatchObject({ where: "catalog.sqlite", what: "It had the older version 1." });
    await expectSound(directory);
  });

  test("that is missing, garbage, newer, truncated or without a table is reported and left unchanged", async () => {
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
    "with any overwritten page is repaired or reported, and keeps every intact frame that it shows",
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
  test("keeps its finished steps when it is aborted, and the next one continues", async () => {
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

  test("is visible to a catalog that has cached the damaged rows", async () => {
    const directory = await makeDirectory();
    changeCatalog(directory, "UPDATE revisions SET manifest = x'00' WHERE event_id = 'a' AND sequence = 2");
    const serving = await openCatalog({ directory, now: () => new Date(nowMs) });
    expect((await serving.listRevisions("a", 360))[1]!.manifest).toEqual(Uint8Array.of(0));
    await repair(directory, withoutSources);
    const again = (await serving.listRevisions("a", 360))[1]!;
    expect(JSON.parse(Buffer.from(again.manifest).toString())).toMatchObject({ eventId: "a", sequence: 2 });
    await serving.close();
  });

  test("waits for a backup and runs after it", async () => {
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

  test("of a missing directory reports that and creates none", async () => {
    const directory = join(await temporaryDirectory(), "missing");
    expect(await repair(directory)).toMatchObject({ faults: 1, repaired: 0 });
    expect(existsSync(directory)).toBe(false);
  });
});
