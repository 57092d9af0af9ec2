// The line above the timeline: its order, the key to its marks, and how much of the event it holds.
import type { ReactNode } from "react";
import type { PublicationKind } from "../../../../shared/revisions/publication.ts";
import { publicationsOf } from "../../../state/revisions.ts";
import { counted } from "../../../text/format.ts";
import { publicationKindNames } from "../../../text/state-text.ts";
import { useViewerState } from "../../../viewer-context.ts";

const markedKinds: readonly PublicationKind[] = ["correction", "completion", "backfill", "unknown"];

interface TimelineHeadProps {
  /** True if a mark stands for several corrections. */
  readonly isMerged: boolean;
}

export function TimelineHead({ isMerged }: TimelineHeadProps): ReactNode {
  const revisions = useViewerState((state) => state.history.revisions);
  const latest = useViewerState((state) => state.history.latestSequence);
  const reading = useViewerState(
    ({ history, selectedEventId }) => history.phase === "loading" && selectedEventId !== undefined,
  );
  const publications = publicationsOf(revisions);
  const kinds = new Set(publications.map(({ kind }) => kind));
  const isReplaced = publications.some(({ supersedes }) => supersedes !== undefined);
  return (
    <div className="timeline-head caption">
      <span>By publication time</span>
      <span className="timeline-kinds">
        {markedKinds
          .filter((kind) => kinds.has(kind))
          .map((kind) => (
            <span key={kind}>
              <span className={`kind-mark kind-${kind}`} aria-hidden="true" />
              {publicationKindNames[kind]}
            </span>
          ))}
        {isReplaced && (
          <span title="A newer revision of the same time has replaced or completed it">
            <span className="kind-mark kind-replaced" aria-hidden="true" />
            Replaced
          </span>
        )}
        {isMerged && (
          <span title="The mark of several corrections that stand close together">
            <span className="count-mark" aria-hidden="true">
              3
            </span>
            Several corrections
          </span>
        )}
      </span>
      <span className="timeline-notes">
        <PlaybackNote />
        <span>{reading ? "Reading revisions…" : heldWords(revisions.length, latest)}</span>
      </span>
    </div>
  );
}

/** Says that playback is waiting, or the number of corrected frames. */
function PlaybackNote(): ReactNode {
  const buffering = useViewerState((state) => state.buffering);
  const corrected = useViewerState(
    (state) => publicationsOf(state.history.revisions).filter((entry) => entry.kind === "correction").length,
  );
  if (buffering) return <span>Waiting for the next frame…</span>;
  if (corrected === 0) return null;
  return <span className="warning">{counted(corrected, "corrected frame", "corrected frames")}</span>;
}

/** `Newest 360 of 1,204` if the event has more than are held. */
function heldWords(held: number, latest: number | undefined): string {
  if (held === 0) return "Nothing published yet";
  if (latest !== undefined && latest > held) return `Newest ${held} of ${latest.toLocaleString("en-US")}`;
  return counted(held, "revision", "revisions");
}
