// Why is there nothing newer on screen? The one cause that matters most, told from facts alone: our own link, the source's
// link, a file that could not be used, older windows still on their way, or a source that has nothing newer. Whether the
// person looks at the past is told beside it: it can be so with any of them.
import type { FeedHealth, FeedState } from "../../shared/contract/feed-health.ts";
import { selectFreshness, selectLink, type Link } from "./freshness.ts";
import { isLiveEvent, selectIsPast, selectSelectedEvent } from "./selectors.ts";
import type { ViewerState } from "./store.ts";

export const feedStatusKinds = [
  /** The viewer does not reach the host. */
  "viewer-link-down",
  /** The host does not reach the source. */
  "source-link-down",
  "processing-failed",
  "catching-up",
  /** The source answers and has nothing newer. */
  "source-idle",
  "current",
  "starting",
  /** The feed was stopped. */
  "stopped",
  /** A live event that no feed of this host fills. */
  "no-feed",
  /** A past event: nothing is expected. */
  "not-live",
  "no-event",
] as const;
export type FeedStatusKind = (typeof feedStatusKinds)[number];

export interface FeedStatus {
  readonly kind: FeedStatusKind;
  readonly isPast: boolean;
}

export interface FeedStatusFacts {
  readonly link: Link;
  /** The feed that fills the chosen event. */
  readonly feed: FeedHealth | undefined;
  readonly event: "none" | "live" | "past";
  /** The event's newest observation is older than a live one should be. */
  readonly isStale: boolean;
  readonly isPast: boolean;
}

const kindOfState: Readonly<Record<FeedState, FeedStatusKind>> = {
  starting: "starting",
  current: "current",
  "catching-up": "catching-up",
  "source-idle": "source-idle",
  "link-down": "source-link-down",
  "processing-failed": "processing-failed",
  stopped: "stopped",
};

/** What the host says of its feed is only worth something while the host is reached. */
export function toFeedStatus({ link, feed, event, isStale, isPast }: FeedStatusFacts): FeedStatus {
  if (link === "offline" || link === "reconnecting") return { kind: "viewer-link-down", isPast };
  if (event === "none") return { kind: "no-event", isPast: false };
  // All that the source has is here, and that is old: then the source is what is late.
  if (feed?.state === "current" && isStale) return { kind: "source-idle", isPast };
  if (feed !== undefined) return { kind: kindOfState[feed.state], isPast };
  return { kind: event === "live" ? "no-feed" : "not-live", isPast };
}

/** The feed that fills the chosen event, if one of this host does. */
export function selectFeed({ feeds, selectedEventId }: ViewerState): FeedHealth | undefined {
  return feeds.list.find((feed) => feed.eventId === selectedEventId);
}

export function selectFeedStatus(state: ViewerState): FeedStatus {
  const event = selectSelectedEvent(state);
  return toFeedStatus({
    link: selectLink(state),
    feed: selectFeed(state),
    event: event === undefined ? "none" : isLiveEvent(event) ? "live" : "past",
    isStale: selectFreshness(state).kind === "stale",
    isPast: selectIsPast(state),
  });
}
