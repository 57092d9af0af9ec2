// The log of the feeds and cached reads.
import { expect, test } from "vitest";
import { observedAfter, openTestCatalog } from "../support/drafts.ts";

test("a new log entry does not clear cached reads of events", async () => {
  const { catalog, directory } = await openTestCatalog();
  const other = await openTestCatalog(directory);
  const events = await other.catalog.listEvents(9);
  await catalog.appendFeedLog([{ at: observedAfter(0), source: "noaa", eventId: "live", kind: "received" }]);
  expect(await other.catalog.listEvents(9)).toBe(events);
});
