// One pane's row of the timeline: a block a window, or a revision; a click or a key steps the pane.
import { splitLabel } from "../../../shared/revisions/event-origin.ts";
import { memo, useMemo, type KeyboardEvent, type ReactNode } from "react";
import { publicationsOf, type Revision } from "../../state/timeline/revisions.ts";
import { selectSelectedEvent, selectShownRevision } from "../../state/selectors.ts";
import { clockMinute, timeWithZone } from "../../text/format.ts";
import { usePanes, useViewer, useViewerState } from "../../viewer-context.ts";
import { toSteps } from "../timeline/geometry/slider-keys.ts";
import type { MeasuredWidth } from "../timeline/use-width.ts";
import { blockWidthPx, markAt, middlePx, type AxisRow } from "./pane-axis.ts";
import { ArrivalNote } from "./arrival-note.tsx";

const heightPx = 20;
const blockHeightPx = 14;

interface PaneRowProps {
  readonly row: AxisRow;
  readonly widthPx: number;
  /** Measures the plot; all rows have the same width. */
  readonly plot: MeasuredWidth["ref"] | undefined;
}

export function PaneRow({ row, widthPx, plot }: PaneRowProps): ReactNode {
  const { letter, store, panes } = useViewer();
  const isActive = usePanes(({ active }) => active === letter);
  const lock = usePanes((state) => state.lock);
  const revisions = useViewerState((state) => state.history.revisions);
  const label = useViewerState((state) => selectSelectedEvent(state)?.label ?? "No event");
  const shown = useViewerState(selectShownRevision);
  const eventId = useViewerState((state) => state.selectedEventId);

  function show(revision: Revision): void {
    panes.activate(letter);
    store.getState().goTo(revision.sequence);
  }

  function press(event: KeyboardEvent): void {
    const steps = toSteps(event);
    if (steps === undefined) return;
    event.preventDefault();
    panes.activate(letter);
    const order = lock === "sequence" ? "published" : "observed";
    const { step, goToFirst, goToLast } = store.getState();
    if (steps === -Infinity) goToFirst(order);
    else if (steps === Infinity) goToLast(order);
    else step(steps, order);
  }

  return (
    <div className="pane-row" data-active={isActive}>
      <span className="pane-row-label" title={label}>
        <span className="pane-letter" data-active={isActive} aria-hidden="true">
          {letter}
        </span>
        <span>{splitLabel(label).name}</span>
      </span>
      <div
        ref={plot}
        className="pane-track"
        role="slider"
        tabIndex={0}
        aria-label={`Timeline of pane ${letter}`}
        aria-valuemin={revisions[0]?.sequence ?? 0}
        aria-valuemax={revisions.at(-1)?.sequence ?? 0}
        aria-valuenow={shown?.sequence ?? 0}
        aria-valuetext={
          shown ? `Revision ${shown.sequence}; observed ${timeWithZone(shown.observedMs)}` : "No frames"
        }
        onKeyDown={press}
        onClick={({ clientX, currentTarget }) => {
          const mark = markAt(row, clientX - currentTarget.getBoundingClientRect().left, widthPx);
          if (mark) show(mark.revision);
        }}
      >
        {widthPx > 0 && row.marks.length > 0 && (
          <svg className="pane-drawing" width={widthPx} height={heightPx} aria-hidden="true">
            <line className="tl-base" x1={0} x2={widthPx} y1={heightPx / 2} y2={heightPx / 2} />
            <Blocks row={row} widthPx={widthPx} revisions={revisions} />
            {shown && <Cursor row={row} widthPx={widthPx} shown={shown} isActive={isActive} />}
          </svg>
        )}
        {!row.isShared && row.marks.length > 0 && <Ends row={row} />}
      </div>
      <ArrivalNote key={eventId} onShow={show} />
    </div>
  );
}

interface BlocksProps {
  readonly row: AxisRow;
  readonly widthPx: number;
  readonly revisions: readonly Revision[];
}

/** Late publications differ in color, and those that fill in an older window in shape too. */
const Blocks = memo(function Blocks({ row, widthPx, revisions }: BlocksProps): ReactNode {
  const publications = publicationsOf(revisions);
  const places = new Map(revisions.map((revision, index) => [revision, index]));
  const blockPx = blockWidthPx(row, widthPx);
  return row.marks.map(({ revision, at }) => {
    const kind = publications[places.get(revision) ?? -1]?.kind ?? "new";
    const isOutline = kind === "backfill" && blockPx >= 6;
    return (
      <rect
        key={revision.sequence}
        className={isOutline ? "tl-outline" : `tl-block tl-${kind}`}
        x={Math.round(middlePx(row, at, widthPx) - blockPx / 2) + (isOutline ? 0.5 : 0)}
        y={(heightPx - blockHeightPx) / 2 + (isOutline ? 0.5 : 0)}
        width={blockPx - (isOutline ? 1 : 0)}
        height={blockHeightPx - (isOutline ? 1 : 0)}
        rx={blockPx >= 6 ? 2 : 0}
      />
    );
  });
});

interface CursorProps {
  readonly row: AxisRow;
  readonly widthPx: number;
  readonly shown: Revision;
  readonly isActive: boolean;
}

/** The block of the picture on screen: in accent for the pane that leads, as an outline for the others. */
function Cursor({ row, widthPx, shown, isActive }: CursorProps): ReactNode {
  const mark = useMemo(() => findMark(row, shown), [row, shown]);
  if (!mark) return null;
  const blockPx = Math.max(4, blockWidthPx(row, widthPx));
  const middle = Math.round(middlePx(row, mark.at, widthPx));
  return (
    <g className={isActive ? "pane-cursor active" : "pane-cursor"}>
      <line x1={middle} x2={middle} y1={-4} y2={heightPx + 4} />
      <rect
        x={middle - blockPx / 2}
        y={(heightPx - blockHeightPx) / 2}
        width={blockPx}
        height={blockHeightPx}
        rx={2}
      />
    </g>
  );
}

/** A replaced revision stands at the place of its window. */
function findMark(
  { marks }: AxisRow,
  { sequence, observedMs }: Revision,
): AxisRow["marks"][number] | undefined {
  return (
    marks.find(({ revision }) => revision.sequence === sequence) ??
    marks.find(({ revision }) => Math.abs(revision.observedMs - observedMs) < 60_000)
  );
}

/** The ends of a row with an axis of its own. */
function Ends({ row: { marks } }: { readonly row: AxisRow }): ReactNode {
  return (
    <span className="pane-ends caption" aria-hidden="true">
      <span>{clockMinute(marks[0]!.revision.observedMs)}</span>
      <span>{clockMinute(marks.at(-1)!.revision.observedMs)}</span>
    </span>
  );
}
