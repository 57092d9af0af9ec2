// The state of a feed in one word, for feeds of files and mirrors alike.
import { sourceIdleAfterMs, type FeedState } from "../../../shared/contract/feed-health.ts";

export interface FeedFacts {
  readonly isStopped: boolean;
  readonly wasChecked: boolean;
  readonly hasLinkProblem: boolean;
  /** The newest thing that arrived was unusable, or publishing fails. */
  readonly hasProcessingProblem: boolean;
  readonly isCatchingUp: boolean;
  /** Undefined if the source lists nothing; Infinity for a source that is not live. */
  readonly newestListedMs: number | undefined;
  readonly nowMs: number;
}

/** Returns the first state that applies, most severe first: an unreachable source hides what else is wrong. */
export function toFeedState(facts: FeedFacts): FeedState {
  if (facts.isStopped) return "stopped";
  if (facts.hasLinkProblem) return "link-down";
  if (!facts.wasChecked) return "starting";
  if (facts.hasProcessingProblem) return "processing-failed";
  if (facts.isCatchingUp) return "catching-up";
  return facts.nowMs - (facts.newestListedMs ?? -Infinity) > sourceIdleAfterMs ? "source-idle" : "current";
}
