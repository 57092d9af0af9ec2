// The line on the map between the revision before and the one after, and the choice of one side for the whole map.
import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { selectChangePair, type ChangePair } from "../../state/change/change-pair.ts";
import { selectComparison } from "../../state/change/change-scene.ts";
import type { Revision } from "../../state/timeline/revisions.ts";
import type { ComparedSide } from "../../state/slices/change-slice.ts";
import { clockTime } from "../../text/format.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { SwipeIcon } from "../controls/icons.tsx";
import { Segmented, type SegmentOption } from "../controls/segmented.tsx";
import { useShortcut } from "../hooks/use-shortcut.ts";

const sideOptions: readonly SegmentOption<ComparedSide>[] = [
  { value: "before", label: "Before" },
  { value: "swipe", label: "Swipe" },
  { value: "after", label: "After" },
];

/** Steps of the line for an arrow key, and with Shift, as parts of the map's width. */
const step = 0.01;
const longStep = 0.1;

/** Says which revision is on which side of the line. */
export function SwipeLabels(): ReactNode {
  const pair = useViewerState(selectChangePair);
  const swipe = useViewerState((state) => selectComparison(state)?.swipe);
  if (!pair || swipe === undefined) return null;
  const isSplit = swipe > 0 && swipe < 1;
  return (
    <div className="swipe-labels" style={{ "--at": `${swipe * 100}%` }}>
      {swipe > 0 && (
        <p className={isSplit ? "swipe-before" : "swipe-whole"}>
          <strong>Before</strong> revision {pair.before.sequence}
          {timeWords(pair, pair.before)}
        </p>
      )}
      {swipe < 1 && (
        <p className={isSplit ? "swipe-after" : "swipe-whole"}>
          <strong>After</strong> revision {pair.after.sequence}
          {timeWords(pair, pair.after)}
          <span className="swipe-more">, with what changed</span>
        </p>
      )}
    </div>
  );
}

/** Over the map, while a pair is on it. */
export function SwipeOverMap(): ReactNode {
  const { store } = useViewer();
  const pair = useViewerState(selectChangePair);
  const swipe = useViewerState((state) => selectComparison(state)?.swipe);
  const side = useViewerState((state) => state.comparedSide);
  const holdKey = useShortcut("hold-before").label;
  if (!pair || swipe === undefined) return null;
  return (
    <>
      {side === "swipe" && <SwipeLine />}
      <SwipeLabels />
      <div className="compare-bar">
        <span className="quiet">Compare</span>
        <Segmented
          legend="Side of the comparison"
          options={sideOptions}
          value={side}
          onChange={store.getState().setComparedSide}
        />
        {holdKey !== undefined && (
          <span className="quiet compare-hold">
            hold <kbd>{holdKey}</kbd>
          </span>
        )}
      </div>
    </>
  );
}

/** Revisions of two windows wear their times. */
function timeWords({ isOneWindow }: ChangePair, { observedMs }: Revision): string {
  return isOneWindow ? "" : ` · ${clockTime(observedMs)}`;
}

function SwipeLine(): ReactNode {
  const { store } = useViewer();
  const swipe = useViewerState((state) => state.swipeAt);
  const isHidden = useViewerState((state) => state.holdsBefore);
  const track = useRef<HTMLDivElement>(null);
  const percent = Math.round(swipe * 100);

  function press(event: KeyboardEvent): void {
    const { swipeAt, setSwipeAt } = store.getState();
    const by = event.shiftKey ? longStep : step;
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: swipeAt - by,
      ArrowDown: swipeAt - by,
      ArrowRight: swipeAt + by,
      ArrowUp: swipeAt + by,
      Home: 0,
      End: 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    // Hundredths keep the line where its words say.
    setSwipeAt(Math.round(target * 100) / 100);
  }

  function drag(event: PointerEvent): void {
    const box = track.current?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    store.getState().setSwipeAt((event.clientX - box.left) / box.width);
  }

  return (
    <div className="swipe-track" ref={track}>
      <div
        className={isHidden ? "swipe-line swipe-hidden" : "swipe-line"}
        role="slider"
        tabIndex={0}
        aria-label="Swipe line"
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${percent} percent`}
        style={{ left: `${swipe * 100}%` }}
        onKeyDown={press}
        onPointerDown={(event) => {
          if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={drag}
      >
        <span className="swipe-handle" aria-hidden="true">
          <SwipeIcon />
        </span>
      </div>
    </div>
  );
}
