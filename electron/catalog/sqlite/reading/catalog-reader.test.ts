// Reads of SQLite: damaged rows, cached snapshots, and detection of commits on other connections.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test, vi } from "vitest";
import { openCatalog, openReadableCatalog } from "../open-catalog.ts";
import { assetOf, draftOf, openTestCatalog, temporaryDirectory } from "../../support/drafts.ts";

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

describe("a list", () => {
  test("shares the records of revisions, also after a commit", async () => {
    const { catalog } = await openTestCatalog();
    await publishWindows(catalog, 2);
    const before = await catalog.listRevisions("a", 24);
    await catalog.discoverAssets([assetOf("a", "/x")]);
    expect(await catalog.listRevisions("a", 24)).toBe(before);
    await catalog.publish(draftOf("a", { seconds: 240 }));
    const after = await catalog.listRevisions("a", 24);
    expect(after).toHaveLength(3);
    expect(after[0]).toBe(before[0]);
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
