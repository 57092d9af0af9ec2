// The maps of the screen: one, or the panes side by side, each in its own viewer's context.
import { useEffect, useSyncExternalStore, type ReactNode } from "react";
import { selectVisiblePanes } from "../../state/panes/pane-store.ts";
import { toPaneViewer, usePanes, useViewer, ViewerContext } from "../../viewer-context.ts";
import { MapArea } from "../map/map-area.tsx";
import { linkMaps } from "./link-maps.ts";

/** Below this width there is room for two panes, one above the other. */
const narrowScreen = matchMedia("(max-width: 999px)");

export function PaneGrid(): ReactNode {
  const main = useViewer();
  const visible = usePanes(selectVisiblePanes);
  const isNarrow = useSyncExternalStore(followWidth, () => narrowScreen.matches);
  useEffect(() => {
    main.panes.setNarrow(isNarrow);
  }, [main, isNarrow]);
  useEffect(() => linkMaps(main), [main]);
  return (
    <main className="panes" data-panes={visible.length}>
      {visible.map((pane) => (
        <ViewerContext key={pane.letter} value={toPaneViewer(main, pane)}>
          <MapArea />
        </ViewerContext>
      ))}
    </main>
  );
}

function followWidth(onChange: () => void): () => void {
  narrowScreen.addEventListener("change", onChange);
  return () => {
    narrowScreen.removeEventListener("change", onChange);
  };
}
