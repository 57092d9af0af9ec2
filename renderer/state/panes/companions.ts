// Playing together: the active pane plays, and steps only when every pane that is locked to it can draw its own picture
// in the same repaint.
import type { Companions } from "../timeline/playback-driver.ts";
import { revisionState, type Readiness } from "../timeline/readiness.ts";
import type { Revision } from "../timeline/revisions.ts";
import { selectDrawn, selectWantedRevision } from "../selectors.ts";
import { findForPane } from "./lock-follower.ts";
import { selectVisiblePanes, type PanesStore } from "./pane-store.ts";

export function toCompanions(panesStore: PanesStore): Companions {
  return {
    areDrawn: () => {
      const panes = panesStore.getState();
      return selectVisiblePanes(panes).every((pane) => {
        if (panes.locked[pane.letter]?.kind !== "shown") return true;
        const state = pane.store.getState();
        const wanted = selectWantedRevision(state);
        return (
          !wanted ||
          selectDrawn(state)?.sequence === wanted.sequence ||
          revisionState(state, wanted) === "failed"
        );
      });
    },

    readinessFor: (revision: Revision): Readiness => {
      const panes = panesStore.getState();
      const isLoading = selectVisiblePanes(panes).some((pane) => {
        const next = findForPane(panes, pane, revision);
        return next?.kind === "shown" && revisionState(pane.store.getState(), next.revision) === "loading";
      });
      return isLoading ? "loading" : "ready";
    },
  };
}
