// The two ends of the loop on the timeline: sliders, dragged or moved by keys.
import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { timeWithZone } from "../../../text/format.ts";
import { findShownLoopEnds, type LoopSpan } from "../../../state/timeline/loop.ts";
import { useViewer, useViewerState } from "../../../viewer-context.ts";
import { revisionAt, slotOf, type TimelineGeometry } from "../geometry/published-layout.ts";
import { toSteps } from "../geometry/slider-keys.ts";

interface LoopEndsProps {
  readonly geometry: TimelineGeometry;
}

/** Over the plot, and not in the slider of the timeline, which must not hold other sliders. */
export function LoopEnds({ geometry }: LoopEndsProps): ReactNode {
  const playhead = useViewerState((state) => state.playhead);
  const history = useViewerState((state) => state.history);
  const loop = useViewerState((state) => state.loop);
  const ends = findShownLoopEnds({ playhead, history }, loop);
  if (!ends) return null;
  return (
    <div className="loop-ends" data-whole={loop === "all"}>
      <LoopEnd end="first" geometry={geometry} ends={ends} />
      <LoopEnd end="last" geometry={geometry} ends={ends} />
    </div>
  );
}

interface LoopEndProps extends LoopEndsProps {
  readonly end: keyof LoopSpan;
  /** Indices of the revisions at both ends. */
  readonly ends: { readonly first: number; readonly last: number };
}

const names: Readonly<Record<keyof LoopSpan, string>> = {
  first: "Start of the loop",
  last: "End of the loop",
};

function LoopEnd({ end, ends, geometry }: LoopEndProps): ReactNode {
  const { store } = useViewer();
  const revisions = useViewerState((state) => state.history.revisions);
  /** Distance from the pointer to the dragged end, in CSS pixels. */
  const grabPx = useRef(0);
  const index = ends[end];
  const revision = revisions[index]!;
  const slot = slotOf(geometry, index);
  if (!slot) return null;
  const xPx = slot.xPx + (end === "last" ? geometry.blockPx : 0);
  const least = end === "first" ? 0 : ends.first + 1;
  const most = end === "last" ? revisions.length - 1 : ends.last - 1;

  function moveTo(target: number): void {
    store.getState().moveLoopEnd(end, revisions[Math.min(Math.max(target, least), most)]!.sequence);
  }

  function press(event: KeyboardEvent): void {
    const steps = toSteps(event);
    if (steps === undefined) return;
    moveTo(index + steps);
    event.preventDefault();
  }

  function drag(event: PointerEvent<HTMLDivElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const middlePx = end === "first" ? geometry.blockPx / 2 : -geometry.blockPx / 2;
    const target = revisionAt(geometry, event.clientX + grabPx.current + middlePx);
    if (target !== undefined) moveTo(target);
  }

  return (
    <div
      className={`loop-end loop-${end}`}
      style={{ translate: `${xPx}px 0` }}
      role="slider"
      tabIndex={0}
      aria-label={names[end]}
      aria-orientation="horizontal"
      aria-valuemin={revisions[least]!.sequence}
      aria-valuemax={revisions[most]!.sequence}
      aria-valuenow={revision.sequence}
      aria-valuetext={`Revision ${revision.sequence}; observed ${timeWithZone(revision.observedMs)}`}
      title={`${names[end]}: revision ${revision.sequence}. Drag, or press an arrow key`}
      onKeyDown={press}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        grabPx.current = xPx - event.clientX;
      }}
      onPointerMove={drag}
    />
  );
}
