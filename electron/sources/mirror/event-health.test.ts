import { expect, test } from "vitest";
import { EventHealth } from "./event-health.ts";
import type { Link } from "./link.ts";

const link: Omit<Link, "report"> = { problem: undefined, lastCheckedAt: null, lastReachedAt: null };
const layerAt = (time: string) => [{ id: "mrms-mesh", observedAt: `2024-05-20T${time}Z` }] as const;

test("a failure stays until a revision of its own window is copied", () => {
  const facts = { source: "mirror:http://other", eventId: "squall" };
  const health = new EventHealth(facts, link, () => new Date("2024-05-20T21:03:00Z"));
  const failure = (): string | undefined => health.report(true).products[0]?.lastFailure?.message;
  health.noteFailedLayers(layerAt("21:00:39"), "The service failed (status 500).");
  health.noteRevision(layerAt("21:02:39"), "first");
  expect(failure()).toBe("The service failed (status 500).");
  health.noteRevision(layerAt("21:00:39"), "backfill");
  expect(failure()).toBeUndefined();
});
