// Connection and freshness in one line, and, opened, why: the link, the newest picture's age, the sources, the cache.
import type { ReactNode } from "react";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import { duration } from "../../text/format.ts";
import { selectFreshness, selectLink, type Freshness, type Link } from "../../state/freshness.ts";
import { selectFeedStatus, type FeedStatusKind } from "../../state/feed-status.ts";
import { selectIsPast, selectSelectedEvent } from "../../state/selectors.ts";
import { feedStatusWords, linkWords, natureWords, problemWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ChevronIcon } from "../controls/icons.tsx";
import { SourcesFlyout } from "./sources-flyout.tsx";

type Health = "good" | "late" | "bad" | "neutral";

interface StatusLine {
  readonly health: Health;
  readonly headline: string;
  /** What changes with the clock; seen, and not read out each second. */
  readonly ticking: string;
}

/** What the feed says of itself where that is more than the picture's age can tell. */
const feedHealths: Readonly<Partial<Record<FeedStatusKind, Health>>> = {
  "source-link-down": "bad",
  "processing-failed": "bad",
  "catching-up": "late",
  "source-idle": "late",
  starting: "neutral",
  stopped: "late",
};

export interface StatusFacts {
  readonly link: Link;
  readonly freshness: Freshness;
  /** A reading that failed, in words. */
  readonly problem: string | undefined;
  readonly nature: string;
  readonly feed: FeedStatusKind;
}

export function toStatusLine({ link, freshness, problem, nature, feed }: StatusFacts): StatusLine {
  const ticking = "ageMs" in freshness ? `newest ${duration(freshness.ageMs)} old` : "";
  if (link === "offline") return { health: "bad", headline: linkWords.offline, ticking };
  if (link !== "connected")
    return { health: link === "connecting" ? "neutral" : "late", headline: linkWords[link], ticking };
  if (problem !== undefined) return { health: "bad", headline: problem, ticking };
  const health = feedHealths[feed];
  if (health !== undefined) return { health, headline: feedStatusWords[feed].headline, ticking };
  switch (freshness.kind) {
    case "fresh":
      return { health: "good", headline: "Live feed", ticking };
    case "stale":
      return { health: "late", headline: "Stale feed", ticking };
    case "historical":
      return { health: "neutral", headline: "Connected", ticking: nature };
    case "none":
      return { health: "neutral", headline: "Connected", ticking: "no data yet" };
  }
}

export function ConnectionStatus(): ReactNode {
  const { store } = useViewer();
  const link = useViewerState(selectLink);
  const freshness = useViewerState(selectFreshness);
  const past = useViewerState(selectIsPast);
  const event = useViewerState(selectSelectedEvent);
  const problem = useViewerState((state) => state.history.problem ?? state.events.problem);
  const open = useViewerState((state) => state.flyout === "sources");
  const feed = useViewerState((state) => selectFeedStatus(state).kind);
  const line = toStatusLine({
    link,
    freshness,
    problem: problem && problemWords[problem].title,
    nature: event ? natureWords[natureOf(event)] : "",
    feed,
  });
  return (
    <div className="flyout-anchor status">
      <div className="box status-line" role="status" aria-label="Connection and freshness">
        <span className={`dot dot-${line.health}`} aria-hidden="true" />
        <span className="status-headline">{line.headline}</span>
        {line.ticking && (
          <span className="quiet status-ticking" aria-hidden="true">
            {line.ticking}
          </span>
        )}
        {past && <span className="status-past">looking at the past</span>}
      </div>
      <button
        type="button"
        className="icon-button status-more"
        aria-label="Sources and connection"
        aria-expanded={open}
        title="Sources and connection"
        onClick={() => {
          store.getState().toggleFlyout("sources");
        }}
      >
        <ChevronIcon />
      </button>
      {open && <SourcesFlyout />}
    </div>
  );
}
