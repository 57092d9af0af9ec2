// Reads: order, limits, snapshots, and how a connection notices the commits of others.
import { describe, expect, test, vi } from "vitest";
import type { Catalog } from "../catalog.ts";
import { assetOf, draftOf, hashOf, layerOf, observedAfter } from "../support/drafts.ts";
import { openTrial, type CatalogEngine } from "./catalog-engine.ts";

async function publishWindows(catalog: Catalog, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await catalog.publish(draftOf("a", { seconds: index * 120 }));
  }
}

export function readingContract(engine: CatalogEngine): void {
  describe("lists", () => {
    test("of events are sorted by end, newest first, then by id, and respect the limit", async () => {
      const { catalog } = await openTrial(engine);
      for (const [id, seconds] of [
        ["c", 0],
        ["b", 240],
        ["a", 0],
        ["d", 120],
      ] as const) {
        await catalog.publish(draftOf(id, { seconds }));
      }
      expect((await catalog.listEvents(100)).map(({ id }) => id)).toEqual(["b", "d", "a", "c"]);
      expect((await catalog.listEvents(2)).map(({ id }) => id)).toEqual(["b", "d"]);
    });

    test("of revisions and notices hold the newest ones in ascending sequence", async () => {
      const { catalog } = await openTrial(engine);
      await publishWindows(catalog, 5);
      expect((await catalog.listRevisions("a", 3)).map(({ sequence }) => sequence)).toEqual([3, 4, 5]);
      expect((await catalog.listRevisions("a", 360)).map(({ sequence }) => sequence)).toEqual([
        1, 2, 3, 4, 5,
      ]);
      expect((await catalog.listNotices("a", 1, 2)).map(({ sequence }) => sequence)).toEqual([4, 5]);
      expect((await catalog.listNotices("a", 3, 100)).map(({ sequence }) => sequence)).toEqual([4, 5]);
      expect(await catalog.listRevisions("unknown", 3)).toEqual([]);
    });

    test("of assets accept a name and an error with characters that are not text", async () => {
      const { catalog } = await openTrial(engine);
      const odd = assetOf("a", "/x/\0\ud83c");
      const [id] = await catalog.discoverAssets([odd]);
      expect(await catalog.discoverAssets([odd])).toEqual([id]);
      await catalog.updateAsset(id!, { status: "failed", errorMessage: "cut\0" });
      const [asset] = await catalog.listAssets("a");
      expect(asset).toMatchObject({ id, errorMessage: expect.stringMatching(/^cut.$/su) as string });
      expect(await catalog.findRevision("a", "R\0")).toBeUndefined();
    });

    test("of newest assets hold the last discovered asset of each product with its status", async () => {
      const { catalog } = await openTrial(engine);
      const [first, , unknown] = await catalog.discoverAssets([
        assetOf("a", "/x/1"),
        assetOf("b", "/x/2", { observedAt: observedAfter(0) }),
        assetOf("b", "/x/3", { productId: undefined }),
      ]);
      expect(await catalog.listNewestAssets()).toMatchObject([{ locator: "/x/2", status: "discovered" }]);
      await catalog.discoverAssets([assetOf("a", "/x/1")]);
      await catalog.updateAsset(first!, { status: "failed", errorMessage: "No.", byteLength: 7 });
      expect(await catalog.listNewestAssets()).toMatchObject([
        { id: first, status: "failed", errorMessage: "No.", byteLength: 7, completedAt: undefined },
      ]);
      await catalog.updateAsset(first!, { status: "complete" });
      expect(await catalog.listNewestAssets()).toMatchObject([
        {
          status: "complete",
          errorMessage: undefined,
          byteLength: 7,
          completedAt: observedAfter(3600),
        },
      ]);
      await catalog.updateAsset(unknown!, {
        status: "failed",
        productId: "mrms-reflectivity",
        errorMessage: "No.",
      });
      expect((await catalog.listNewestAssets()).map(({ productId }) => productId)).toEqual([
        "mrms-mesh",
        "mrms-reflectivity",
      ]);
    });
  });

  describe("a single read", () => {
    test("finds the newest revision, a revision by id, and the frames that revisions show", async () => {
      const { catalog } = await openTrial(engine);
      await publishWindows(catalog, 3);
      const latest = await catalog.findLatestRevision("a");
      expect(latest?.sequence).toBe(3);
      expect((await catalog.findRevision("a", "20240501T200000Z-1"))?.sequence).toBe(1);
      expect(await catalog.findRevision("b", "20240501T200000Z-1")).toBeUndefined();
      const { frameId } = layerOf({ seconds: 0 });
      expect(await catalog.hasFrame("a", "mrms-mesh", frameId)).toBe(true);
      expect(await catalog.hasFrame("a", "mrms-reflectivity", frameId)).toBe(false);
      expect(await catalog.hasFrame("b", "mrms-mesh", frameId)).toBe(false);
      expect(await catalog.hasFrame("a", "mrms-mesh", hashOf("none"))).toBe(false);
    });

    test("sees a commit of another connection", async () => {
      const { catalog, connectReader } = await openTrial(engine);
      await catalog.publish(draftOf("a", { seconds: 0 }));
      const { catalog: reader } = await connectReader();
      const version = await reader.readVersion();
      const before = await reader.listEvents(100);
      expect(await reader.readVersion()).toBe(version);
      await catalog.publish(draftOf("b", { seconds: 0 }));
      expect(await reader.readVersion()).toBeGreaterThan(version);
      expect(before).toHaveLength(1);
      expect(await reader.listEvents(100)).toHaveLength(2);
    });
  });

  describe("reads until the next commit", () => {
    test("return the same frozen objects", async () => {
      const { catalog } = await openTrial(engine);
      await publishWindows(catalog, 2);
      const read = () =>
        Promise.all([
          catalog.listEvents(100),
          catalog.findEvent("a"),
          catalog.listRevisions("a", 24),
          catalog.findLatestRevision("a"),
          catalog.findRevision("a", "20240501T200000Z-1"),
        ]);
      const before = await read();
      const again = await read();
      before.forEach((value, index) => {
        expect(Object.isFrozen(value)).toBe(true);
        expect(again[index]).toBe(value);
      });
      await catalog.publish(draftOf("a", { seconds: 240 }));
      expect(await catalog.listRevisions("a", 24)).toHaveLength(3);
      expect(await catalog.findEvent("a")).not.toBe(before[1]);
    });
  });

  describe("a listener", () => {
    test("is called soon after commits of this and of other connections, until it is stopped", async () => {
      const { catalog, connect } = await openTrial(engine);
      const other = (await connect()).catalog;
      const own = vi.fn();
      const others = vi.fn();
      const stopOwn = catalog.onChange(own);
      const stopOthers = other.onChange(others);
      await catalog.publish(draftOf("a", { seconds: 0 }));
      await vi.waitFor(() => {
        expect(own).toHaveBeenCalled();
        expect(others).toHaveBeenCalled();
      });
      stopOwn();
      stopOthers();
      own.mockClear();
      others.mockClear();
      const again = vi.fn();
      other.onChange(again);
      await catalog.publish(draftOf("a", { seconds: 120 }));
      await vi.waitFor(() => {
        expect(again).toHaveBeenCalled();
      });
      expect(own).not.toHaveBeenCalled();
      expect(others).not.toHaveBeenCalled();
    });

    test("reads the notice that another connection committed before the call", async () => {
      const { catalog, connect } = await openTrial(engine);
      const other = (await connect()).catalog;
      const heard: number[] = [];
      other.onChange(() => {
        void other.listNotices("a", heard.at(-1) ?? 0, 9).then((notices) => {
          heard.push(...notices.map(({ sequence }) => sequence));
        });
      });
      for (const seconds of [0, 120, 240]) {
        await catalog.publish(draftOf("a", { seconds }));
        await vi.waitFor(() => {
          expect(heard.at(-1)).toBe(seconds / 120 + 1);
        });
      }
      expect(await other.listNotices("a", 0, 9)).toHaveLength(3);
    });
  });

  test("a catalog can be closed repeatedly, with or without its stores", async () => {
    const place = await engine.createPlace();
    const stores = await place.open();
    await stores.catalog.listEvents(1);
    for (const closable of [stores, stores, stores.catalog]) await closable.close();
  });

  test("one feed has an event, of all connections, until it lets go", async () => {
    const { tryFeedLock, connect } = await openTrial(engine);
    const other = await connect();
    const first = await tryFeedLock("one");
    expect(first).toBeDefined();
    expect(await other.tryFeedLock("one")).toBeUndefined();
    expect(await (await other.tryFeedLock("two"))?.close()).toBeUndefined();
    await first!.close();
    const second = await other.tryFeedLock("one");
    expect(second).toBeDefined();
    await second!.close();
  });
}
