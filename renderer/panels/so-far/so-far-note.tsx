// The note on the map that says what the largest values so far are made of, in view as long as they are; and a note on
// what arrived since and changed them.
import type { ReactNode } from "react";
import { selectComparison } from "../../state/change/change-scene.ts";
import { selectDrawnSoFar, selectSoFarArrivals, selectWantedSoFar } from "../../state/so-far/so-far.ts";
import { toAudit, type MadeSoFar } from "../../state/so-far/so-far-windows.ts";
import { clockMinute } from "../../text/format.ts";
import { missingNote, soFarNames, spanWords, usedWords } from "../../text/so-far-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { usePublished } from "../hooks/use-published.ts";

/** Describes the picture on screen; while there is none, the one that is being made. */
export function SoFarNote(): ReactNode {
  const drawn = useViewerState(selectDrawnSoFar);
  const wanted = useViewerState(selectWantedSoFar);
  // The comparison of two revisions is drawn instead.
  const isHidden = useViewerState((state) => selectComparison(state) !== undefined);
  const made = isHidden ? undefined : (drawn ?? wanted);
  return (
    made && (
      <>
        <p className="note note-so-far">
          <span>
            <strong>{soFarNames[made.soFar.product]}</strong>
            {` · ${toFacts(made).join(" · ")}`}
            {made.soFar.knownAt !== undefined && <KnownAt sequence={made.soFar.knownAt} />}
          </span>
        </p>
        <ArrivalNote />
      </>
    )
  );
}

function toFacts(made: MadeSoFar): string[] {
  const { soFar, facts, read } = made;
  const audit = toAudit(made);
  const isReading = facts === undefined && soFar.frames.length > 0;
  const used = isReading ? `${read} of ${soFar.frames.length} read` : usedWords(audit);
  const { laterStartMs } = soFar;
  const start = laterStartMs === undefined ? undefined : `loop now from ${clockMinute(laterStartMs)}`;
  return [spanWords(soFar), used, missingNote(audit), start].filter((part) => part !== undefined);
}

function KnownAt({ sequence }: { readonly sequence: number }): ReactNode {
  const revision = useViewerState(({ history }) =>
    history.all.find((candidate) => candidate.sequence === sequence),
  );
  const { time, publishedMs } = usePublished(revision);
  return ` · as known at ${publishedMs === undefined ? `revision ${sequence}` : time}`;
}

/** The newest arrival that changed a window already counted. */
function ArrivalNote(): ReactNode {
  const { store } = useViewer();
  const arrivals = useViewerState(selectSoFarArrivals);
  const newest = arrivals.at(-1);
  if (!newest) return null;
  const others = arrivals.length > 1 ? ` and ${arrivals.length - 1} more` : "";
  return (
    <p className="note note-warning" role="status">
      {`Revision ${newest.sequence}, of ${clockMinute(newest.observedMs)}${others}: now part of this`}
      <Button className="link" onPress={store.getState().dismissSoFarArrivals}>
        Dismiss
      </Button>
    </p>
  );
}
