// The viewer's words for every code and state: one table each, so that a forgotten one does not compile.
import type { AssetStatus, ProductId, StormEventStatus } from "../shared/contract/index.ts";
import type { EventNature } from "../shared/revisions/event-origin.ts";
import type { PublicationKind } from "../shared/revisions/publication.ts";
import type { ApiErrorCode } from "./api/errors.ts";
import type { Freshness, Link } from "./state/freshness.ts";

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

/** Why the newest picture is as old as it is. */
export function freshnessReason(freshness: Freshness, link: Link): string {
  if (link === "offline")
    return `${problemWords.unreachable.title}; the last good picture stays. ${problemWords.unreachable.advice}`;
  if (link === "reconnecting") return "The notice stream is down; the viewer is reconnecting.";
  switch (freshness.kind) {
    case "none":
      return "Nothing has been published yet.";
    case "historical":
      return "A past event: its pictures do not age.";
    case "fresh":
      return "The newest picture is as new as the feed should give.";
    case "stale":
      return "The source has published nothing newer.";
  }
}

export const ingestHint = "npm run -s echotop -- ingest --data DIR --event my-storm PATH…";
