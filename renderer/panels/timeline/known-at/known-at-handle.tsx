// The handle of "As known at": a slider over the publications, dragged or moved by keys. At rest it stands at now.
import { useEffect, useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { clockTime } from "../../../text/format.ts";
import { useViewer, useViewerState } from "../../../viewer-context.ts";
import { publicationAt, toHandlePx, type PublicationAxis } from "../geometry/publication-axis.ts";
import { rows } from "../geometry/rows.ts";
import { toSteps } from "../geometry/slider-keys.ts";
import { knownAtHandleClass } from "./handle-focus.ts";
import { useKnownAt } from "./use-known-at.ts";

/** Height of the part that can be grabbed, besides the flag. */
const gripHeightPx = 24;
/** From the flag down to the times. */
const linePx = rows.observedTimePx - 30;

interface KnownAtHandleProps {
  readonly axis: PublicationAxis;
  /** Middle of the grip, from the top of the drawing. */
  readonly gripPx: number;
  /** Rows to the right of the handle that show nothing known. */
  readonly hatch: { readonly topPx: number; readonly bottomPx: number };
}

export function KnownAtHandle({ axis, gripPx, hatch }: KnownAtHandleProps): ReactNode {
  const all = useViewerState((state) => state.history.all);
  const known = useViewerState((state) => state.history.revisions.length);
  const at = useKnownAt();
  const { moveTo, drag } = useHandleMoves(axis);
  const newest = all.at(-1)?.sequence;
  if (newest === undefined) return null;
  const xPx = Math.round(toHandlePx(axis, known, all.length));

  function press(event: KeyboardEvent): void {
    const steps = toSteps(event);
    if (steps === undefined) return;
    event.preventDefault();
    // Now is the place after the last publication but one: at the last one nothing is hidden.
    moveTo(Math.min(Math.max(known - 1 + steps, 0), all.length - 1));
  }

  return (
    <div className="known-at" data-on={at !== undefined}>
      {at && (
        <div
          className="known-at-hatch"
          style={{
            left: xPx,
            top: hatch.topPx,
            width: Math.max(0, axis.widthPx - xPx),
            height: hatch.bottomPx - hatch.topPx,
          }}
        />
      )}
      <div
        className={knownAtHandleClass}
        style={{ translate: `${xPx}px 0`, top: gripPx - gripHeightPx / 2 }}
        role="slider"
        tabIndex={0}
        aria-label="As known at"
        aria-orientation="horizontal"
        aria-valuemin={all[0]!.sequence}
        aria-valuemax={newest}
        aria-valuenow={at?.sequence ?? newest}
        aria-valuetext={at ? at.spoken : `Now, sequence ${newest}, nothing hidden`}
        title="As known at: drag, or press K and an arrow key"
        onKeyDown={press}
        onPointerDown={(event) => {
          if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={drag}
      >
        <span className="known-at-line" style={{ top: gripHeightPx / 2 - gripPx + 16, height: linePx }} />
        <span
          className="known-at-flag"
          style={{ top: gripHeightPx / 2 - gripPx, ...flagStyle(xPx, axis.widthPx) }}
        >
          {at ? (at.publishedMs === undefined ? at.sequence : clockTime(at.publishedMs)) : "now"}
        </span>
        <span className="known-at-grip" />
      </div>
    </div>
  );
}

/** The flag stays within the plot: at the right edge it hangs to the left of the handle. */
function flagStyle(xPx: number, widthPx: number): { translate: string } {
  const overPx = Math.max(0, xPx + 34 - widthPx);
  return { translate: `calc(-50% - ${overPx}px) 0` };
}

interface HandleMoves {
  /** Moves the handle to the revision at this index of all held; now for the newest. */
  readonly moveTo: (index: number) => void;
  readonly drag: (event: PointerEvent<HTMLDivElement>) => void;
}

/** Moves at most once per animation frame, at which pace the map follows. */
function useHandleMoves(axis: PublicationAxis): HandleMoves {
  const { store } = useViewer();
  const pending = useRef<{ readonly frame: number } | undefined>(undefined);
  const pointerPx = useRef(0);
  useEffect(
    () => () => {
      if (pending.current) cancelAnimationFrame(pending.current.frame);
    },
    [],
  );

  function moveTo(index: number): void {
    const { history, setKnownAt, backToNow } = store.getState();
    const revision = history.all[index];
    if (revision) setKnownAt(revision.sequence);
    else backToNow();
  }

  function drag(event: PointerEvent<HTMLDivElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const plot = event.currentTarget.parentElement!.getBoundingClientRect();
    pointerPx.current = event.clientX - plot.left;
    pending.current ??= {
      frame: requestAnimationFrame(() => {
        pending.current = undefined;
        const total = store.getState().history.all.length;
        const index = publicationAt(axis, pointerPx.current, total);
        if (index !== undefined) moveTo(index);
      }),
    };
  }

  return { moveTo, drag };
}
