// The marks of corrections above the timeline: buttons that lead to them, one Tab stop for all.
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { publicationsOf, type Revision } from "../../../state/timeline/revisions.ts";
import { selectWantedRevision } from "../../../state/selectors.ts";
import { publicationWords } from "../../../text/state-text.ts";
import { timeWithZone } from "../../../text/format.ts";
import { useViewer, useViewerState } from "../../../viewer-context.ts";
import { nextOfMark, type Mark } from "./merge-marks.ts";

interface CorrectionMarksProps {
  readonly revisions: readonly Revision[];
  readonly marks: readonly Mark[];
  readonly onPoint: (indices: readonly number[]) => void;
}

const moves: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};

/** Over the plot, and not in the slider of the timeline, which must not hold other controls. */
export function CorrectionMarks({ revisions, marks, onPoint }: CorrectionMarksProps): ReactNode {
  const { store } = useViewer();
  const wanted = useViewerState(selectWantedRevision);
  const wantedIndex = wanted ? revisions.indexOf(wanted) : undefined;
  const group = useRef<HTMLDivElement>(null);
  /** Revision of the mark that the focus was on last. */
  const [visited, setVisited] = useState<Revision>();
  if (marks.length === 0) return null;

  const holding = (index: number | undefined): number =>
    index === undefined ? -1 : marks.findIndex(({ indices }) => indices.includes(index));
  const tabStop = Math.max(0, holding(visited ? revisions.indexOf(visited) : wantedIndex));

  /** Shows what the mark leads to: the arcs of all that it stands for, and the next one's facts. */
  function point(mark: Mark): void {
    const next = nextOfMark(mark, wantedIndex);
    onPoint([next, ...mark.indices.filter((index) => index !== next)]);
  }

  function press(event: KeyboardEvent, place: number): void {
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const target = Math.min(Math.max(place + move, 0), marks.length - 1);
    group.current?.querySelectorAll("button")[target]?.focus();
  }

  return (
    <div ref={group} className="correction-marks" role="group" aria-label="Corrections">
      {marks.map((mark, place) => {
        const isShown = holding(wantedIndex) === place;
        return (
          <button
            key={revisions[mark.indices[0]!]!.sequence}
            type="button"
            className={mark.indices.length > 1 ? "correction-mark merged" : "correction-mark"}
            style={{ translate: `${Math.round(mark.xPx)}px 0` }}
            tabIndex={place === tabStop ? 0 : -1}
            aria-label={toName(revisions, mark)}
            aria-current={isShown ? "true" : undefined}
            // Keeps the focus where it is: after a click the arrows still step through the frames.
            onMouseDown={(event) => {
              event.preventDefault();
            }}
            onPointerEnter={() => {
              point(mark);
            }}
            onPointerLeave={() => {
              onPoint([]);
            }}
            onFocus={() => {
              setVisited(revisions[mark.indices[0]!]);
              point(mark);
            }}
            onBlur={() => {
              onPoint([]);
            }}
            onKeyDown={(event) => {
              press(event, place);
            }}
            onClick={() => {
              store.getState().goTo(revisions[nextOfMark(mark, wantedIndex)]!.sequence);
            }}
          >
            {mark.indices.length > 1 && <span>{mark.indices.length}</span>}
          </button>
        );
      })}
    </div>
  );
}

/** `Revision 23, observed 21:28:39 UTC: late correction of revision 15`; `3 corrections: revisions 23, 24, 26` */
function toName(revisions: readonly Revision[], { indices }: Mark): string {
  const first = revisions[indices[0]!]!;
  if (indices.length > 1) {
    const sequences = indices.map((index) => revisions[index]!.sequence);
    return `${indices.length} corrections: revisions ${sequences.join(", ")}`;
  }
  const publication = publicationsOf(revisions)[indices[0]!]!;
  const words = publicationWords(publication, first, revisions[publication.supersedes ?? -1]);
  return `Revision ${first.sequence}, observed ${timeWithZone(first.observedMs)}: ${words}`;
}
