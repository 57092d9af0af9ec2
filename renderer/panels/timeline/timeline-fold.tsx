// Folding the timeline to one row of blocks, which gives the map its height.
import { useSyncExternalStore, type ReactNode } from "react";
import type { ViewerState } from "../../state/store.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { FoldIcon, UnfoldIcon } from "../controls/icons.tsx";
import { useShortcut } from "../hooks/use-shortcut.ts";

/** On a screen this low the timeline is folded until the person unfolds it. */
const lowScreen = matchMedia("(max-height: 500px)");

export function isTimelineFolded({ timelineFolded }: Pick<ViewerState, "timelineFolded">): boolean {
  return timelineFolded ?? lowScreen.matches;
}

export function useTimelineFolded(): boolean {
  const timelineFolded = useViewerState((state) => state.timelineFolded);
  // Renders again when the screen becomes low, or ceases to be.
  useSyncExternalStore(followScreen, () => lowScreen.matches);
  return isTimelineFolded({ timelineFolded });
}

function followScreen(onChange: () => void): () => void {
  lowScreen.addEventListener("change", onChange);
  return () => {
    lowScreen.removeEventListener("change", onChange);
  };
}

export function TimelineFold(): ReactNode {
  const { store } = useViewer();
  const isFolded = useTimelineFolded();
  const { after, aria } = useShortcut("fold-timeline");
  return (
    <button
      type="button"
      className="icon-button tiny timeline-fold"
      aria-label="Timeline details"
      aria-expanded={!isFolded}
      title={after(isFolded ? "Unfold the timeline" : "Fold the timeline")}
      aria-keyshortcuts={aria}
      onClick={() => {
        store.getState().setTimelineFolded(!isFolded);
      }}
    >
      {isFolded ? <UnfoldIcon /> : <FoldIcon />}
    </button>
  );
}
