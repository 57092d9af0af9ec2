// A mirror of a foreign service that follows the contract: what it copies, how it continues after interruptions, and
// what it refuses.
import { createHash } from "node:crypto";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { FeedHealth } from "../../../shared/contract/feed-health.ts";
import { openCatalog } from "../../catalog/sqlite/open-catalog.ts";
import { draftOf, temporaryDirectory } from "../../catalog/support/drafts.ts";
import {
  expectSound,
  follow,
  manifestIn,
  pollOften,
  sequencesOf,
  startForeign,
  waitFor,
  waitForSequences,
} from "./support/follower.ts";
import { ForeignService } from "./support/foreign-service.ts";

describe("a foreign service that follows the contract", () => {
  test("is copied: its ids, its RGBA frames unchanged, its manifests except for image URLs", async () => {
    const service = await startForeign();
    service.addEvent({ id: "squall", bounds: null });
    service.publish("squall", 0, ["mrms-reflectivity", "mrms-mesh"]);
    const second = service.publish("squall", 2);
    const follower = await follow(service.url);
    await waitForSequences(follower, "squall", [1, 2]);
    const [, revision] = await follower.catalog.listRevisions("squall", 2);
    expect(revision).toMatchObject({ revisionId: second.revisionId, sequence: 2 });
    const { layers, ...head } = manifestIn(revision);
    expect(head).toEqual({
      schemaVersion: 1,
      mode: "live",
      attribution: "Somebody else",
      disclosure: "Made elsewhere.",
      eventId: "squall",
      revisionId: second.revisionId,
      sequence: 2,
      generatedAt: second.manifest.generatedAt,
    });
    const [theirs] = second.manifest.layers;
    const picture = service.frames.get(theirs!.imageUrl)!;
    const frameId = createHash("sha256").update(picture).digest("hex");
    const imageUrl = `/v1/storm-events/squall/frames/mrms-reflectivity/${frameId}.png`;
    expect(layers).toEqual([{ ...theirs, imageUrl }]);
    expect(await follower.frames.read(frameId)).toEqual(Buffer.from(picture));
    await expectSound(follower);
  });

  test("is followed live by its notices, or by polling if it has no streams", async () => {
    for (const streams of [true, false]) {
      const service = await startForeign({ streams });
      service.addEvent({ id: "squall" });
      const follower = await follow(service.url, streams ? {} : pollOften);
      await waitFor(async () => {
        expect(await follower.catalog.findEvent("squall")).toBeDefined();
        if (streams) expect(service.openStreams).toBe(1);
      });
      service.publish("squall", 0);
      await waitForSequences(follower, "squall", [1]);
      service.publish("squall", 2);
      await waitForSequences(follower, "squall", [1, 2]);
      await follower.stop();
    }
  });

  test("is followed if its lists omit ids and sequences, as far as notices name the revisions", async () => {
    const service = await startForeign({ namesRevisions: false });
    service.addEvent({ id: "squall" });
    const follower = await follow(service.url);
    await waitFor(() => {
      expect(service.openStreams).toBe(1);
    });
    service.publish("squall", 0);
    await waitForSequences(follower, "squall", [1]);
    service.publish("squall", 2);
    await waitForSequences(follower, "squall", [1, 2]);
    await expectSound(follower);
  });

  test("adds its new events, with and without data, at the next poll", async () => {
    const service = await startForeign();
    const follower = await follow(service.url, pollOften);
    service.addEvent({
      id: "registered",
      startedAt: "2024-05-01T00:00:00Z",
      endedAt: "2024-05-02T00:00:00Z",
    });
    await waitFor(async () => {
      expect(await follower.catalog.findEvent("registered")).toMatchObject({
        label: "Foreign registered",
        status: "active",
        startedAt: "2024-05-01T00:00:00Z",
        mirrorOf: service.url,
        latestSequence: 0,
      });
    });
    service.events[0] = { ...service.events[0]!, status: "archived", label: "Done" };
    await waitFor(async () => {
      expect(await follower.catalog.findEvent("registered")).toMatchObject({
        status: "archived",
        label: "Done",
      });
    });
  });

  test("that removed revisions leaves a logged gap", async () => {
    const service = await startForeign();
    service.addEvent({ id: "squall" });
    for (let minute = 0; minute < 3; minute += 1) service.publish("squall", 2 * minute);
    service.revisions.get("squall")!.splice(0, 1);
    const first = await follow(service.url);
    await waitForSequences(first, "squall", [2, 3]);
    await first.stop();
    for (let minute = 3; minute < 6; minute += 1) service.publish("squall", 2 * minute);
    service.revisions.get("squall")!.splice(0, 4);
    const again = await follow(service.url, { directory: first.directory });
    await waitForSequences(again, "squall", [2, 3, 6]);
    const gaps = (await again.catalog.listFeedLog({ limit: 100 })).filter(({ kind }) => kind === "gap");
    expect(gaps.map(({ message }) => message)).toEqual([
      "Revisions 4 to 5 are missing: removed by the source, or not usable.",
    ]);
    expect(again.mirror.health()[0]?.counts.gaps).toBe(2);
    await expectSound(again);
  });

  test("has the newest 360 of its revisions copied", async () => {
    const service = await startForeign();
    service.addEvent({ id: "long" });
    for (let minute = 0; minute < 365; minute += 1) service.publish("long", minute);
    const follower = await follow(service.url);
    await waitFor(async () => {
      const sequences = await sequencesOf(follower, "long");
      expect([sequences.length, sequences[0], sequences.at(-1)]).toEqual([360, 6, 365]);
    });
    await expectSound(follower);
  });

  test("fills an operational feed only as far back as it keeps", async () => {
    const service = await startForeign();
    service.addEvent({ id: "live", kind: "operational-feed", endedAt: "2024-05-01T21:00:00Z" });
    for (let minute = 0; minute <= 60; minute += 10) service.publish("live", minute);
    const follower = await follow(service.url, { keepMs: 25 * 60_000 });
    await waitForSequences(follower, "live", [5, 6, 7]);
    service.publish("live", 70);
    await waitForSequences(follower, "live", [6, 7, 8]);
    await expectSound(follower);
  });
});

describe("interruptions", () => {
  test("copied revisions work without the service, and later ones are copied once it is back", async () => {
    const service = await startForeign();
    service.addEvent({ id: "squall" });
    service.publish("squall", 0);
    const follower = await follow(service.url);
    await waitForSequences(follower, "squall", [1]);
    const { port } = service;
    await service.stop();
    await waitFor(() => {
      expect(follower.mirror.health()[0]).toMatchObject({
        state: "link-down",
      });
    });
    const [revision] = await follower.catalog.listRevisions("squall", 2);
    const frameId = manifestIn(revision).layers[0]!.imageUrl.slice(-68, -4);
    expect(await follower.frames.read(frameId)).toBeDefined();
    const back = await startForeign({ port });
    back.events.push(...service.events);
    back.revisions.set("squall", [...service.revisions.get("squall")!]);
    for (const [path, frame] of service.frames) back.frames.set(path, frame);
    back.publish("squall", 2);
    await waitForSequences(follower, "squall", [1, 2]);
    expect(follower.mirror.health()[0]).toMatchObject({ state: "current", linkProblem: null });
    expect(follower.said.filter((line) => line.includes("Can't reach the source"))).toHaveLength(1);
    expect((await follower.catalog.listFeedLog({ limit: 100 })).map(({ kind }) => kind)).toContain("link-up");
  });

  test("a mirror that was closed while copying continues where it stopped", async () => {
    const service = await startForeign();
    service.addEvent({ id: "long" });
    for (let minute = 0; minute < 40; minute += 1) service.publish("long", minute);
    const first = await follow(service.url);
    await waitFor(async () => {
      expect((await sequencesOf(first, "long")).length).toBeGreaterThan(3);
    });
    await first.stop();
    const again = await follow(service.url, { directory: first.directory });
    await waitForSequences(
      again,
      "long",
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    await expectSound(again);
  });

  test("a service that was never up does not stop the host, and is logged once", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    let tries = 0;
    const follower = await follow(`http://127.0.0.1:${port}`, pollOften);
    const service = new ForeignService({ port });
    service.addEvent({ id: "squall" });
    service.publish("squall", 0);
    await waitFor(() => {
      tries += 1;
      expect(tries).toBeGreaterThan(30);
    });
    expect(follower.said).toHaveLength(1);
    expect(follower.mirror.health().map((health) => FeedHealth.parse(health))).toMatchObject([
      { eventId: null, state: "link-down", lastReachedAt: null },
    ]);
    await service.start();
    onTestFinished(() => service.stop());
    await waitForSequences(follower, "squall", [1]);
  });

  test("a listed event that breaks the contract is logged once and counted, also before any event is known", async () => {
    const service = await startForeign();
    service.addEvent({ id: "../squall" });
    const follower = await follow(service.url, pollOften);
    await waitFor(() => {
      expect(follower.mirror.health()[0]).toMatchObject({ eventId: null, counts: { failed: 1 } });
    });
    expect(follower.said).toHaveLength(1);
    service.addEvent({ id: "squall" });
    service.publish("squall", 0);
    await waitForSequences(follower, "squall", [1]);
    expect(follower.said).toHaveLength(1);
  });

  test("health follows its contract, and closing twice is allowed", async () => {
    const service = await startForeign();
    service.addEvent({ id: "squall" });
    service.publish("squall", 0);
    const follower = await follow(service.url);
    await waitForSequences(follower, "squall", [1]);
    const [health] = follower.mirror.health();
    expect(FeedHealth.parse(health)).toEqual(health);
    expect(health).toMatchObject({
      source: `mirror:${service.url}`,
      eventId: "squall",
      counts: { received: 1, published: 1, failed: 0 },
      products: [{ productId: "mrms-reflectivity", newestPublishedAt: "2024-05-01T20:00:00Z" }],
    });
    await Promise.all([follower.mirror.close(), follower.mirror.close()]);
    expect(follower.mirror.health()[0]?.state).toBe("stopped");
  });
});

describe("refused", () => {
  test("a local event is never changed, and that is logged once", async () => {
    const service = await startForeign();
    service.addEvent({ id: "mine", label: "Theirs" });
    service.addEvent({ id: "theirs" });
    service.publish("mine", 0);
    service.publish("theirs", 0);
    const directory = join(await temporaryDirectory(), "data");
    const own = await openCatalog({ directory, now: () => new Date() });
    await own.registerEvent({
      id: "mine",
      label: "Ours",
      startedAt: "2024-05-01T00:00:00Z",
      endedAt: "2024-05-02T00:00:00Z",
    });
    await own.close();
    const follower = await follow(service.url, { directory, ...pollOften });
    await waitForSequences(follower, "theirs", [1]);
    const asked = service.asked.length;
    await waitFor(() => {
      expect(service.asked.length).toBeGreaterThan(asked + 5);
    });
    expect(await follower.catalog.findEvent("mine")).toMatchObject({ label: "Ours", latestSequence: 0 });
    expect(follower.said.filter((line) => line.includes("was created here"))).toHaveLength(1);
    await expectSound(follower);
  });

  test("an event copied from another address continues if it is the same, and is refused otherwise", async () => {
    const service = await startForeign();
    service.addEvent({ id: "squall" });
    service.publish("squall", 0);
    service.publish("squall", 2);
    const first = await follow(service.url);
    await waitForSequences(first, "squall", [1, 2]);
    await first.stop();
    const moved = await startForeign();
    moved.addEvent({ id: "squall" });
    for (const minute of [0, 2, 4]) moved.publish("squall", minute);
    const second = await follow(moved.url, { directory: first.directory });
    await waitForSequences(second, "squall", [1, 2, 3]);
    expect((await second.catalog.findEvent("squall"))?.mirrorOf).toBe(moved.url);
    await second.stop();
    const other = await startForeign();
    other.addEvent({ id: "squall", label: "Another storm" });
    for (const minute of [0, 2, 4, 6])
      other.publish("squall", minute, ["mrms-mesh"], { revisionId: `X${minute}` });
    const third = await follow(other.url, { directory: first.directory });
    await waitFor(() => {
      expect(third.said).toEqual([expect.stringContaining("replaced its revision 1")]);
    });
    expect(await third.catalog.findEvent("squall")).toMatchObject({
      label: "Foreign squall",
      latestSequence: 3,
      mirrorOf: moved.url,
    });
    await expectSound(third);
  });

  test("publishing into a mirrored event is refused", async () => {
    const service = await startForeign();
    service.addEvent({ id: "squall" });
    const follower = await follow(service.url);
    await waitFor(async () => {
      expect(await follower.catalog.findEvent("squall")).toBeDefined();
    });
    await expect(follower.catalog.publish(draftOf("squall", {}))).rejects.toMatchObject({ code: "conflict" });
  });

  test("an event with an invalid id is skipped, and the others are copied", async () => {
    const service = await startForeign();
    service.addEvent({ id: "Not An Id" });
    service.addEvent({ id: "squall" });
    service.publish("squall", 0);
    const follower = await follow(service.url);
    await waitForSequences(follower, "squall", [1]);
    expect(follower.mirror.health()).toHaveLength(1);
    expect(follower.said.filter((line) => line.includes("breaks the contract"))).toHaveLength(1);
  });
});
