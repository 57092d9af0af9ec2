// The correction that has arrived while the person looks, until they go to it or the next revision arrives.
import { useEffect, useState } from "react";
import type { Revision } from "../../../state/timeline/revisions.ts";
import { publicationsOf } from "../../../state/timeline/revisions.ts";
import { selectWantedSequence } from "../../../state/timeline/playhead.ts";
import type { ViewerState } from "../../../state/store.ts";
import { useViewer, useViewerState } from "../../../viewer-context.ts";

/** Returns the sequence of the correction; undefined while "As known at" hides what arrives. */
export function useArrivedCorrection(): number | undefined {
  const { store } = useViewer();
  const [arrived, setArrived] = useState<Revision>();
  useEffect(
    () =>
      store.subscribe((state, before) => {
        if (state.selectedEventId !== before.selectedEventId) setArrived(undefined);
        else if (state.history.all !== before.history.all && before.history.phase === "ready")
          setArrived((last) => findArrived(state, before, last));
      }),
    [store],
  );
  return useViewerState((state) =>
    arrived &&
    state.knownAt === undefined &&
    state.history.all.includes(arrived) &&
    selectWantedSequence(state) !== arrived.sequence
      ? arrived.sequence
      : undefined,
  );
}

function findArrived(
  { history: { all } }: ViewerState,
  before: ViewerState,
  last: Revision | undefined,
): Revision | undefined {
  const newest = all.at(-1);
  const newestBefore = before.history.all.at(-1)?.sequence ?? 0;
  if (!newest || newest.sequence <= newestBefore)
    return all.find(({ sequence }) => sequence === last?.sequence);
  return publicationsOf(all).at(-1)?.kind === "correction" ? newest : undefined;
}
