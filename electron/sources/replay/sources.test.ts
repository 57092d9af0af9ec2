// Sources of a replay, and what it refuses: feeds that remove revisions, mirrored events, damage, invalid ids.
import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { imageUrlOf } from "../../catalog/plans/compose-manifest.ts";
import { dataDirectory, frameLocation } from "../../catalog/files/data-directory.ts";
import { createFrameStore } from "../../catalog/files/file-frame-store.ts";
import { openCatalog } from "../../catalog/sqlite/open-catalog.ts";
import { layerOf, temporaryDirectory } from "../../catalog/support/drafts.ts";
import { pictureOf } from "../../catalog/support/pictures.ts";
import { verifyDirectory } from "../../catalog/verify/verify-directory.ts";
import type { PublishedLayer } from "../../catalog/catalog.ts";
import {
  gapsMs,
  listAll,
  manifestOf,
  openStage,
  publishStorm,
  replayAll,
  start,
  storm,
  toComparable,
  type Stage,
} from "./support/replayed-storms.ts";
import { createVirtualClock } from "./support/virtual-clock.ts";

const hourMs = 3_600_000;

async function publishFeed(stage: Stage, from: number, to: number): Promise<void> {
  const steps = Array.from(
    { length: to - from },
    (_, index) => [120, { seconds: (from + index) * 120 }] as const,
  );
  await publishStorm(stage, { id: "live", kind: "operational-feed" }, steps);
}

describe("a live feed", () => {
  test("is replayed from its oldest stored revision, as sequences from 1 that are never pruned", async () => {
    const stage = await openStage();
    await publishFeed(stage, 0, 60);
    await stage.catalog.prune("live", hourMs);
    const kept = await listAll(stage, "live");
    expect(kept[0]!.sequence).toBeGreaterThan(10);
    const replay = await start(stage, { from: "live", as: "again", speed: 100 });
    expect(replay.plan.last - replay.plan.after).toBe(kept.length);
    await stage.clock.whileAdvancing(replay.done);
    const { lines } = replay;
    expect(lines.map(({ sequence }) => sequence)).toEqual(kept.map((_, index) => index + 1));
    expect(lines.map(({ of }) => of.sequence)).toEqual(kept.map(({ sequence }) => sequence));
    await stage.catalog.prune("again", 0);
    expect((await listAll(stage, "again")).map(toComparable)).toEqual(kept.map(toComparable));
  });

  test("that removes revisions during a replay is replayed with the rest, spaced as before", async () => {
    const stage = await openStage();
    await publishFeed(stage, 0, 20);
    const original = await listAll(stage, "live");
    const replay = await start(stage, { from: "live", as: "again", speed: 1 });
    await stage.clock.advance(300_000);
    await publishFeed(stage, 200, 201);
    await stage.catalog.prune("live", hourMs);
    expect(await listAll(stage, "live")).toHaveLength(1);
    expect(await stage.clock.whileAdvancing(replay.done)).toBe("complete");
    expect((await listAll(stage, "again")).map(toComparable)).toEqual(original.slice(0, 3).map(toComparable));
    const rest = await replayAll(stage, { from: "live", as: "again" });
    expect(rest.map(({ sequence, of }) => [sequence, of.sequence])).toEqual([[4, 21]]);
  });
});

describe("an event of another service", () => {
  const mirrorOf = "http://storms.example";

  /** Layers of two windows in one revision, another legend and other texts, instants with an offset. */
  async function adoptForeign({ catalog }: Stage): Promise<void> {
    const layers = [
      layerOf({ productId: "mrms-reflectivity", seconds: 600 }),
      layerOf({ seconds: 39, bounds: [-101, 31, -99, 33] }),
    ];
    for (const [sequence, shown] of [
      [4, layers.slice(0, 1)],
      [9, layers],
      [12, layers.slice(1)],
    ] as const) {
      const revision = {
        revisionId: `R${sequence}`,
        sequence,
        observedAt: shown[0]!.observedAt,
        publishedAt: new Date(Date.UTC(2024, 5, 1, 0, sequence)).toISOString(),
        bounds: shown[0]!.bounds,
      };
      await catalog.adopt({
        mirrorOf,
        event: {
          id: "theirs",
          kind: "operational-feed",
          label: "Their feed",
          status: "active",
          retentionClass: "operational",
          updatedAt: revision.publishedAt,
        },
        revision,
        manifest: {
          schemaVersion: 1,
          mode: "live",
          attribution: "Somebody else",
          disclosure: "Their words.",
          eventId: "theirs",
          revisionId: revision.revisionId,
          sequence,
          generatedAt: revision.publishedAt,
          layers: shown.map((layer) => ({
            bounds: layer.bounds,
            caveat: "Their caveat.",
            description: "Their description.",
            id: layer.productId,
            imageUrl: imageUrlOf("theirs", layer),
            label: "Their label",
            legend: [{ color: "#123456", label: "theirs" }],
            observedAt: layer.observedAt.replace("Z", "+00:00"),
            opacity: 0.3,
            sourceUrl: layer.sourceUrl,
            unit: "theirs",
            visible: false,
          })),
        },
        layers: shown,
      });
    }
  }

  test("is replayed with its own texts, legends and layers, under sequences of the replay", async () => {
    const stage = await openStage();
    await adoptForeign(stage);
    const lines = await replayAll(stage, { from: "theirs", as: "again", speed: 60 });
    expect(lines.map(({ sequence, of }) => [sequence, of.sequence])).toEqual([
      [1, 4],
      [2, 9],
      [3, 12],
    ]);
    expect(gapsMs(lines)).toEqual([5000, 3000]);
    expect((await listAll(stage, "again")).map(toComparable)).toEqual(
      (await listAll(stage, "theirs")).map(toComparable),
    );
    expect((await listAll(stage, "again")).map((revision) => manifestOf(revision).disclosure)).toEqual(
      new Array(3).fill(expect.stringMatching(/^REPLAY .* Their words\.$/)),
    );
    expect(await stage.catalog.findEvent("again")).toMatchObject({
      kind: "historical-event",
      label: "Their feed (replay)",
      mirrorOf: undefined,
    });
    const { findings } = await verifyDirectory(stage.directory);
    expect(findings.filter(({ where }) => where.includes("event again"))).toEqual([]);
  });

  test("cannot be replayed into", async () => {
    const stage = await openStage();
    await publishStorm(stage, { id: "plains" });
    await adoptForeign(stage);
    await expect(start(stage, { from: "plains", as: "theirs" })).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("a replay is refused", () => {
  async function openWithStorm(): Promise<Stage> {
    const stage = await openStage();
    await publishStorm(stage, { id: "plains" });
    return stage;
  }

  test.each([0, -1, Number.NaN, Infinity, 1e9, 1e-9])("at speed %d", async (speed) => {
    const stage = await openWithStorm();
    await expect(start(stage, { from: "plains", as: "again", speed })).rejects.toMatchObject({
      code: "invalid-input",
    });
  });

  test.each([
    ["into its own event", "plains", "plains", "invalid-input"],
    ["into an id outside the contract", "plains", "Again!", "invalid-input"],
    ["of an event that does not exist", "nowhere", "again", "not-found"],
    ["of an event without revisions", "registered", "again", "not-found"],
    ["into an event that is not a replay", "plains", "other", "conflict"],
    ["into a registered window", "plains", "registered", "conflict"],
    ["into a replay of another event", "plains", "of-other", "conflict"],
    ["into an archived replay", "plains", "finished", "conflict"],
  ])("%s", async (_what, from, as, code) => {
    const stage = await openWithStorm();
    await publishStorm(stage, { id: "other" });
    await replayAll(stage, { from: "other", as: "of-other" });
    await replayAll(stage, { from: "plains", as: "finished" });
    await stage.catalog.archiveEvent("finished");
    await stage.catalog.registerEvent({
      id: "registered",
      label: "Registered",
      startedAt: "2024-05-01T20:00:00Z",
      endedAt: "2024-05-01T21:00:00Z",
    });
    const events = await stage.catalog.listEvents(100);
    await expect(start(stage, { from, as })).rejects.toMatchObject({ code });
    expect(await stage.catalog.listEvents(100)).toEqual(events);
  });
});

test("an archived event is replayed", async () => {
  const stage = await openStage();
  await publishStorm(stage, { id: "plains" });
  await stage.catalog.archiveEvent("plains");
  expect(await replayAll(stage, { from: "plains", as: "again" })).toHaveLength(storm.length);
});

test("a damaged revision ends a replay and is named; once repaired, the replay continues", async () => {
  const stage = await openStage();
  await publishStorm(stage, { id: "plains" });
  const database = new DatabaseSync(dataDirectory(stage.directory).catalogFile);
  const { manifest } = database.prepare("SELECT manifest FROM revisions WHERE sequence = 3").get()!;
  const write = database.prepare("UPDATE revisions SET manifest = ? WHERE sequence = 3");
  write.run(Buffer.from("{}"));
  const replay = await start(stage, { from: "plains", as: "again" });
  const ended = expect(stage.clock.whileAdvancing(replay.done)).rejects.toMatchObject({
    code: "stored-data-invalid",
    detail: expect.stringContaining("20240501T200240Z-3") as string,
  });
  await ended;
  expect(replay.lines).toHaveLength(2);
  write.run(manifest!);
  database.close();
  expect(await replayAll(stage, { from: "plains", as: "again" })).toHaveLength(5);
});

describe("frames shared by a replay and its original", () => {
  async function openStored(): Promise<Stage & { put: (shade: number) => Promise<PublishedLayer> }> {
    const directory = await temporaryDirectory();
    const clock = createVirtualClock();
    const catalog = await openCatalog({ directory, now: clock.effects.now });
    const frames = createFrameStore({ directory });
    onTestFinished(async () => {
      await frames.close();
      await catalog.close();
    });
    let seconds = 0;
    const put = async (shade: number): Promise<PublishedLayer> => {
      const frameId = await frames.put(pictureOf(shade));
      seconds += 120;
      return { ...layerOf({ seconds }), frameId };
    };
    return { directory, clock, catalog, put };
  }

  async function publish(stage: Stage, layer: PublishedLayer): Promise<void> {
    stage.clock.jump(120_000);
    await stage.catalog.publish({
      event: { id: "live", kind: "operational-feed" },
      layers: [layer],
      assetIds: [],
    });
  }

  test("stay when retention removes the original's revisions, and go when unused", async () => {
    const stage = await openStored();
    for (let count = 0; count < 3; count += 1) await publish(stage, await stage.put(count));
    await replayAll(stage, { from: "live", as: "again" });
    for (let count = 3; count < 6; count += 1) await publish(stage, await stage.put(count));
    const pruned = await stage.catalog.prune("live", 0);
    expect(pruned).toMatchObject({ revisions: 5, frames: 2 });
    const { findings } = await verifyDirectory(stage.directory);
    expect(findings.filter(({ severity }) => severity === "fault")).toEqual([]);
    const shown = await stage.catalog.listLayers("again", (await listAll(stage, "again"))[0]!.revisionId);
    expect(await stage.catalog.hasFrame("again", "mrms-mesh", shown[0]!.frameId)).toBe(true);
  });

  test("that are missing end a replay, which leaves a sound event", async () => {
    const stage = await openStored();
    const [first, second] = [await stage.put(1), await stage.put(2)];
    await publish(stage, first);
    await publish(stage, second);
    rmSync(frameLocation(dataDirectory(stage.directory).framesFolder, second.frameId).file);
    const replay = await start(stage, { from: "live", as: "again" });
    await expect(stage.clock.whileAdvancing(replay.done)).rejects.toMatchObject({ code: "frame-missing" });
    expect((await listAll(stage, "again")).map(({ sequence }) => sequence)).toEqual([1]);
    const { findings } = await verifyDirectory(stage.directory);
    expect(findings.filter(({ where }) => where.includes("again"))).toEqual([]);
  });
});
