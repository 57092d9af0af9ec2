// The viewer's words for every code and state: one table each, so that a forgotten one does not compile.
import type { AssetStatus, ProductId, StormEventStatus } from "../../shared/contract/index.ts";
import type { EventNature } from "../../shared/revisions/event-origin.ts";
import type { PublicationKind } from "../../shared/revisions/publication.ts";
import type { ApiErrorCode } from "../api/service-errors.ts";
import type { FeedState } from "../../shared/contract/feed-health.ts";
import type { TaskKind, TaskState } from "../../shared/contract/task.ts";
import type { FeedStatusKind } from "../state/feed-status.ts";
import type { Link } from "../state/freshness.ts";
import type { Access } from "../state/slices/tasks-slice.ts";

/** What went wrong, and the way on. */
export interface ProblemWords {
  readonly title: string;
  readonly advice: string;
}

export const problemWords: Readonly<Record<ApiErrorCode, ProblemWords>> = {
  unreachable: {
    title: "The storm service cannot be reached",
    advice: "Start Echotop, or “echotop serve”, again. The viewer keeps trying.",
  },
  "timed-out": {
    title: "The storm service is slow to answer",
    advice: "The viewer asks again by itself.",
  },
  "invalid-request": {
    title: "The storm service refused the request",
    advice: "The address or the event's name is not one that it accepts.",
  },
  "not-found": {
    title: "This event is not there any more",
    advice: "Choose another event from the list.",
  },
  "rate-limited": {
    title: "The storm service asked for a pause",
    advice: "Wait a moment, then try again.",
  },
  unavailable: {
    title: "The storm service could not get the data",
    advice: "The viewer asks again by itself. “echotop verify” checks the data directory.",
  },
  refused: {
    title: "The storm service had a problem",
    advice: "The viewer asks again by itself. Its log says more.",
  },
  unreadable: {
    title: "The storm service's answer cannot be read",
    advice: "It does not keep the contract. What was read before stays on screen.",
  },
};

export const placeProblemWords: Readonly<Record<ApiErrorCode, string>> = {
  unreachable: "Offline: the storm service cannot be reached.",
  "timed-out": "The search took too long. Try again.",
  "invalid-request": "This cannot be searched for.",
  "not-found": "Place search is not there.",
  "rate-limited": "Too many searches. Wait a moment, then try again.",
  unavailable: "Place search is unavailable now.",
  refused: "Place search had a problem.",
  unreadable: "The answer of the place search cannot be read.",
};

export const natureWords: Readonly<Record<EventNature, string>> = {
  live: "live",
  benchmark: "benchmark",
  synthetic: "synthetic",
  replay: "replay",
  "synthetic-replay": "synthetic replay",
};

/** Said of an event that is not a live feed; a live feed's state is its freshness. */
export const eventStatusWords: Readonly<Record<StormEventStatus, string>> = {
  active: "filling",
  complete: "complete",
  archived: "archived",
};

/** `superseded` is the sequence of the revision that this one replaces or completes. */
export function publicationWords(
  kind: PublicationKind,
  facts: { readonly late: boolean; readonly superseded: number | undefined },
): string {
  const of = facts.superseded === undefined ? "" : ` of revision ${facts.superseded}`;
  const words: Readonly<Record<PublicationKind, string>> = {
    new: "first of its window",
    correction: `${facts.late ? "late correction" : "correction"}${of}`,
    completion: `completion${of}: its other layer arrived`,
    backfill: "backfill: an older window, published late",
    unknown: "an older window; what it had before is not held here",
  };
  return words[kind];
}

export const publicationKindNames: Readonly<Record<PublicationKind, string>> = {
  new: "new window",
  correction: "correction",
  completion: "completion",
  backfill: "backfill",
  unknown: "older window",
};

export const layerShortNames: Readonly<Record<ProductId, string>> = {
  "mrms-reflectivity": "Reflectivity",
  "mrms-mesh": "Hail size",
};

export const assetStatusWords: Readonly<Record<AssetStatus, string>> = {
  discovered: "discovered",
  queued: "queued",
  processing: "processing",
  complete: "complete",
  failed: "failed",
};

export const linkWords: Readonly<Record<Link, string>> = {
  connecting: "Connecting",
  connected: "Connected",
  reconnecting: "Reconnecting",
  offline: "Offline",
};

export const ingestHint = "npm run -s echotop -- ingest --data DIR --event my-storm PATH…";

/** Why there is nothing newer on screen: a headline for the bar, and the sentence that explains it. */
export const feedStatusWords: Readonly<Record<FeedStatusKind, { headline: string; sentence: string }>> = {
  "viewer-link-down": {
    headline: "Our link is down",
    sentence: "The viewer does not reach Echotop's service. The last good picture stays; it keeps trying.",
  },
  "source-link-down": {
    headline: "Source not reached",
    sentence: "Our link to the source is down. What was published stays; Echotop asks again by itself.",
  },
  "processing-failed": {
    headline: "Processing failed",
    sentence: "The newest file arrived and could not be used. The cause stands below.",
  },
  "catching-up": {
    headline: "Catching up",
    sentence: "The newest window is here; older ones are still being fetched.",
  },
  "source-idle": {
    headline: "Nothing newer at source",
    sentence: "The source answers and has published nothing newer. Nothing is wrong with our link.",
  },
  current: { headline: "Live feed", sentence: "Everything that the source has is published here." },
  starting: { headline: "Feed starting", sentence: "The source has not been asked yet." },
  stopped: { headline: "Feed stopped", sentence: "The feed of this event was stopped." },
  "no-feed": {
    headline: "No feed here",
    sentence: "This host runs no feed for this event; what others publish into it appears by itself.",
  },
  "not-live": {
    headline: "Connected",
    sentence: "This is a past event: nothing newer is expected, and its pictures do not age.",
  },
  "no-event": { headline: "Connected", sentence: "No event is chosen." },
};

export const pastSentence = "You are looking at the past: the newest picture is not the one on screen.";

export const feedStateWords: Readonly<Record<FeedState, string>> = {
  starting: "starting",
  current: "current",
  "catching-up": "catching up",
  "source-idle": "nothing newer at source",
  "link-down": "source not reached",
  "processing-failed": "processing failed",
  stopped: "stopped",
};

/** Why nothing but looking is possible here; undefined where it is. */
export const readOnlyWords: Readonly<Record<Access, string | undefined>> = {
  desktop: undefined,
  acting: undefined,
  "no-token":
    "Read-only: this page was opened without a token. Open the address that “npm start” shows to add, fetch, replay, share or publish events.",
  refused:
    "Read-only: Echotop was started anew since this page was opened. Open the address that the new start shows.",
};

export const taskKindWords: Readonly<Record<TaskKind, string>> = {
  fetch: "Fetching",
  replay: "Replaying",
  "pack-share": "Sharing",
  "pack-get": "Getting",
  "pack-push": "Sending",
  "pack-export": "Exporting",
  "briefing-publish": "Publishing",
};

export const taskStateWords: Readonly<Record<TaskState, string>> = {
  running: "running",
  paused: "paused",
  done: "done",
  failed: "failed",
  stopped: "stopped",
};
