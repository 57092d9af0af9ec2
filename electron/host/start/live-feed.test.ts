import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EventId, EventLabel } from "../../../shared/contract/primitives.ts";
import { toLiveFeed } from "./live-feed.ts";
import { makeDirectory } from "./support/switched-parts.ts";

const long = "x".repeat(200);

test.each([
  ["noaa", /^conus-live$/, undefined],
  ["folder:/absent/Radar feed/", /^live-radar-feed-[0-9a-f]{8}$/, "Live from Radar feed (/absent)"],
  ["folder:/", /^live-folder-[0-9a-f]{8}$/, "Live from folder"],
  ["folder:/données", /^live-donn-es-[0-9a-f]{8}$/, "Live from données (/)"],
  ["folder:/\u202e", /^live-folder-[0-9a-f]{8}$/, "Live from folder (/)"],
  [`folder:/${long}/${long}`, /^live-x{48}-[0-9a-f]{8}$/, `Live from ${"x".repeat(48)} (…${"x".repeat(48)})`],
  ["bucket:https://mrms.example", /^live-mrms-example-[0-9a-f]{8}$/, "Live from mrms.example"],
  [
    "bucket:http://mrms.example:81/copy",
    /^live-mrms-example-81-[0-9a-f]{8}$/,
    "Live from mrms.example:81 (/copy/)",
  ],
])("%j fills an event of its own with a label", (source, eventId, label) => {
  const feed = toLiveFeed(source);
  expect(feed.eventId).toMatch(eventId);
  expect(feed.label).toBe(label);
  expect(EventId.safeParse(feed.eventId).success).toBe(true);
  if (label !== undefined) expect(EventLabel.safeParse(label).success).toBe(true);
});

test.each([
  ["folder:/absent/a/mrms", "folder:/absent/b/mrms"],
  ["bucket:https://mrms.example/a", "bucket:https://mrms.example/b"],
  ["bucket:https://mrms.example", "bucket:https://mrms.example:8443"],
])("%j and %j have different events and labels", (one, other) => {
  expect(toLiveFeed(one).eventId).not.toBe(toLiveFeed(other).eventId);
  expect(toLiveFeed(one).label).not.toBe(toLiveFeed(other).label);
});

test("one source has one event, however it is written and if its folder is missing for a while", async () => {
  const idOf = (source: string): string => toLiveFeed(source).eventId;
  expect(idOf("bucket:https://MRMS.example:443/a")).toBe(idOf("bucket:https://mrms.example/a/"));
  const directory = await makeDirectory();
  mkdirSync(join(directory, "disk"));
  symlinkSync(join(directory, "disk"), join(directory, "link"), "junction");
  const missing = idOf(`folder:${join(directory, "link", "mrms")}`);
  expect(missing).toBe(idOf(`folder:${join(directory, "disk", "mrms")}/`));
  mkdirSync(join(directory, "disk", "mrms"));
  expect(idOf(`folder:${join(directory, "link", "mrms")}`)).toBe(missing);
});
