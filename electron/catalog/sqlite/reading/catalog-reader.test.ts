// Catalog reads: order, limits, cached snapshots, and detection of commits on other connections.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test, vi } from "vitest";
import { openCatalog, openReadableCatalog } from "../open-catalog.ts";
import {
  assetOf,
  draftOf,
  hashOf,
  layerOf,
  observedAfter,
  openTestCatalog,
  temporaryDirectory,
} from "../../support/drafts.ts";

async function publishWindows(
  catalog: Awaited<ReturnType<typeof openTestCatalog>>["catalog"],
  count: number,
) {
  for (let index = 0; index < count; index += 1) {
    await catalog.publish(draftOf("a", { seconds: index * 120 }));
  }
}

describe("a damaged event row", () => {
  test.each(["9000000000000000000", "9000000000000000"])(
    "with %s as an instant is omitted from the list, and reading it alone reports the damage",
    async (instant) => {
      const { catalog, directory } = await openTestCatalog();
      await catalog.publish(draftOf("sound", { seconds: 0 }));
      await catalog.publish(draftOf("damaged", { seconds: 0 }));
      const database = new DatabaseSync(join(directory, "catalog.sqlite"));
      database.exec(`UPDATE events SET ended_at = ${instant} WHERE id = 'damaged'`);
      database.close();
      expect((await catalog.listEvents(100)).map(({ id }) => id)).toEqual(["sound"]);
      await expect(catalog.findEvent("damaged")).rejects.toMatchObject({ code: "stored-data-invalid" });
    },
  );
});

describe("lists", () => {
  test("of events are sorted by end, newest first, then by id, and respect the limit", async () => {
    const { catalog } = await openTestCatalog();
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
    const { catalog } = await openTestCatalog();
    await publishWindows(catalog, 5);
    expect((await catalog.listRevisions("a", 3)).map(({ sequence }) => sequence)).toEqual([3, 4, 5]);
    expect((await catalog.listRevisions("a", 360)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect((await catalog.listNotices("a", 1, 2)).map(({ sequence }) => sequence)).toEqual([4, 5]);
    expect((await catalog.listNotices("a", 3, 100)).map(({ sequence }) => sequence)).toEqual([4, 5]);
    expect(await catalog.listRevisions("unknown", 3)).toEqual([]);
  });

  test("of newest assets hold the last discovered asset of each product with its status", async () => {
    const { catalog, clock } = await openTestCatalog();
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
        completedAt: new Date(clock.nowMs).toISOString().replace(".000Z", "Z"),
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
    const { catalog } = await openTestCatalog();
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

  test("returns the same frozen object until the next commit", async () => {
    const { catalog } = await openTestCatalog();
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
    await catalog.discoverAssets([assetOf("a", "/x")]);
    expect(await catalog.listRevisions("a", 24)).toBe(before[2]);
    await catalog.publish(draftOf("a", { seconds: 240 }));
    const after = await catalog.listRevisions("a", 24);
    expect(after).toHaveLength(3);
    expect(after[0]).toBe(before[2][0]);
    expect(await catalog.findEvent("a")).not.toBe(before[1]);
  });

  test("sees a commit of another connection", async () => {
    const { catalog, directory } = await openTestCatalog();
    await catalog.publish(draftOf("a", { seconds: 0 }));
    const reader = await openReadableCatalog({ directory });
    const version = await reader.readVersion();
    const before = await reader.listEvents(100);
    expect(await reader.readVersion()).toBe(version);
    await catalog.publish(draftOf("b", { seconds: 0 }));
    expect(await reader.readVersion()).toBeGreaterThan(version);
    expect(before).toHaveLength(1);
    expect(await reader.listEvents(100)).toHaveLength(2);
    await reader.close();
  });
});

describe("a manual change in SQLite", () => {
  test("to a published manifest is visible to the next read", async () => {
    const { catalog, directory } = await openTestCatalog();
    await publishWindows(catalog, 2);
    await catalog.listRevisions("a", 24);
    const database = new DatabaseSync(join(directory, "catalog.sqlite"));
    database.exec("UPDATE revisions SET manifest = x'00' WHERE sequence = 1");
    database.close();
    expect((await catalog.listRevisions("a", 24))[0]?.manifest).toEqual(Uint8Array.of(0));
  });
});

describe("a listener", () => {
  test("is called at once for local commits and soon for commits of others, until it is stopped", async () => {
    const { catalog, directory } = await openTestCatalog();
    const other = await openCatalog({ directory, now: () => new Date() });
    const own = vi.fn();
    const others = vi.fn();
    const stopOwn = catalog.onChange(own);
    const stopOthers = other.onChange(others);
    await catalog.publish(draftOf("a", { seconds: 0 }));
    expect(own).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => {
      expect(others).toHaveBeenCalledTimes(1);
    });
    stopOwn();
    stopOthers();
    await catalog.publish(draftOf("a", { seconds: 120 }));
    await new Promise(setImmediate);
    expect(own).toHaveBeenCalledTimes(1);
    expect(others).toHaveBeenCalledTimes(1);
    await other.close();
  });

  test("is not called without a commit", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    try {
      const { catalog } = await openTestCatalog();
      const listener = vi.fn();
      catalog.onChange(listener);
      vi.advanceTimersByTime(10_000);
      expect(listener).not.toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("opening for reading", () => {
  test("fails with not-found if there is no catalog, and creates none", async () => {
    const directory = await temporaryDirectory();
    await expect(openReadableCatalog({ directory })).rejects.toMatchObject({ code: "not-found" });
    await expect(openReadableCatalog({ directory })).rejects.toMatchObject({ code: "not-found" });
  });

  test("returns a catalog that can be closed repeatedly", async () => {
    const { catalog, directory } = await openTestCatalog();
    const reader = await openReadableCatalog({ directory });
    await reader.close();
    await reader.close();
    await catalog.close();
    await catalog.close();
  });
});
