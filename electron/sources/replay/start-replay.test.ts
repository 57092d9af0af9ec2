import { expect, describe, test } from "vitest";
import { disclosureOf, natureOf } from "../../../shared/revisions/event-origin.ts";
import { toPublications } from "../../../shared/revisions/publication.ts";
import { overlayDraftOf } from "../../catalog/support/drafts.ts";
import { changeCatalog } from "../../catalog/support/sample-directory.ts";
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
} from "./support/replayed-storms.ts";

describe("a replayed event", () => {
  test("has the manifests of the original in the order of publication, corrections included", async () => {
    const stage = await openStage();
    await publishStorm(stage, { id: "plains", label: "Plains" });
    await replayAll(stage, { from: "plains", as: "again" });
    const [original, replayed] = [await listAll(stage, "plains"), await listAll(stage, "again")];
    expect(replayed.map(toComparable)).toEqual(original.map(toComparable));
    expect(replayed.map(({ observedAt }) => observedAt)).toEqual(
      original.map(({ observedAt }) => observedAt),
    );
    expect(toPublications(replayed.map(toFrame)).map(({ kind, late }) => [kind, late])).toEqual(
      toPublications(original.map(toFrame)).map(({ kind, late }) => [kind, late]),
    );
  });

  test.each([10, 1, 0.5, 600])("is spaced as the original was published, at speed %d", async (speed) => {
    const stage = await openStage();
    await publishStorm(stage, { id: "plains" });
    const startedMs = stage.clock.nowMs();
    const lines = await replayAll(stage, { from: "plains", as: "again", speed });
    expect(Date.parse(lines[0]!.publishedAt)).toBe(startedMs);
    const original = gapsMs(await listAll(stage, "plains"));
    expect(original).toEqual(storm.slice(1).map(([seconds]) => seconds * 1000));
    gapsMs(lines).forEach((gap, index) => {
      expect(Math.abs(gap - original[index]! / speed)).toBeLessThanOrEqual(1);
    });
  });

  test("has the overlays that are kept with the original", async () => {
    const stage = await openStage();
    await publishStorm(stage, { id: "plains" });
    await stage.catalog.keepOverlay(overlayDraftOf("plains", { name: "warnings" }));
    await replayAll(stage, { from: "plains", as: "again" });
    const kept = await stage.catalog.listKeptOverlays("again");
    expect(kept).toEqual(await stage.catalog.listKeptOverlays("plains"));
    const [{ sha256 }] = kept as [(typeof kept)[number]];
    expect(await stage.catalog.readKeptOverlay("again", sha256)).toEqual(
      await stage.catalog.readKeptOverlay("plains", sha256),
    );
  });

  test("leaves out an overlay that is damaged", async () => {
    const stage = await openStage();
    await publishStorm(stage, { id: "plains" });
    await stage.catalog.keepOverlay(overlayDraftOf("plains", { name: "warnings" }));
    changeCatalog(stage.directory, "UPDATE kept_overlays SET content = x'00'");
    await replayAll(stage, { from: "plains", as: "again" });
    expect(await stage.catalog.listKeptOverlays("again")).toEqual([]);
  });

  test("reports a line a revision, which names the original", async () => {
    const stage = await openStage();
    await publishStorm(stage, { id: "plains" });
    const lines = await replayAll(stage, { from: "plains", as: "again" });
    const [original, replayed] = [await listAll(stage, "plains"), await listAll(stage, "again")];
    expect(lines).toEqual(
      replayed.map(({ revisionId, sequence, observedAt, publishedAt }, index) => {
        const of = original[index]!;
        return {
          event: "again",
          revisionId,
          sequence,
          observedAt,
          publishedAt,
          of: {
            event: "plains",
            revisionId: of.revisionId,
            sequence: of.sequence,
            publishedAt: of.publishedAt,
          },
        };
      }),
    );
  });

  test("is labeled replay in label and disclosure, and is active until it is complete", async () => {
    const stage = await openStage();
    await publishStorm(stage, { id: "plains", label: "Plains" });
    const replay = await start(stage, { from: "plains", as: "again" });
    await stage.clock.advance(0);
    expect(await stage.catalog.findEvent("again")).toMatchObject({
      kind: "historical-event",
      label: "Plains (replay)",
      status: "active",
      replayOf: { eventId: "plains", sequence: 1 },
    });
    await stage.clock.whileAdvancing(replay.done);
    const [source, event] = [await stage.catalog.findEvent("plains"), await stage.catalog.findEvent("again")];
    expect(event).toMatchObject({ status: "complete", bounds: source!.bounds, endedAt: source!.endedAt });
    for (const revision of await listAll(stage, "again")) {
      const { disclosure } = manifestOf(revision);
      expect(disclosure).toMatch(/^REPLAY /);
      expect(disclosure).toContain(disclosureOf("observed"));
    }
  });

  test("of a synthetic event is labeled both, and a replay of that has each label once", async () => {
    const stage = await openStage();
    await publishStorm(stage, { id: "demo", label: "Demonstration", origin: "synthetic" });
    await replayAll(stage, { from: "demo", as: "again" });
    await replayAll(stage, { from: "again", as: "once-more" });
    for (const id of ["again", "once-more"]) {
      const event = await stage.catalog.findEvent(id);
      expect(event).toMatchObject({ label: "Demonstration (synthetic) (replay)", origin: "synthetic" });
      expect(natureOf(event!)).toBe("synthetic-replay");
      const { disclosure, attribution } = manifestOf((await listAll(stage, id))[0]!);
      expect(disclosure.match(/REPLAY/g)).toHaveLength(1);
      expect(disclosure).toContain(disclosureOf("synthetic"));
      expect(attribution).toContain("not NOAA data");
    }
    expect((await listAll(stage, "once-more")).map(toComparable)).toEqual(
      (await listAll(stage, "demo")).map(toComparable),
    );
  });

  test("refuses ingested files", async () => {
    const stage = await openStage();
    await publishStorm(stage, { id: "plains" });
    await replayAll(stage, { from: "plains", as: "again" });
    await expect(publishStorm(stage, { id: "again" }, [[0, { seconds: 999 }]])).rejects.toMatchObject({
      code: "conflict",
    });
  });

  test("waits no longer than allowed, and reports what it skipped", async () => {
    const stage = await openStage();
    await publishStorm(stage, { id: "plains" });
    const lines = await replayAll(stage, { from: "plains", as: "again", speed: 10, longestWaitMs: 30_000 });
    expect(gapsMs(lines)).toEqual([12_000, 300, 0, 30_000, 2000, 1700]);
    expect(lines.map(({ leftOutMs }) => leftOutMs)).toEqual([
      ...new Array<undefined>(4).fill(undefined),
      330_000,
      undefined,
      undefined,
    ]);
  });
});

describe("a running replay", () => {
  test("publishes nothing while paused, and keeps the rest of the wait", async () => {
    const stage = await openStage();
    await publishStorm(stage, { id: "plains" });
    const replay = await start(stage, { from: "plains", as: "again" });
    await stage.clock.advance(5000);
    replay.pause();
    expect(replay.isPaused()).toBe(true);
    await stage.clock.advance(10_000_000);
    expect(replay.lines).toHaveLength(1);
    replay.resume();
    await stage.clock.advance(6999);
    expect(replay.lines).toHaveLength(1);
    await stage.clock.advance(1);
    expect(replay.lines).toHaveLength(2);
    await stage.clock.whileAdvancing(replay.done);
    expect(replay.lines).toHaveLength(storm.length);
  });

  test("applies another speed at once, and refuses an invalid one", async () => {
    const stage = await openStage();
    await publishStorm(stage, { id: "plains" });
    const replay = await start(stage, { from: "plains", as: "again" });
    await stage.clock.advance(2000);
    expect(() => {
      replay.setSpeed(Number.NaN);
    }).toThrow(/speed/);
    replay.setSpeed(100);
    expect(replay.speed()).toBe(100);
    await stage.clock.whileAdvancing(replay.done);
    expect(gapsMs(replay.lines)).toEqual([3000, 30, 0, 36_000, 200, 170]);
  });

  test.each(["stop", "signal"] as const)(
    "ends at a %s, and the next call continues from there",
    async (way) => {
      const stage = await openStage();
      await publishStorm(stage, { id: "plains" });
      const controller = new AbortController();
      const replay = await start(stage, { from: "plains", as: "again", signal: controller.signal });
      await stage.clock.advance(15_000);
      if (way === "stop") replay.stop();
      else controller.abort();
      expect(await replay.done).toBe("stopped");
      expect(stage.clock.waiting()).toBe(0);
      expect(replay.lines).toHaveLength(4);
      expect(await stage.catalog.findEvent("again")).toMatchObject({ status: "active", latestSequence: 4 });
      const startedMs = stage.clock.nowMs();
      const rest = await replayAll(stage, { from: "plains", as: "again" });
      expect(rest.map(({ sequence, of }) => [sequence, of.sequence])).toEqual([
        [5, 5],
        [6, 6],
        [7, 7],
      ]);
      expect(Date.parse(rest[0]!.publishedAt)).toBe(startedMs);
      expect((await listAll(stage, "again")).map(toComparable)).toEqual(
        (await listAll(stage, "plains")).map(toComparable),
      );
      expect((await stage.catalog.findEvent("again"))?.status).toBe("complete");
    },
  );

  test("that is complete publishes nothing when started again", async () => {
    const stage = await openStage();
    await publishStorm(stage, { id: "plains" });
    await replayAll(stage, { from: "plains", as: "again" });
    const again = await start(stage, { from: "plains", as: "again" });
    expect(again.plan).toMatchObject({ after: 7, last: 7, spanMs: 0 });
    expect(await again.done).toBe("complete");
    expect(again.lines).toEqual([]);
  });

  test("ends after the newest revision at its start; the next call continues", async () => {
    const stage = await openStage();
    await publishStorm(stage, { id: "live", kind: "operational-feed" }, storm.slice(0, 4));
    const replay = await start(stage, { from: "live", as: "again" });
    await stage.clock.advance(1000);
    await publishStorm(stage, { id: "live" }, storm.slice(4));
    await stage.clock.whileAdvancing(replay.done);
    expect(replay.lines).toHaveLength(4);
    expect((await stage.catalog.findEvent("again"))?.status).toBe("complete");
    const rest = await replayAll(stage, { from: "live", as: "again" });
    expect(rest.map(({ sequence }) => sequence)).toEqual([5, 6, 7]);
    expect(await stage.catalog.findEvent("again")).toMatchObject({
      status: "complete",
      kind: "historical-event",
    });
  });

  test("of two into the same event, one ends with a conflict, and nothing is published twice", async () => {
    const stage = await openStage();
    await publishStorm(stage, { id: "plains" });
    const [one, other] = [
      await start(stage, { from: "plains", as: "again" }),
      await start(stage, { from: "plains", as: "again" }),
    ];
    const ends = await stage.clock.whileAdvancing(Promise.allSettled([one.done, other.done]));
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(ends.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "conflict" } });
    expect((await listAll(stage, "again")).map(toComparable)).toEqual(
      (await listAll(stage, "plains")).map(toComparable),
    );
  });
});

function toFrame(revision: Parameters<typeof manifestOf>[0]): Parameters<typeof toPublications>[0][number] {
  const { layers, sequence } = manifestOf(revision);
  return { observedAt: revision.observedAt, layers, sequence: sequence! };
}
