// Connection and freshness in one line; its flyout explains them.
import type { ReactNode } from "react";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import { selectFeedStatus, type FeedStatusKind } from "../../state/reading/feed-status.ts";
import { selectFreshness, selectLink, type Freshness, type Link } from "../../state/reading/freshness.ts";
import { selectIsPast, selectSelectedEvent } from "../../state/selectors.ts";
import { duration } from "../../text/format.ts";
import { feedStatusWords, linkWords, natureWords, problemWords } from "../../text/state-text.ts";
import { useViewerState } from "../../viewer-context.ts";
import { Flyout } from "../controls/flyout.tsx";
import { ChevronIcon } from "../controls/icons.tsx";
import { Sources } from "./sources.tsx";

type Health = "good" | "warning" | "bad" | "neutral";

interface StatusLine {
  readonly health: Health;
  readonly headline: string;
  /** Changes every second, so a screen reader does not read it out. */
  readonly ticking: string;
}

/** States of the feed that matter more than the age of the picture. */
const feedHealths: Readonly<Partial<Record<FeedStatusKind, Health>>> = {
  "source-link-down": "bad",
  "processing-failed": "bad",
  "catching-up": "warning",
  "source-idle": "warning",
  starting: "neutral",
  stopped: "warning",
};

export interface StatusFacts {
  readonly link: Link;
  readonly freshness: Freshness;
  /** Title of the last failed read. */
  readonly problem: string | undefined;
  readonly nature: string;
  readonly feed: FeedStatusKind;
}

export function toStatusLine({ link, freshness, problem, nature, feed }: StatusFacts): StatusLine {
  const ticking = "ageMs" in freshness ? `newest ${duration(freshness.ageMs)} old` : "";
  if (link === "offline") return { health: "bad", headline: linkWords.offline, ticking };
  if (link !== "connected")
    return { health: link === "connecting" ? "neutral" : "warning", headline: linkWords[link], ticking };
  if (problem !== undefined) return { health: "bad", headline: problem, ticking };
  const health = feedHealths[feed];
  if (health !== undefined) return { health, headline: feedStatusWords[feed].headline, ticking };
  switch (freshness.kind) {
    case "fresh":
      // The words are long, and the strip over the map has the age as well.
      if (feed === "polled") return { health: "good", headline: feedStatusWords[feed].headline, ticking: "" };
      return { health: "good", headline: "Live feed", ticking };
    case "stale":
      return { health: "warning", headline: "Stale feed", ticking };
    case "historical":
      return { health: "neutral", headline: linkWords.connected, ticking: nature };
    case "none":
      return { health: "neutral", headline: linkWords.connected, ticking: "no data yet" };
  }
}

export function ConnectionStatus(): ReactNode {
  const line = useViewerState((state) => {
    const event = selectSelectedEvent(state);
    const problem = state.history.problem ?? state.events.problem;
    return toStatusLine({
      link: selectLink(state),
      freshness: selectFreshness(state),
      problem: problem && problemWords[problem].title,
      nature: event ? natureWords[natureOf(event)].toLowerCase() : "",
      feed: selectFeedStatus(state).kind,
    });
  });
  const isPast = useViewerState(selectIsPast);
  return (
    <div className="status">
      <div className="box status-line" role="status" aria-label="Connection and freshness">
        <span className={`dot dot-${line.health}`} aria-hidden="true" />
        <span className="status-headline">{line.headline}</span>
        {line.ticking && (
          <span className="quiet status-ticking" aria-hidden="true">
            {line.ticking}
          </span>
        )}
        {isPast && <span className="status-past">Earlier frame</span>}
      </div>
      <Flyout
        id="sources"
        name="Sources and connection"
        title="Sources and connection"
        label={<ChevronIcon />}
        panelClass="sources"
      >
        <Sources />
      </Flyout>
    </div>
  );
}
