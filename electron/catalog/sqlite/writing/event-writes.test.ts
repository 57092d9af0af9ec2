// Registration of windows, the end of an ingest, and archiving, through the catalog's interface.
import { describe, expect, test } from "vitest";
import { draftOf, observedAfter, openTestCatalog } from "../../support/drafts.ts";
import { resolveIdentity } from "../../plans/event-rules.ts";

const window = { startedAt: observedAfter(0), endedAt: observedAfter(3600) };
const registration = { id: "storm", label: "A storm", ...window };

describe("a registered event", () => {
  test("is an active benchmark with its window, without bounds or revisions", async () => {
    const { catalog } = await openTestCatalog();
    const event = await catalog.registerEvent(registration);
    expect(event).toMatchObject({
      ...registration,
      kind: "historical-event",
      status: "active",
      retentionClass: "benchmark",
      bounds: null,
      currentRevisionId: null,
      latestSequence: 0,
      isRegistered: true,
      registeredWindow: window,
      mirrorOf: undefined,
      replayOf: undefined,
    });
    expect(await catalog.findEvent("storm")).toEqual(event);
    expect(await catalog.listEvents(5)).toEqual([event]);
  });

  test("can be registered again unchanged; any difference is a conflict", async () => {
    const { catalog, clock } = await openTestCatalog();
    const event = await catalog.registerEvent(registration);
    clock.nowMs += 60_000;
    expect(await catalog.registerEvent(registration)).toEqual(event);
    for (const change of [{ label: "Another" }, { endedAt: observedAfter(3601) }]) {
      await expect(catalog.registerEvent({ ...registration, ...change })).rejects.toMatchObject({
        code: "conflict",
      });
    }
    await catalog.publish(draftOf("made-by-ingest", {}));
    await expect(catalog.registerEvent({ ...registration, id: "made-by-ingest" })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await catalog.findEvent("storm")).toEqual(event);
  });

  test("can be registered again unchanged after its window has grown", async () => {
    const { catalog } = await openTestCatalog();
    await catalog.registerEvent(registration);
    await catalog.publish(draftOf("storm", { seconds: 7200 }));
    expect(await catalog.registerEvent(registration)).toMatchObject({ endedAt: observedAfter(7200) });
  });

  test.each([
    ["an invalid id", { id: "No" }],
    ["an empty label", { label: "  " }],
    ["a label with terminal control characters", { label: "\u001b]0;x\u0007" }],
    ["a label with a direction mark", { label: "a\u202eb" }],
    ["a label without end", { label: "a".repeat(1001) }],
    ["an empty window", { endedAt: window.startedAt }],
    ["an invalid instant", { startedAt: "yesterday" }],
  ])("is refused for %s", async (_what, change) => {
    const { catalog } = await openTestCatalog();
    await expect(catalog.registerEvent({ ...registration, ...change })).rejects.toMatchObject({
      code: "invalid-input",
    });
    expect(await catalog.listEvents(5)).toEqual([]);
  });

  test("is refused for a label without room for the mark of its origin", () => {
    const draft = { id: "storm", label: "a".repeat(1000) };
    expect(resolveIdentity(undefined, draft).label).toBe(draft.label);
    expect(() => resolveIdentity(undefined, { ...draft, origin: "synthetic" })).toThrow(/label/);
  });

  test("spans the union of its registered window and its data", async () => {
    const { catalog } = await openTestCatalog();
    await catalog.registerEvent(registration);
    await catalog.publish(draftOf("storm", { seconds: 600 }));
    expect(await catalog.findEvent("storm")).toMatchObject({ ...window, bounds: [-100, 30, -90, 40] });
    await catalog.publish(draftOf("storm", { seconds: -240 }));
    expect(await catalog.findEvent("storm")).toMatchObject({
      startedAt: observedAfter(-240),
      endedAt: window.endedAt,
      registeredWindow: window,
    });
  });

  test("is completed when its window is filled, not by a manual ingest, and stays complete", async () => {
    const { catalog } = await openTestCatalog();
    const statusOf = async (): Promise<string | undefined> => (await catalog.findEvent("storm"))?.status;
    await catalog.registerEvent(registration);
    await catalog.publish(draftOf("storm", {}));
    await catalog.completeEvent("storm");
    expect(await statusOf()).toBe("active");
    await catalog.completeEvent("storm", { registered: true });
    expect(await statusOf()).toBe("complete");
    await catalog.publish(draftOf("storm", { message: "corrected" }));
    await catalog.completeEvent("storm");
    expect(await statusOf()).toBe("complete");
  });

  test("accepts only observed pictures and stays historical", async () => {
    const { catalog } = await openTestCatalog();
    await catalog.registerEvent(registration);
    const { layers } = draftOf("storm", {});
    for (const change of [{ kind: "operational-feed" as const }, { origin: "synthetic" as const }]) {
      const event = { id: "storm", ...change };
      await expect(catalog.publish({ event, layers, assetIds: [] })).rejects.toMatchObject({
        code: "conflict",
      });
    }
  });
});

describe("removing", () => {
  test("an event that never had a revision is gone, with its assets, and its id is free again", async () => {
    const { catalog } = await openTestCatalog();
    await catalog.registerEvent(registration);
    const asset = { locator: "/a", productId: "mrms-mesh", observedAt: observedAfter(0) } as const;
    const facts = { byteLength: 1, sha256: undefined, lastModifiedAt: undefined };
    await catalog.discoverAssets([{ eventId: "storm", ...asset, ...facts }]);
    expect(await catalog.listNewestAssets()).toHaveLength(1);
    await catalog.removeEvent("storm");
    expect(await catalog.findEvent("storm")).toBeUndefined();
    expect(await catalog.listAssets("storm")).toEqual([]);
    expect(await catalog.listNewestAssets()).toEqual([]);
    await expect(catalog.removeEvent("storm")).rejects.toMatchObject({ code: "not-found" });
    const again = { ...registration, label: "Another storm" };
    expect(await catalog.registerEvent(again)).toMatchObject({ label: "Another storm" });
  });

  test("an event with a revision stays", async () => {
    const { catalog } = await openTestCatalog();
    await catalog.registerEvent(registration);
    await catalog.publish(draftOf("storm", {}));
    const before = await catalog.findEvent("storm");
    await expect(catalog.removeEvent("storm")).rejects.toMatchObject({ code: "conflict" });
    expect(await catalog.findEvent("storm")).toEqual(before);
    expect(await catalog.findLatestRevision("storm")).toBeDefined();
  });
});

describe("archiving", () => {
  test("makes an event permanently read-only, and can be repeated", async () => {
    const { catalog, clock } = await openTestCatalog();
    await catalog.publish(draftOf("storm", {}));
    await catalog.archiveEvent("storm");
    const archived = await catalog.findEvent("storm");
    expect(archived?.status).toBe("archived");
    clock.nowMs += 1000;
    await catalog.archiveEvent("storm");
    await catalog.completeEvent("storm", { registered: true });
    await expect(catalog.publish(draftOf("storm", { seconds: 120 }))).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await catalog.findEvent("storm")).toEqual(archived);
  });

  test("an unknown event fails with not-found", async () => {
    const { catalog } = await openTestCatalog();
    await expect(catalog.archiveEvent("nowhere")).rejects.toMatchObject({ code: "not-found" });
  });

  test("is visible to a reader on another connection", async () => {
    const first = await openTestCatalog();
    const second = await openTestCatalog(first.directory);
    await first.catalog.publish(draftOf("storm", {}));
    expect((await second.catalog.findEvent("storm"))?.status).toBe("active");
    await first.catalog.archiveEvent("storm");
    expect((await second.catalog.findEvent("storm"))?.status).toBe("archived");
  });

  test("never moves updatedAt back, even if the clock is wrong", async () => {
    const { catalog, clock } = await openTestCatalog();
    await catalog.publish(draftOf("storm", {}));
    const before = (await catalog.findEvent("storm"))!.updatedAt;
    clock.nowMs -= 7_200_000;
    await catalog.archiveEvent("storm");
    expect(await catalog.findEvent("storm")).toMatchObject({ status: "archived", updatedAt: before });
  });
});
