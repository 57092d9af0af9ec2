// Zoom and the way back to the whole event.
import type { ReactNode } from "react";
import { useViewer } from "../../viewer-context.ts";
import { showWholeEvent } from "../events/event-area.ts";
import { MinusIcon, PlusIcon, WholeIcon } from "../controls/icons.tsx";

export function MapControls(): ReactNode {
  const viewer = useViewer();
  const { map } = viewer;
  return (
    <div className="map-controls" role="group" aria-label="Map view">
      <button type="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => map.find()?.zoomIn()}>
        <PlusIcon />
      </button>
      <button type="button" aria-label="Zoom out" title="Zoom out (−)" onClick={() => map.find()?.zoomOut()}>
        <MinusIcon />
      </button>
      <button
        type="button"
        aria-label="Whole event"
        title="Whole event in view (0)"
        onClick={() => {
          showWholeEvent(viewer);
        }}
      >
        <WholeIcon />
      </button>
    </div>
  );
}
