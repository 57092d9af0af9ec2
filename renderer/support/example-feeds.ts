// Example health of a feed for the viewer's tests.
import type { FeedHealth } from "../../shared/contract/feed-health.ts";
import { instantOf } from "./example-data.ts";

export function exampleFeed(changes: Partial<FeedHealth> = {}): FeedHealth {
  return {
    source: "noaa",
    eventId: "conus-live",
    state: "current",
    lastCheckedAt: instantOf(10),
    lastReachedAt: instantOf(10),
    nextCheckAt: instantOf(12),
    linkProblem: null,
    pendingWindows: 0,
    products: [
      {
        productId: "mrms-reflectivity",
        newestListedAt: instantOf(8),
        newestPublishedAt: instantOf(8),
        arrivalDelayMs: 92_000,
        lastFailure: null,
      },
    ],
    counts: {
      received: 12,
      published: 6,
      corrections: 1,
      completions: 0,
      backfills: 0,
      duplicates: 2,
      failed: 0,
      gaps: 0,
    },
    ...changes,
  };
}
