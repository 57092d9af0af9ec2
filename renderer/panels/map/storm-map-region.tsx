// The map on the page, and its crosshair by keyboard.
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import { selectDrawn } from "../../state/selectors.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { attachMap } from "./attach-map.ts";

export const mapRegionId = "storm-map";

/** How far an arrow key moves the crosshair, in CSS pixels. */
const stepPx = 12;
const longStepPx = 96;

export function StormMapRegion(): ReactNode {
  const viewer = useViewer();
  const container = useRef<HTMLDivElement>(null);
  const helpId = useId();
  // A picture whose layers are all hidden, failed or not delivered draws none.
  const sequence = useViewerState((state) => {
    const drawn = selectDrawn(state);
    return drawn && drawn.layers.length > 0 ? drawn.sequence : undefined;
  });

  const marked = useViewerState((state) => state.chosenPlace?.label);

  useEffect(() => (container.current ? attachMap(viewer, container.current) : undefined), [viewer]);

  function press(event: KeyboardEvent): void {
    // A click leaves the focus inside the map: there the arrows step through the revisions, as they do everywhere else.
    if (event.target !== event.currentTarget) return;
    const move = arrowMove(event.key, event.shiftKey ? longStepPx : stepPx);
    const { crosshair, setCrosshair } = viewer.store.getState();
    if (move) {
      event.preventDefault();
      event.stopPropagation();
      if (crosshair) viewer.map.find()?.panBy(...move);
      else setCrosshair(true);
    } else if (event.key === "Escape" && crosshair) {
      event.preventDefault();
      setCrosshair(false);
    }
  }

  return (
    <div
      id={mapRegionId}
      className="map-region"
      role="region"
      aria-label="Storm map"
      aria-describedby={helpId}
      tabIndex={0}
      data-sequence={sequence}
      onKeyDown={press}
      onFocus={(event) => {
        if (event.target === event.currentTarget && event.target.matches(":focus-visible")) {
          viewer.store.getState().setCrosshair(true);
        }
      }}
      onBlur={() => {
        viewer.store.getState().setCrosshair(false);
      }}
    >
      <p className="unseen" id={helpId}>
        {marked !== undefined && `Marked: ${marked}. `}Arrow keys move a crosshair that reads the layers;
        Escape leaves it.
      </p>
      <div className="map-container" ref={container} />
    </div>
  );
}

function arrowMove(key: string, px: number): [xPx: number, yPx: number] | undefined {
  switch (key) {
    case "ArrowLeft":
      return [-px, 0];
    case "ArrowRight":
      return [px, 0];
    case "ArrowUp":
      return [0, -px];
    case "ArrowDown":
      return [0, px];
    default:
      return undefined;
  }
}
