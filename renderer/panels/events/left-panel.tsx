// The left edge: storm events above, layers below, and what must always be said of the data at the foot.
import type { ReactNode } from "react";
import { useViewerState } from "../../viewer-context.ts";
import { EventBar } from "./event-bar.tsx";
import { EventList } from "./event-list.tsx";
import { LayerList } from "../layers/layer-list.tsx";

export function LeftPanel(): ReactNode {
  const open = useViewerState((state) => state.leftPanelOpen);
  return (
    <aside className="left-panel" aria-label="Events and layers" hidden={!open}>
      <EventList />
      <EventBar />
      <LayerList />
    </aside>
  );
}
