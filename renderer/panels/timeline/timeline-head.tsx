// Above the timeline: what it shows, which kinds of revision are on it, and how much of the event it holds.
import type { ReactNode } from "react";
import type { PublicationKind } from "../../../shared/revisions/publication.ts";
import { publicationsOf } from "../../state/revisions.ts";
import { publicationKindNames } from "../../text/state-text.ts";
import { useViewerState } from "../../viewer-context.ts";

const markedKinds: readonly PublicationKind[] = ["correction", "completion", "backfill", "unknown"];

export function TimelineHead(): ReactNode {
  const revisions = useViewerState((state) => state.history.revisions);
  const latest = useViewerState((state) => state.history.latestSequence);
  const reading = useViewerState(
    ({ history, selectedEventId }) => history.phase === "loading" && selectedEventId !== undefined,
  );
  const kinds = new Set(publicationsOf(revisions).map((publication) => publication.kind));
  return (
    <div className="timeline-head caption">
      <span>In the order of publication</span>
      <span className="timeline-kinds">
        {markedKinds
          .filter((kind) => kinds.has(kind))
          .map((kind) => (
            <span key={kind}>
              <span className={`kind-mark kind-${kind}`} aria-hidden="true" />
              {publicationKindNames[kind]}
            </span>
          ))}
      </span>
      <span>{reading ? "reading the revisions…" : heldWords(revisions.length, latest)}</span>
    </div>
  );
}

/** `newest 360 of 1,204` where the event has more than are held. */
function heldWords(held: number, latest: number | undefined): string {
  if (held === 0) return "nothing published yet";
  if (latest !== undefined && latest > held) return `newest ${held} of ${latest.toLocaleString("en-US")}`;
  return `${held} ${held === 1 ? "revision" : "revisions"}`;
}
