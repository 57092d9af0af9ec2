// The map on the page, and its crosshair for the keyboard.
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import type { PaneLetter } from "../../state/panes/pane-store.ts";
import { selectDrawn } from "../../state/selectors.ts";
import { useIsSideBySide, usePaneName, useViewer, useViewerState } from "../../viewer-context.ts";
import { toToolPoint } from "../../state/tools/motion-line.ts";
import { attachMap } from "./attach-map.ts";

/** Returns the id of a pane's map on the page. */
export function toMapRegionId(letter: PaneLetter): string {
  return letter === "A" ? "storm-map" : `storm-map-${letter.toLowerCase()}`;
}

/** Step of the crosshair for an arrow key, in CSS pixels; with Shift, the long one. */
const stepPx = 12;
const longStepPx = 96;
const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function StormMapRegion(): ReactNode {
  const viewer = useViewer();
  const container = useRef<HTMLDivElement>(null);
  const helpId = useId();
  const name = usePaneName("Storm map");
  const isSideBySide = useIsSideBySide();
  // Undefined if no layer is drawn: all hidden, failed or not received.
  const sequence = useViewerState((state) => {
    const drawn = selectDrawn(state);
    return drawn && drawn.layers.length > 0 ? drawn.sequence : undefined;
  });

  const knownAt = useViewerState((state) => state.knownAt);
  const toolTaking = useViewerState((state) => state.toolTaking);
  const marked = useViewerState((state) => state.chosenPlace?.label);

  useEffect(() => (container.current ? attachMap(viewer, container.current) : undefined), [viewer]);

  function press(event: KeyboardEvent): void {
    // After a click the focus is inside the map, where the arrows step through the frames as everywhere else.
    if (event.target !== event.currentTarget) return;
    const direction = directions[event.key];
    const px = event.shiftKey ? longStepPx : stepPx;
    const state = viewer.store.getState();
    const { crosshair, setCrosshair, picture, togglePin, unpin } = state;
    if (direction) {
      event.preventDefault();
      event.stopPropagation();
      if (crosshair) viewer.map.find()?.panBy(direction[0] * px, direction[1] * px);
      else setCrosshair(true);
    } else if (event.key === "Enter" && picture.probe) {
      event.preventDefault();
      if (toolTaking) state.addToolPoint(toToolPoint(state, picture.probe.pointer.coordinate));
      else togglePin(picture.probe.pointer);
    } else if (event.key === "Escape" && toolTaking) {
      event.preventDefault();
      state.endTool();
    } else if (event.key === "Escape" && picture.pin) {
      event.preventDefault();
      unpin();
    } else if (event.key === "Escape" && crosshair) {
      event.preventDefault();
      setCrosshair(false);
    }
  }

  return (
    <div
      id={toMapRegionId(viewer.letter)}
      className="map-region"
      role="region"
      aria-label={name}
      aria-describedby={helpId}
      tabIndex={0}
      data-sequence={sequence}
      data-known-at={knownAt}
      data-tool={toolTaking}
      data-pane={isSideBySide ? viewer.letter : undefined}
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
        {marked !== undefined && `Marked: ${marked}. `}Arrow keys move a crosshair that reads the layers.
        Enter pins the reading, Escape unpins it and leaves the crosshair.
      </p>
      <div className="map-container" ref={container} />
    </div>
  );
}
