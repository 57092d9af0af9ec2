import { expect, test } from "vitest";
import { toInstant } from "../../catalog/instants.ts";
import { FeedJournal } from "./feed-journal.ts";
import type { SourceAsset } from "./feed-source.ts";
import { ListingJournal } from "./listing-journal.ts";

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

function open(): { journal: FeedJournal; listings: ListingJournal } {
  const journal = new FeedJournal({ source: "noaa", eventId: "live", now: () => new Date(nowMs) });
  return { journal, listings: new ListingJournal(journal) };
}

test("a file ahead of the clock is refused and told once, until the clock has come there", () => {
  const { journal, listings } = open();
  const [near, far] = [assetAt(nowMs + 10 * minuteMs), assetAt(nowMs + 11 * minuteMs)];
  expect(listings.refuseAhead([far, near], nowMs)).toEqual([near]);
  expect(listings.refuseAhead([far, near], nowMs)).toEqual([near]);
  expect(journal.take()).toMatchObject([{ kind: "refused", locator: far.locator }]);
  expect(listings.refuseAhead([far, near], nowMs + minuteMs)).toEqual([far, near]);
  expect([journal.take(), journal.counts.failed]).toEqual([[], 1]);
});

test("a folder or a name that cannot be used is told once, the unreadable first", () => {
  const { journal, listings } = open();
  const strange = [{ what: "storm.grib2", message: "No name of ours." }];
  const unreadable = [{ what: "locked", message: "This folder cannot be read." }];
  for (let look = 0; look < 2; look += 1) listings.tellProblems({ strange, unreadable });
  expect(journal.take().map(({ kind, locator }) => [kind, locator])).toEqual([
    ["failed", "locked"],
    ["failed", "storm.grib2"],
  ]);
});

test("a source full of what cannot be used does not fill the log, however often it is looked at", () => {
  const { journal, listings } = open();
  const assets = Array.from({ length: 1500 }, (_, minute) => assetAt(nowMs + (1511 - minute) * minuteMs));
  const strange = assets.map(({ locator: what }) => ({ what, message: "No name of ours." }));
  for (let look = 0; look < 3; look += 1) {
    expect(listings.refuseAhead(assets, nowMs)).toEqual([]);
    listings.tellProblems({ strange, unreadable: [] });
  }
  expect(journal.take()).toHaveLength(400);
});
