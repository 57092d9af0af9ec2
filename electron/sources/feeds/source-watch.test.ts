import { expect, test } from "vitest";
import { toInstant } from "../../catalog/plans/instants.ts";
import { FeedJournal } from "./feed-journal.ts";
import type { SourceAsset } from "./feed-source.ts";
import { refuseAhead, reportUnusable } from "./source-watch.ts";

const nowMs = Date.parse("2024-05-20T21:00:00Z");
const minuteMs = 60_000;

function assetAt(observedMs: number): SourceAsset {
  const observedAt = toInstant(observedMs);
  return {
    locator: `file of ${observedAt}`,
    name: "",
    productId: "mrms-mesh",
    observedAt,
    byteLength: 1,
    etag: undefined,
    lastModifiedAt: undefined,
  };
}

function openJournal(): FeedJournal {
  return new FeedJournal({ source: "noaa", eventId: "live", now: () => new Date(nowMs) });
}

test("a file more than 10 minutes ahead of the clock is refused and logged once, until the clock reaches it", () => {
  const journal = openJournal();
  const [near, far] = [assetAt(nowMs + 10 * minuteMs), assetAt(nowMs + 11 * minuteMs)];
  expect(refuseAhead(journal, [far, near], nowMs)).toEqual([near]);
  expect(refuseAhead(journal, [far, near], nowMs)).toEqual([near]);
  expect(journal.take()).toMatchObject([{ kind: "refused", locator: far.locator }]);
  expect(refuseAhead(journal, [far, near], nowMs + minuteMs)).toEqual([far, near]);
  expect([journal.take(), journal.counts.failed]).toEqual([[], 1]);
});

test("an unusable folder or name is logged once, unreadable ones first", () => {
  const journal = openJournal();
  const strange = [{ what: "storm.grib2", message: "Not an MRMS file name." }];
  const unreadable = [{ what: "locked", message: "This folder cannot be read." }];
  for (let look = 0; look < 2; look += 1) reportUnusable(journal, { strange, unreadable });
  expect(journal.take().map(({ kind, locator }) => [kind, locator])).toEqual([
    ["failed", "locked"],
    ["failed", "storm.grib2"],
  ]);
});

test("a source full of unusable files does not fill the log, however often it is listed", () => {
  const journal = openJournal();
  const assets = Array.from({ length: 1500 }, (_, minute) => assetAt(nowMs + (1511 - minute) * minuteMs));
  const strange = assets.map(({ locator: what }) => ({ what, message: "Not an MRMS file name." }));
  for (let look = 0; look < 3; look += 1) {
    expect(refuseAhead(journal, assets, nowMs)).toEqual([]);
    reportUnusable(journal, { strange, unreadable: [] });
  }
  expect(journal.take()).toHaveLength(400);
});
