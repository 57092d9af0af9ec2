// Backup: a copy is complete and valid during concurrent writes, and a failed backup leaves no files.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { stepsOf } from "../../../shared/views/support/example-steps.ts";
import { backupDirectory } from "./backup-directory.ts";
import type { Catalog } from "../catalog.ts";
import { dataDirectory, frameLocation } from "../files/data-directory.ts";
import { createFrameStore } from "../files/file-frame-store.ts";
import { openCatalog } from "../sqlite/open-catalog.ts";
import { layerOf, overlayDraftOf, startMs, temporaryDirectory } from "../support/drafts.ts";
import { keepSource } from "../support/kept-source.ts";
import { pictureOf } from "../support/pictures.ts";
import { verifyDirectory } from "../verify/verify-directory.ts";

const hourMs = 3_600_000;

interface Feed {
  readonly directory: string;
  readonly catalog: Catalog;
  /** Publishes the next window, with a stored source. Returns the frame's id. */
  publish(productId?: ProductId): Promise<string>;
  close(): Promise<void>;
}

async function openFeed(directory: string): Promise<Feed> {
  const catalog = await openCatalog({ directory, now: () => new Date(startMs + 24 * hourMs) });
  const frames = createFrameStore({ directory });
  let window = 0;
  return {
    directory,
    catalog,
    async publish(productId = "mrms-mesh") {
      const number = window;
      window += 1;
      const frameId = await frames.put(pictureOf(number));
      const sourceSha256 = await keepSource(directory, `source ${number}`);
      const layer = { ...layerOf({ productId, seconds: number * 120 }), frameId, sourceSha256 };
      const event = { id: "live", kind: "operational-feed" } as const;
      await catalog.publish({ event, layers: [layer], assetIds: [] });
      return frameId;
    },
    close: () => catalog.close(),
  };
}

async function newFeed(revisions: number): Promise<Feed> {
  const feed = await openFeed(await temporaryDirectory());
  for (let index = 0; index < revisions; index += 1) await feed.publish();
  return feed;
}

describe("a backup", () => {
  test("of an open directory passes verification, and publishing into the copy continues its sequences", async () => {
    const feed = await newFeed(3);
    await feed.catalog.appendFeedLog([
      { at: "2024-05-01T20:00:00Z", source: "noaa", eventId: "live", kind: "started" },
    ]);
    await feed.catalog.saveSteps({
      ...{ eventId: "live", basedOn: 0 },
      document: JSON.stringify(stepsOf("live", "a")),
    });
    const overlay = await feed.catalog.keepOverlay(overlayDraftOf("live"));
    const to = join(await temporaryDirectory(), "deeper", "copy");
    const progress: [number, number][] = [];
    const report = await backupDirectory({
      from: feed.directory,
      to,
      onProgress: (...step) => progress.push(step),
    });
    expect(report).toMatchObject({ events: 1, revisions: 3, frames: 3, sources: 3, faults: [] });
    expect(report.byteLength).toBeGreaterThan(3 * pictureOf(0).byteLength);
    expect(progress.at(-1)).toEqual([6, 6]);
    expect(await verifyDirectory(to)).toEqual({
      findings: [],
      counts: { events: 1, revisions: 3, frames: 3, sources: 3 },
    });
    await feed.close();
    const copy = await openFeed(to);
    expect(await copy.catalog.listFeedLog({ limit: 9 })).toHaveLength(1);
    expect(await copy.catalog.listKeptOverlays("live")).toEqual([overlay]);
    expect((await copy.catalog.findSteps("live"))?.document).toBe(JSON.stringify(stepsOf("live", "a")));
    await copy.catalog.publish({
      event: { id: "live" },
      layers: [
        {
          ...layerOf({ seconds: 1200 }),
          frameId: await createFrameStore({ directory: to }).put(pictureOf(99)),
        },
      ],
      assetIds: [],
    });
    expect((await copy.catalog.findEvent("live"))?.latestSequence).toBe(4);
    await copy.close();
    expect((await verifyDirectory(to)).findings).toEqual([]);
  });

  test("holds one consistent state while other writers publish and prune", async () => {
    const feed = await newFeed(40);
    const to = join(await temporaryDirectory(), "copy");
    let pruned: Promise<{ revisions: number }> | undefined;
    const published: Promise<string>[] = [];
    const report = await backupDirectory({
      from: feed.directory,
      to,
      onProgress: () => {
        pruned ??= feed.catalog.prune("live", 0);
        published.push(feed.publish());
      },
    });
    expect(report).toMatchObject({ revisions: 40, frames: 40, faults: [] });
    expect((await pruned)?.revisions).toBe(0);
    await Promise.all(published);
    expect(await verifyDirectory(to)).toMatchObject({ findings: [], counts: { revisions: 40 } });
    expect((await feed.catalog.prune("live", 0)).revisions).toBeGreaterThan(40);
    await feed.close();
  });

  test("copies a catalog of the first version unchanged", async () => {
    const feed = await newFeed(1);
    await feed.close();
    const { catalogFile } = dataDirectory(feed.directory);
    const { catalogKind, migrations } = await import("../sqlite/schema/catalog-schema.ts");
    const { openDatabase } = await import("../sqlite/catalog-database.ts");
    rmSync(catalogFile);
    (
      await openDatabase(catalogFile, "write", { ...catalogKind, migrations: migrations.slice(0, 1) })
    ).close();
    const to = join(await temporaryDirectory(), "copy");
    expect(await backupDirectory({ from: feed.directory, to })).toMatchObject({ revisions: 0, faults: [] });
    const copy = new DatabaseSync(dataDirectory(to).catalogFile, { readOnly: true });
    expect(copy.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
    copy.close();
  });

  test("reports frames that are missing in the original and copies everything else", async () => {
    const feed = await newFeed(3);
    const [lost, damaged] = [await feed.publish(), await feed.publish()];
    await feed.close();
    const { framesFolder } = dataDirectory(feed.directory);
    rmSync(frameLocation(framesFolder, lost).file);
    writeFileSync(frameLocation(framesFolder, damaged).file, "damaged");
    const to = join(await temporaryDirectory(), "copy");
    const report = await backupDirectory({ from: feed.directory, to });
    expect(report.frames).toBe(3);
    expect(new Map(report.faults.map(({ where, what }) => [where.slice(10, 74), what]))).toEqual(
      new Map([
        [lost, "It is missing, and a revision shows it."],
        [damaged, "Its bytes do not match its name."],
      ]),
    );
  });

  test("of an empty catalog is an empty catalog", async () => {
    const from = await temporaryDirectory();
    writeFileSync(join(from, "catalog.sqlite"), "");
    const to = join(await temporaryDirectory(), "copy");
    expect(await backupDirectory({ from, to })).toMatchObject({
      events: 0,
      revisions: 0,
      frames: 0,
      faults: [],
    });
    expect((await verifyDirectory(to)).findings).toEqual((await verifyDirectory(from)).findings);
  });
});

describe("a backup is refused", () => {
  test("into a folder that is not empty, and leaves that folder unchanged", async () => {
    const feed = await newFeed(1);
    await feed.close();
    const to = await temporaryDirectory();
    writeFileSync(join(to, "mine.txt"), "");
    await expect(backupDirectory({ from: feed.directory, to })).rejects.toMatchObject({
      code: "conflict",
      detail: "The folder for the copy is not empty; choose an empty or a new one.",
    });
    expect(readdirSync(to)).toEqual(["mine.txt"]);
  });

  test("into the copied directory itself, or if the directory has no catalog", async () => {
    const feed = await newFeed(1);
    await feed.close();
    const inside = join(feed.directory, "copy");
    await expect(backupDirectory({ from: feed.directory, to: inside })).rejects.toMatchObject({
      code: "invalid-input",
    });
    expect(existsSync(inside)).toBe(false);
    const empty = await temporaryDirectory();
    await expect(backupDirectory({ from: empty, to: inside })).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("a backup that fails leaves no files", () => {
  test("if it is aborted at any point", async () => {
    const feed = await newFeed(6);
    await feed.close();
    for (const steps of [0, 1, 11]) {
      const to = join(await temporaryDirectory(), "made", "copy");
      const controller = new AbortController();
      if (steps === 0) controller.abort();
      const end = await backupDirectory({
        from: feed.directory,
        to,
        signal: controller.signal,
        onProgress: (done) => {
          if (done >= steps) controller.abort();
        },
      }).catch((error: unknown) => error);
      expect(controller.signal.aborted).toBe(true);
      expect(end).toBe(controller.signal.reason);
      expect(existsSync(join(to, ".."))).toBe(false);
    }
  });

  test("if a file exists where a folder must be created", async () => {
    const feed = await newFeed(1);
    await feed.close();
    const folder = await temporaryDirectory();
    writeFileSync(join(folder, "file"), "");
    await expect(
      backupDirectory({ from: feed.directory, to: join(folder, "file", "copy") }),
    ).rejects.toMatchObject({ code: "storage-failed" });
    mkdirSync(join(folder, "empty"));
    expect((await backupDirectory({ from: feed.directory, to: join(folder, "empty") })).frames).toBe(1);
  });
});
