// The note of a pane's row about what arrived since the pane showed its event: it moves nothing by itself.
import { useState, type ReactNode } from "react";
import { publicationsOf, type Revision } from "../../state/revisions.ts";
import { counted, utcMinute } from "../../text/format.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";

/** Give it the event's id as its key: what is told of one event says nothing about another. */
export function ArrivalNote({ onShow }: { readonly onShow: (revision: Revision) => void }): ReactNode {
  const { letter } = useViewer();
  const all = useViewerState((state) => state.history.all);
  const newest = all.at(-1);
  /** The highest sequence that needs no note; undefined until the event is read. */
  const [seen, setSeen] = useState(newest?.sequence);
  if (seen === undefined && newest) setSeen(newest.sequence);
  if (seen === undefined || newest === undefined || newest.sequence <= seen) return null;
  const publications = publicationsOf(all);
  const arrived = all.filter(({ sequence }) => sequence > seen);
  const correction = arrived.findLast(
    (revision) => publications[all.indexOf(revision)]!.kind === "correction",
  );
  const told = correction ?? newest;
  const words = correction
    ? `Revision ${correction.sequence} corrects ${utcMinute(correction.observedMs)}`
    : counted(arrived.length, "new revision", "new revisions");
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
