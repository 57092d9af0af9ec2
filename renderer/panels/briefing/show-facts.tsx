// The strip on the projector: when the picture was observed and published, and what its revision is.
import type { ReactNode } from "react";
import { useShallow } from "zustand/react/shallow";
import { findPublication } from "../../state/briefing/freezing.ts";
import { isLiveEvent, selectSelectedEvent, selectShownRevision } from "../../state/selectors.ts";
import { toStanding } from "../../state/timeline/standing.ts";
import { revisionWords } from "../../text/briefing-mode-text.ts";
import { clockDay, otherTime, timeWithZone } from "../../text/format.ts";
import { useViewerState } from "../../viewer-context.ts";
import { usePublished } from "../hooks/use-published.ts";

export function ShowFacts(): ReactNode {
  const revision = useViewerState(selectShownRevision);
  const published = usePublished(revision);
  const isLive = useViewerState((state) => isLiveEvent(selectSelectedEvent(state)));
  const words = useViewerState(
    useShallow((state) => {
      const publication = findPublication(state);
      return publication
        ? revisionWords(publication.kind, publication.supersedes, toStanding(state, publication.revision))
        : undefined;
    }),
  );
  if (!revision || !words) return null;
  const { observedMs, sequence } = revision;
  return (
    <dl className="show-facts" aria-label="What is shown">
      <div>
        <dt>Observed</dt>
        <dd>
          <strong>{timeWithZone(observedMs)}</strong>
          <span className="quiet">
            {[clockDay(observedMs), otherTime(observedMs)].filter(Boolean).join(" · ")}
          </span>
        </dd>
      </div>
      <div>
        <dt>{isLive ? "Published" : "Added here"}</dt>
        <dd>
          <strong>{published.time}</strong>
          {published.delay !== undefined && <span className="quiet">{published.delay}</span>}
        </dd>
      </div>
      <div>
        <dt>Revision</dt>
        <dd>
          <strong>{sequence}</strong>
          <span className={words.isLate ? "warning" : "quiet"}>{words.words}</span>
        </dd>
      </div>
    </dl>
  );
}
