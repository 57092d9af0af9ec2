// The note of a pane's row about what arrived since the pane showed its event: it moves nothing by itself.
import { useState, type ReactNode } from "react";
import { indexFrom, publicationsOf, type Revision } from "../../state/timeline/revisions.ts";
import type { ViewerState } from "../../state/store.ts";
import { clockMinute, counted } from "../../text/format.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";

/** Give it the event's id as its key: what is told of one event says nothing about another. */
export function ArrivalNote({ onShow }: { readonly onShow: (revision: Revision) => void }): ReactNode {
  const { letter } = useViewer();
  const newest = useViewerState((state) => state.history.all.at(-1));
  /** The highest sequence that needs no note; undefined until the event is read. */
  const [seen, setSeen] = useState(newest?.sequence);
  if (seen === undefined && newest) setSeen(newest.sequence);
  const arrival = useViewerState((state) => findArrival(state, seen));
  if (newest === undefined || arrival === undefined) return null;
  const { count, correction } = arrival;
  const told = correction ?? newest;
  const words = correction
    ? `Revision ${correction.sequence} corrects ${clockMinute(correction.observedMs)}`
    : counted(count, "new revision", "new revisions");
  return (
    <p className={correction ? "pane-arrival warning" : "pane-arrival"} role="status">
      {words}
      <Button
        className="link"
        name={`Show revision ${told.sequence} in pane ${letter}`}
        onPress={() => {
          setSeen(newest.sequence);
          onShow(told);
        }}
      >
        Show
      </Button>
    </p>
  );
}

interface Arrival {
  readonly count: number;
  /** The newest correction among those that arrived. */
  readonly correction: Revision | undefined;
}

/** Returns what arrived after sequence `seen`; undefined if nothing did, and while "As known at" hides it. */
export function findArrival(
  { history: { all }, knownAt }: Pick<ViewerState, "history" | "knownAt">,
  seen: number | undefined,
): Arrival | undefined {
  if (seen === undefined || knownAt !== undefined) return undefined;
  const first = indexFrom(all, seen + 1);
  if (first === all.length) return undefined;
  const publications = publicationsOf(all);
  const correction = all.findLast((_, index) => index >= first && publications[index]!.kind === "correction");
  return { count: all.length - first, correction };
}
