// The log of the feeds: order of entries, reads of other processes, and the limit.
import { describe, expect, test } from "vitest";
import { feedLogLimit, type FeedLogEntry } from "../catalog.ts";
import { observedAfter } from "../support/drafts.ts";
import { openTrial, type CatalogEngine } from "./catalog-engine.ts";

function entryOf(index: number): FeedLogEntry {
  return { at: observedAfter(index), source: "noaa", eventId: "live", kind: "received" };
}

const failure: FeedLogEntry = {
  at: observedAfter(1),
  source: "bucket:https://example.invalid/",
  eventId: "live",
  kind: "failed",
  productId: "mrms-mesh",
  observedAt: observedAfter(0),
  locator: "https://example.invalid/CONUS/file.grib2.gz",
  byteLength: 10,
  delayMs: -3,
  durationMs: 12.4,
  message: "file.grib2.gz: it is cut short.",
};

export function feedLogContract(engine: CatalogEngine): void {
  describe("the log of the feeds", () => {
    test("an entry is read as written, with times rounded to whole milliseconds", async () => {
      const { catalog, connectReader } = await openTrial(engine);
      const published: FeedLogEntry = {
        ...entryOf(2),
        kind: "published",
        revisionId: "R1",
        sequence: 1,
        change: "backfill",
      };
      await catalog.appendFeedLog([failure, published]);
      const { catalog: reader } = await connectReader();
      const [first, second] = await reader.listFeedLog({ limit: 9 });
      expect(first).toMatchObject({ ...failure, id: 1, durationMs: 12 });
      expect(second).toMatchObject({ ...published, id: 2 });
      expect(second?.locator).toBeUndefined();
    });

    test("a read returns the newest entries, or those after a given id", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.appendFeedLog(Array.from({ length: 10 }, (_, index) => entryOf(index)));
      const idsOf = async (query: { limit: number; afterId?: number }): Promise<number[]> =>
        (await catalog.listFeedLog(query)).map(({ id }) => id);
      expect(await idsOf({ limit: 3 })).toEqual([8, 9, 10]);
      expect(await idsOf({ limit: 3, afterId: 0 })).toEqual([1, 2, 3]);
      expect(await idsOf({ limit: 30, afterId: 8 })).toEqual([9, 10]);
      expect(await idsOf({ limit: 3, afterId: 10 })).toEqual([]);
    });

    test("the oldest entries beyond the limit are removed, and ids keep increasing", async () => {
      const { catalog } = await openTrial(engine);
      const page = Array.from({ length: 5000 }, (_, index) => entryOf(index));
      for (let written = 0; written <= feedLogLimit; written += page.length)
        await catalog.appendFeedLog(page);
      const all = await catalog.listFeedLog({ limit: 2 * feedLogLimit, afterId: 0 });
      expect(all).toHaveLength(feedLogLimit);
      expect(all.at(0)?.id).toBe(5001);
      expect(all.at(-1)?.id).toBe(25_000);
    });

    test("an entry with characters that are not text does not stop its batch", async () => {
      const { catalog } = await openTrial(engine);
      const message = 'cut\0 here: \ud83c "\\u0000".';
      await catalog.appendFeedLog([{ ...entryOf(0), message }, entryOf(1)]);
      const [first, second] = await catalog.listFeedLog({ limit: 9 });
      expect(first?.message).toMatch(/^cut. here: . "\\u0000"\.$/su);
      expect(second).toMatchObject(entryOf(1));
    });

    test("one entry with an invalid instant rejects its whole batch", async () => {
      const { catalog } = await openTrial(engine);
      await expect(catalog.appendFeedLog([entryOf(0), { ...entryOf(1), at: "soon" }])).rejects.toMatchObject({
        code: "invalid-input",
      });
      expect(await catalog.listFeedLog({ limit: 9 })).toEqual([]);
    });
  });
}
