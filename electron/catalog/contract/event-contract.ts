// The event's row: its growth with publications, registration of windows, completion, archiving and removal.
import { describe, expect, test } from "vitest";
import { MrmsManifest } from "../../../shared/contract/manifest.ts";
import { draftOf, manifestOf, observedAfter, startMs } from "../support/drafts.ts";
import { openTrial, type CatalogEngine } from "./catalog-engine.ts";

const window = { startedAt: observedAfter(0), endedAt: observedAfter(3600) };
const registration = { id: "storm", label: "A storm", ...window };

export function eventContract(engine: CatalogEngine): void {
  describe("an event", () => {
    test("is created by its first publication with its id as label, and grows with each publication", async () => {
      const { catalog } = await openTrial(engine);
      expect(await catalog.findEvent("a")).toBeUndefined();
      await catalog.publish(draftOf("a", { seconds: 120, bounds: [-100, 30, -90, 40] }));
      await catalog.publish(draftOf("a", { seconds: 0, bounds: [-95, 25, -85, 35] }));
      expect(await catalog.findEvent("a")).toMatchObject({
        kind: "historical-event",
        label: "a",
        status: "active",
        retentionClass: "benchmark",
        startedAt: observedAfter(0),
        endedAt: observedAfter(120),
        bounds: [-100, 25, -85, 40],
        currentRevisionId: "20240501T200000Z-2",
        latestSequence: 2,
      });
    });

    test("of kind historical is complete after an ingest and active again with the next publication", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.publish(draftOf("a", {}));
      await catalog.completeEvent("a");
      expect((await catalog.findEvent("a"))?.status).toBe("complete");
      await catalog.publish(draftOf("a", { seconds: 120 }));
      expect((await catalog.findEvent("a"))?.status).toBe("active");
      await expect(catalog.completeEvent("unknown")).resolves.toBeUndefined();
    });

    test("of kind operational-feed stays active and ends at its newest observation", async () => {
      const { catalog } = await openTrial(engine);
      const live = { id: "live", kind: "operational-feed" } as const;
      await catalog.publish({ ...draftOf("live", { seconds: 240 }), event: live });
      await catalog.publish({ ...draftOf("live", { seconds: 0 }), event: live });
      await catalog.completeEvent("live");
      expect(await catalog.findEvent("live")).toMatchObject({
        status: "active",
        retentionClass: "operational",
        endedAt: observedAfter(240),
      });
    });

    test("with synthetic pictures says so in label and manifests, and refuses observed pictures", async () => {
      const { catalog } = await openTrial(engine);
      const event = { id: "demo", label: "Demonstration", origin: "synthetic" } as const;
      const { revision } = await catalog.publish({ ...draftOf("demo", {}), event });
      expect((await catalog.findEvent("demo"))?.label).toBe("Demonstration (synthetic)");
      expect(MrmsManifest.parse(manifestOf(revision)).disclosure).toMatch(/^SYNTHETIC/);
      await expect(
        catalog.publish({ ...draftOf("demo", { seconds: 120 }), event: { id: "demo", origin: "observed" } }),
      ).rejects.toMatchObject({ code: "conflict" });
      const next = await catalog.publish({ ...draftOf("demo", { seconds: 120 }), event: { id: "demo" } });
      expect(MrmsManifest.parse(manifestOf(next.revision)).disclosure).toMatch(/^SYNTHETIC/);
    });

    test("keeps its kind and accepts a new label", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.publish(draftOf("a", {}));
      await expect(
        catalog.publish({ ...draftOf("a", { seconds: 120 }), event: { id: "a", kind: "operational-feed" } }),
      ).rejects.toMatchObject({ code: "conflict" });
      await catalog.publish({ ...draftOf("a", { seconds: 120 }), event: { id: "a", label: "May Day hail" } });
      expect((await catalog.findEvent("a"))?.label).toBe("May Day hail");
    });
  });

  describe("a registered event", () => {
    test("is an active benchmark with its window, without bounds or revisions", async () => {
      const { catalog } = await openTrial(engine);
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
      const { catalog, setClock } = await openTrial(engine);
      const event = await catalog.registerEvent(registration);
      await setClock(startMs + 7_200_000);
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
      const { catalog } = await openTrial(engine);
      await catalog.registerEvent(registration);
      await catalog.publish(draftOf("storm", { seconds: 7200 }));
      expect(await catalog.registerEvent(registration)).toMatchObject({ endedAt: observedAfter(7200) });
    });

    test("spans the union of its registered window and its data", async () => {
      const { catalog } = await openTrial(engine);
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
      const { catalog } = await openTrial(engine);
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
      const { catalog } = await openTrial(engine);
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
      const { catalog } = await openTrial(engine);
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
      const { catalog } = await openTrial(engine);
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
      const { catalog, setClock } = await openTrial(engine);
      await catalog.publish(draftOf("storm", {}));
      await catalog.archiveEvent("storm");
      const archived = await catalog.findEvent("storm");
      expect(archived?.status).toBe("archived");
      await setClock(startMs + 7_200_000);
      await catalog.archiveEvent("storm");
      await catalog.completeEvent("storm", { registered: true });
      await expect(catalog.publish(draftOf("storm", { seconds: 120 }))).rejects.toMatchObject({
        code: "conflict",
      });
      expect(await catalog.findEvent("storm")).toEqual(archived);
    });

    test("an unknown event fails with not-found", async () => {
      const { catalog } = await openTrial(engine);
      await expect(catalog.archiveEvent("nowhere")).rejects.toMatchObject({ code: "not-found" });
    });

    test("is visible to a reader on another connection", async () => {
      const { catalog, connectReader } = await openTrial(engine);
      const { catalog: reader } = await connectReader();
      await catalog.publish(draftOf("storm", {}));
      expect((await reader.findEvent("storm"))?.status).toBe("active");
      await catalog.archiveEvent("storm");
      expect((await reader.findEvent("storm"))?.status).toBe("archived");
    });

    test("never moves updatedAt back, even if the clock is wrong", async () => {
      const { catalog, setClock } = await openTrial(engine);
      await catalog.publish(draftOf("storm", {}));
      const before = (await catalog.findEvent("storm"))!.updatedAt;
      await setClock(startMs - 3_600_000);
      await catalog.archiveEvent("storm");
      expect(await catalog.findEvent("storm")).toMatchObject({ status: "archived", updatedAt: before });
    });
  });
}
