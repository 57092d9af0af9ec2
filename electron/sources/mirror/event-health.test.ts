import { expect, test } from "vitest";
import { createEventHealth } from "./event-health.ts";
import type { Link } from "./link.ts";

const link: Link = { problem: undefined, lastCheckedAt: null, lastReachedAt: null, report: () => undefined };
const layerAt = (time: string) => [{ id: "mrms-mesh", observedAt: `2024-05-20T${time}Z` }] as const;

test("a failure stays while only other windows are taken over, and goes when its own is", () => {
  const facts = { source: "mirror:http://other", eventId: "squall" };
  const health = createEventHealth(facts, link, () => new Date("2024-05-20T21:03:00Z"));
  const failure = (): string | undefined => health.report(true).products[0]?.lastFailure?.message;
  health.noteFailure(layerAt("21:00:39"), "The service failed (status 500).");
  health.notePublished(layerAt("21:02:39"), "new");
  expect(failure()).toBe("The service failed (status 500).");
  health.notePublished(layerAt("21:00:39"), "backfill");
  expect(failure()).toBeUndefined();
});
