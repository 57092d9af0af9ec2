// The viewer's words for every code and state, one table each: a missing entry does not compile.
import type { AssetStatus, ProductId, StormEventStatus } from "../../shared/contract/index.ts";
import type { FeedState } from "../../shared/contract/feed-health.ts";
import type { TaskKind, TaskState } from "../../shared/contract/task.ts";
import type { EventNature } from "../../shared/revisions/event-origin.ts";
import type { Publication, PublicationKind } from "../../shared/revisions/publication.ts";
import type { ApiErrorCode } from "../api/service-errors.ts";
import type { FeedStatusKind } from "../state/reading/feed-status.ts";
import type { Link } from "../state/reading/freshness.ts";
import type { Revision } from "../state/timeline/revisions.ts";
import type { Standing } from "../state/timeline/standing.ts";
import type { Access } from "../state/slices/tasks-slice.ts";

/** A problem, and what to do about it. */
export interface ProblemWords {
  readonly title: string;
  readonly advice: string;
}

export const problemWords: Readonly<Record<ApiErrorCode, ProblemWords>> = {
  unreachable: {
    title: "Can't reach the storm service",
    advice: "Start Echotop, or “echotop serve”, again. The viewer keeps trying.",
  },
  "timed-out": {
    title: "The storm service is slow to respond",
    advice: "The viewer retries automatically.",
  },
  "invalid-request": {
    title: "The storm service rejected the request",
    advice: "It does not accept this address or event name.",
  },
  "not-found": {
    title: "This event no longer exists",
    advice: "Choose another event from the list.",
  },
  "rate-limited": {
    title: "The storm service is busy",
    advice: "Wait a moment, then try again.",
  },
  unavailable: {
    title: "The storm service couldn't get the data",
    advice: "The viewer retries automatically. Run “echotop verify” to check the data directory.",
  },
  refused: {
    title: "The storm service reported an error",
    advice: "The viewer retries automatically. The service's log has details.",
  },
  unreadable: {
    title: "Invalid response from the storm service",
    advice: "What was read before stays on screen.",
  },
};

export const placeProblemWords: Readonly<Record<ApiErrorCode, string>> = {
  unreachable: "Offline: can't reach the storm service",
  "timed-out": "Search timed out. Try again",
  "invalid-request": "Can't search for this text",
  "not-found": "This service has no place search",
  "rate-limited": "Too many searches. Wait a moment, then try again",
  unavailable: "Place search is unavailable. Try again later",
  refused: "Place search failed. Try again",
  unreadable: "Invalid response from place search",
};

export const natureWords: Readonly<Record<EventNature, string>> = {
  live: "Live",
  benchmark: "Benchmark",
  synthetic: "Synthetic",
  replay: "Replay",
  "synthetic-replay": "Synthetic replay",
};

/** States of events other than live feeds, whose state is their freshness. */
export const eventStatusWords: Readonly<Record<StormEventStatus, string>> = {
  active: "Incomplete",
  complete: "Complete",
  archived: "Archived",
};

export const layerShortNames: Readonly<Record<ProductId, string>> = {
  "mrms-reflectivity": "Reflectivity",
  "mrms-mesh": "Hail size",
};

const layerWords: Readonly<Record<ProductId, string>> = {
  "mrms-reflectivity": "reflectivity",
  "mrms-mesh": "hail",
};

/** `earlier` is the revision that this one supersedes, if it is loaded. */
export function publicationWords(
  { kind, late }: Publication,
  revision: Revision,
  earlier: Revision | undefined,
): string {
  const of = earlier ? ` of revision ${earlier.sequence}` : "";
  const words: Readonly<Record<PublicationKind, string>> = {
    new: "First version",
    correction: `${late ? "Late correction" : "Correction"}${of}`,
    completion: completionWords(revision, earlier),
    backfill: "Late arrival: older frame filled in",
    unknown: "Older frame; its earlier versions are not loaded",
  };
  return words[kind];
}

/** `Hail added (reflectivity was revision 13)` */
function completionWords({ layers }: Revision, earlier: Revision | undefined): string {
  const before = new Set(earlier?.layers.map(({ id }) => id));
  const added = layers.filter(({ id }) => !before.has(id)).map(({ id }) => layerWords[id]);
  const words = `${added.join(" and ")} added`;
  const first = [...before].map((id) => layerWords[id]).join(" and ");
  return `${capitalize(words)}${earlier ? ` (${first} was revision ${earlier.sequence})` : ""}`;
}

export function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `Latest`, `Corrected later`, `Corrected twice`, or `Only version`; `Latest then` as known at an earlier time. */
export function standingWords(standing: Standing): string {
  const { replacedBy, isCorrectedLater, isLatest, isThen, corrections } = standing;
  const latest = isThen ? "Latest then" : "Latest";
  if (replacedBy) return isCorrectedLater ? "Corrected later" : "Completed later";
  if (corrections === 0) return isLatest ? latest : isThen ? "Only version then" : "Only version";
  const corrected = `corrected ${timesWords[corrections] ?? `${corrections} times`}`;
  return isLatest ? `${latest}, ${corrected}` : capitalize(corrected);
}

const timesWords = ["", "once", "twice"] as const;

export const publicationKindNames: Readonly<Record<PublicationKind, string>> = {
  new: "New frame",
  correction: "Correction",
  completion: "Layer added",
  backfill: "Late arrival",
  unknown: "Older frame",
};

/** Tones of the kinds, the same as their colors in the key of the timeline. */
export const publicationTones: Readonly<Record<PublicationKind, "quiet" | "warning">> = {
  new: "quiet",
  correction: "warning",
  completion: "quiet",
  backfill: "warning",
  unknown: "warning",
};

export const assetStatusWords: Readonly<Record<AssetStatus, string>> = {
  discovered: "Found",
  queued: "Queued",
  processing: "Processing",
  complete: "Complete",
  failed: "Failed",
};

export const linkWords: Readonly<Record<Link, string>> = {
  connecting: "Connecting",
  connected: "Connected",
  reconnecting: "Reconnecting",
  offline: "Offline",
};

/** Reasons why nothing newer is on screen: a headline for the top bar, and an explanation. */
export const feedStatusWords: Readonly<Record<FeedStatusKind, { headline: string; sentence: string }>> = {
  "viewer-link-down": {
    headline: "No connection to Echotop",
    sentence: "The viewer can't reach the Echotop service. The last picture stays; the viewer keeps trying.",
  },
  "source-link-down": {
    headline: "Can't reach source",
    sentence: "Echotop can't reach the data source. Published frames stay; it retries automatically.",
  },
  "processing-failed": {
    headline: "Processing failed",
    sentence: "The newest file arrived but can't be used. Details below.",
  },
  "catching-up": {
    headline: "Catching up",
    sentence: "The newest frame is here; older ones are still being downloaded.",
  },
  "source-idle": {
    headline: "Nothing newer at source",
    sentence: "The source responds, but has published nothing newer.",
  },
  current: { headline: "Live feed", sentence: "Up to date with the source" },
  starting: { headline: "Feed starting", sentence: "Waiting for the first response from the source" },
  stopped: { headline: "Feed stopped", sentence: "The feed for this event was stopped." },
  "no-feed": {
    headline: "No feed here",
    sentence: "Echotop runs no feed for this event. Frames that others publish appear automatically.",
  },
  polled: {
    headline: "Updates every 30 seconds",
    sentence: "While this page is visible, it asks for new frames every 30 seconds.",
  },
  "not-live": {
    headline: "Connected",
    sentence: "This is a past event: no newer frames are expected.",
  },
  "no-event": { headline: "Connected", sentence: "No event selected" },
};

/** Reasons why a live event in the list is not live now, in few words. */
export function liveObstacleWords(obstacle: FeedStatusKind | "stale"): string {
  if (obstacle === "viewer-link-down") return linkWords.offline;
  return obstacle === "stale" ? "Stale feed" : feedStatusWords[obstacle].headline;
}

export const pastSentence = "You are viewing an earlier frame, not the newest one.";

export const feedStateWords: Readonly<Record<FeedState, string>> = {
  starting: "Starting",
  current: "Up to date",
  "catching-up": "Catching up",
  "source-idle": "Nothing newer at source",
  "link-down": "Can't reach source",
  "processing-failed": "Processing failed",
  stopped: "Stopped",
};

/** Reason why the person can look but not act; undefined if they can act. */
export const readOnlyWords: Readonly<Record<Access, string | undefined>> = {
  desktop: undefined,
  acting: undefined,
  "no-token":
    "Read-only: this page was opened without a token. Open the address that “npm start” shows to add, download, replay, share or publish events.",
  refused:
    "Read-only: Echotop was restarted after this page was opened. Open the address that the new start shows.",
  "read-only": "Read-only: this service shows events. They are added and shared on its command line.",
  public: "Read-only: this is a public page.",
};

export const taskWords: Readonly<Record<TaskKind, { readonly doing: string; readonly failed: string }>> = {
  fetch: { doing: "Downloading", failed: "Couldn't download" },
  replay: { doing: "Replaying", failed: "Couldn't replay" },
  "pack-share": { doing: "Sharing", failed: "Couldn't share" },
  "pack-get": { doing: "Downloading", failed: "Couldn't download" },
  "pack-push": { doing: "Sending", failed: "Couldn't send" },
  "pack-export": { doing: "Exporting", failed: "Couldn't export" },
  "briefing-publish": { doing: "Publishing", failed: "Couldn't publish" },
  "overlay-fetch": { doing: "Fetching", failed: "Couldn't fetch" },
};

export const taskStateWords: Readonly<Record<TaskState, string>> = {
  running: "Running",
  paused: "Paused",
  done: "Done",
  failed: "Failed",
  stopped: "Stopped",
};
