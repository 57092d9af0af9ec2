// One word for how a feed is doing. Pure, so that every word has its test.
import { sourceIdleAfterMs, type FeedState } from "../../../shared/contract/feed-health.ts";

export interface FeedFacts {
  readonly isStopped: boolean;
  readonly wasChecked: boolean;
  readonly hasLinkProblem: boolean;
  /** Something newer than all that is published arrived and could not be used, or publishing itself fails. */
  readonly hasProcessingProblem: boolean;
  readonly pendingWindows: number;
  readonly newestListedMs: number | undefined;
  readonly nowMs: number;
}

export function toFeedState(facts: FeedFacts): FeedState {
  const { newestListedMs, nowMs, pendingWindows } = facts;
  if (facts.isStopped) return "stopped";
  // Nobody knows what a source has that does not answer.
  if (facts.hasLinkProblem) return "link-down";
  if (!facts.wasChecked) return "starting";
  if (facts.hasProcessingProblem) return "processing-failed";
  // One window may well wait for its second product.
  if (pendingWindows > 1) return "catching-up";
  return newestListedMs === undefined || nowMs - newestListedMs > sourceIdleAfterMs
    ? "source-idle"
    : "current";
}
