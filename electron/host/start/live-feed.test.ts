import { expect, test } from "vitest";
import { EventId, EventLabel } from "../../../shared/contract/primitives.ts";
import { toLiveFeed } from "./live-feed.ts";

test.each([
  ["noaa", "conus-live", undefined],
  ["folder:/data/Radar feed/", "live-radar-feed", "Live from Radar feed"],
  ["folder:/", "live-folder", "Live from folder"],
  ["folder:/données", "live-donn-es", "Live from données"],
  ["folder:/\u202e", "live-folder", "Live from folder"],
  [`folder:/${"x".repeat(200)}`, `live-${"x".repeat(48)}`, `Live from ${"x".repeat(48)}`],
  ["bucket:https://mrms.example/copy", "live-mrms-example", "Live from mrms.example"],
])("%j fills an event of its own with a label", (source, eventId, label) => {
  const feed = toLiveFeed(source);
  expect([feed.eventId, feed.label]).toEqual([eventId, label]);
  expect(EventId.safeParse(feed.eventId).success).toBe(true);
  if (label !== undefined) expect(EventLabel.safeParse(label).success).toBe(true);
});
