// Derives the main reason why nothing newer is on screen: our own link, the source's link, a file that could not be
// used, older windows still loading, or a source without news. Whether the person looks at the past is independent of
// it.
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import type { StormEvent } from "../../../shared/contract/index.ts";
import { selectFreshness, selectLink, toFreshness, type Link } from "./freshness.ts";
import { isLiveEvent, selectIsPast, selectSelectedEvent } from "../selectors.ts";
import type { ViewerState } from "../store.ts";

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
  /** The feed was stopped, or could not start again. */
  "stopped",
  /** A live event without a feed on this host. */
  "no-feed",
  /** A live event of a public service, which is asked for news. */
  "polled",
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
  /** True if a person stopped the feed of this event, or it could not start again. */
  readonly isStopped: boolean;
  /** True if the newest observation is older than that of a live event should be. */
  readonly isStale: boolean;
  readonly isPast: boolean;
  /** True if the service is public. */
  readonly isPublic: boolean;
}

/** Returns the status of the feed; the host's report counts only while the host can be reached. */
export function toFeedStatus(facts: FeedStatusFacts): FeedStatus {
  const { link, feed, event, isStopped, isStale, isPast, isPublic } = facts;
  if (link === "offline" || link === "reconnecting") return { kind: "viewer-link-down", isPast };
  if (event === "none") return { kind: "no-event", isPast: false };
  // We have all that the source has, and it is old: the source is late.
  if (feed?.state === "current" && isStale) return { kind: "source-idle", isPast };
  if (feed !== undefined)
    return { kind: feed.state === "link-down" ? "source-link-down" : feed.state, isPast };
  if (event === "past") return { kind: "not-live", isPast };
  return { kind: isPublic ? "polled" : isStopped ? "stopped" : "no-feed", isPast };
}

function isLiveStopped({ live }: ViewerState, eventId: string | undefined): boolean {
  return live !== undefined && live.status !== "on" && live.eventId !== null && live.eventId === eventId;
}

/** Returns the feed of this host that fills the chosen event. */
export function selectFeed({ feeds, selectedEventId }: ViewerState): FeedHealth | undefined {
  return feeds.list.find((feed) => feed.eventId === selectedEventId);
}

/**
 * Returns the file of each product that the service found last, in any event. Undefined if a feed fills the chosen
 * event: its own times are newer, and about this event only.
 */
export function selectFilesFound(state: ViewerState): ViewerState["sources"] | undefined {
  return selectFeed(state) ? undefined : state.sources;
}

/** Kinds with which the newest picture of a live event is on screen. */
const liveKinds: ReadonlySet<FeedStatusKind> = new Set(["current", "catching-up", "no-feed", "polled"]);

/** Returns why a live event of the list is not live now; undefined if it is, and for other events. */
export function findLiveObstacle(
  state: ViewerState,
  event: StormEvent,
): FeedStatusKind | "stale" | undefined {
  if (!isLiveEvent(event)) return undefined;
  const newestMs = event.endedAt ? Date.parse(event.endedAt) : undefined;
  const isStale = toFreshness(true, newestMs, state.nowMs).kind === "stale";
  const feed = state.feeds.list.find(({ eventId }) => eventId === event.id);
  const { kind } = toFeedStatus({
    ...{ link: selectLink(state), feed, event: "live", isStale, isPast: false },
    isStopped: isLiveStopped(state, event.id),
    isPublic: state.access === "public",
  });
  if (!liveKinds.has(kind)) return kind;
  return isStale ? "stale" : undefined;
}

export function selectFeedStatus(state: ViewerState): FeedStatus {
  const event = selectSelectedEvent(state);
  return toFeedStatus({
    link: selectLink(state),
    feed: selectFeed(state),
    event: event === undefined ? "none" : isLiveEvent(event) ? "live" : "past",
    isStopped: isLiveStopped(state, event?.id),
    isStale: selectFreshness(state).kind === "stale",
    isPast: selectIsPast(state),
    isPublic: state.access === "public",
  });
}
