import { expect, test } from "vitest";
import { toFeedState, type FeedFacts } from "./feed-state.ts";

const well: FeedFacts = {
  isStopped: false,
  wasChecked: true,
  hasLinkProblem: false,
  hasProcessingProblem: false,
  isCatchingUp: false,
  newestListedMs: 1_000_000,
  nowMs: 1_120_000,
};

test.each<[string, Partial<FeedFacts>]>([
  ["current", {}],
  ["starting", { wasChecked: false }],
  ["stopped", { isStopped: true, hasLinkProblem: true }],
  ["link-down", { hasLinkProblem: true, hasProcessingProblem: true, isCatchingUp: true }],
  ["link-down", { hasLinkProblem: true, wasChecked: false }],
  ["processing-failed", { hasProcessingProblem: true, isCatchingUp: true }],
  ["catching-up", { isCatchingUp: true }],
  ["source-idle", { nowMs: 1_000_000 + 600_001 }],
  ["source-idle", { newestListedMs: undefined }],
])("a feed is %s when %o", (state, facts) => {
  expect(toFeedState({ ...well, ...facts })).toBe(state);
});
