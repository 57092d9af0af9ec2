// The note on a view that was opened: what differs from it, what one can do, and the way back. It stays out of the way
// of the storm, and nothing waits for it.
import type { ReactNode } from "react";
import { useShallow } from "zustand/react/shallow";
import type { ViewDifference } from "../../../shared/views/view-differences.ts";
import { keepView, leaveView } from "../../state/views/open-view-text.ts";
import { toViewNote } from "../../text/view-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";

export function OpenedViewNote(): ReactNode {
  const viewer = useViewer();
  const opened = useViewerState(useShallow((state) => state.openedView));
  const isVisiting = useViewerState((state) => state.isVisiting);
  if (!opened) return null;
  const { title, words } = toViewNote(opened);
  return (
    <section className="view-note" aria-label="Opened view" data-phase={opened.phase}>
      <div role="status">
        <h2>{title}</h2>
        <p>{words}</p>
        {opened.phase === "shown" && <Differences differences={opened.differences} />}
      </div>
      {opened.phase !== "opening" && (
        <div className="button-row">
          {isVisiting && <Button onPress={() => void leaveView(viewer)}>Back to my view</Button>}
          <Button
            onPress={() => {
              keepView(viewer);
            }}
          >
            {isVisiting ? "Keep this view" : "Close"}
          </Button>
        </div>
      )}
    </section>
  );
}

function Differences({ differences }: { readonly differences: readonly ViewDifference[] }): ReactNode {
  if (differences.length === 0) return null;
  return (
    <ul>
      {differences.map((difference) => (
        <li key={difference.sentence} data-kind={difference.kind}>
          {difference.sentence}
          <ShowReplacement {...difference} />
        </li>
      ))}
    </ul>
  );
}

/** Shows the revision that replaced the one of the view, now: as known at an earlier one it is not known. */
function ShowReplacement({ pane, replacedBy }: ViewDifference): ReactNode {
  const { panes } = useViewer();
  if (replacedBy === undefined || pane === undefined) return null;
  return (
    <Button
      className="link"
      onPress={() => {
        const state = panes.store.getState().panes[pane]?.store.getState();
        if ((state?.knownAt ?? Infinity) < replacedBy) state?.backToNow();
        state?.goTo(replacedBy);
      }}
    >
      Show revision {replacedBy}
    </Button>
  );
}
