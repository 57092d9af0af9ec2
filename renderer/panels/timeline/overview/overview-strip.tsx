// The whole of a long event on one strip, and the part of it that the timeline draws: a slider that moves the part.
import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { windowMs } from "../../../../shared/revisions/observation-window.ts";
import type { PlayOrder } from "../../../state/timeline/play-order.ts";
import { selectWantedRevision } from "../../../state/selectors.ts";
import { clockMinute, minuteWithZone } from "../../../text/format.ts";
import { useViewerState } from "../../../viewer-context.ts";
import { toSteps } from "../geometry/slider-keys.ts";
import { mostPlaces, placeOf, toWhole, type Part } from "../geometry/timeline-part.ts";
import type { TimelineHistory } from "../timeline-history.ts";

interface OverviewProps {
  readonly history: TimelineHistory;
  readonly order: PlayOrder;
  readonly whole: Part;
  readonly part: Part;
  readonly widthPx: number;
  /** Draws the part that begins at this place. */
  readonly onMove: (first: number) => void;
}

/** Places that one press of an arrow key moves the part. */
const keyStep = 30;
const heightPx = 8;

export function OverviewStrip({ history, order, whole, part, widthPx, onMove }: OverviewProps): ReactNode {
  const wanted = useViewerState(selectWantedRevision);
  /** Distance from the pointer to the start of the part, in CSS pixels. */
  const grabPx = useRef(0);
  const count = whole.last - whole.first + 1;
  if (count <= mostPlaces) return null;
  const toPx = (place: number): number => ((place - whole.first) / count) * widthPx;
  const leftPx = toPx(part.first);
  const partPx = toPx(part.last + 1) - leftPx;

  function press(event: KeyboardEvent): void {
    const steps = toSteps(event);
    if (steps === undefined) return;
    event.preventDefault();
    onMove(part.first + steps * keyStep);
  }

  function drag(event: PointerEvent<HTMLDivElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const xPx = event.clientX - event.currentTarget.getBoundingClientRect().left - grabPx.current;
    onMove(whole.first + Math.round((xPx / widthPx) * count));
  }

  return (
    <div
      className="overview"
      role="slider"
      tabIndex={0}
      aria-label="Part of the event"
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={count - mostPlaces + 1}
      aria-valuenow={part.first - whole.first + 1}
      aria-valuetext={partWords(history, order, part)}
      title={`${partWords(history, order, part)}. Drag, or press an arrow key`}
      onKeyDown={press}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const xPx = event.clientX - event.currentTarget.getBoundingClientRect().left;
        const isInPart = xPx >= leftPx && xPx <= leftPx + partPx;
        grabPx.current = isInPart ? xPx - leftPx : partPx / 2;
        drag(event);
      }}
      onPointerMove={drag}
    >
      <svg width={widthPx} height={heightPx} aria-hidden="true">
        <path className="overview-held" d={toHeld({ history, order, whole }, toPx)} />
        <path className="overview-corrections" d={toCorrections(history, order, toPx)} />
        <rect className="overview-part" x={leftPx + 0.5} y={0.5} width={partPx - 1} height={heightPx - 1} />
        {wanted && (
          <rect
            className="overview-wanted"
            x={toPx(placeOf(history.all, order, wanted)) - 0.5}
            width={2}
            height={heightPx}
          />
        )}
      </svg>
    </div>
  );
}

/** Names nothing that "As known at" hides. */
function partWords({ all, known }: TimelineHistory, order: PlayOrder, { first, last }: Part): string {
  if (order === "published") {
    if (first >= known) return "Later revisions, hidden";
    return `Revisions ${all[first]!.sequence} to ${all[Math.min(last, known - 1)]!.sequence}`;
  }
  const lastKnown = known === all.length ? last : toWhole(all.slice(0, known), order).last;
  if (first > lastKnown) return "Later windows, hidden";
  return `${clockMinute(first * windowMs)} to ${minuteWithZone(Math.min(last, lastKnown) * windowMs)}`;
}

/** One run for neighboring places, so that gaps show. */
function toHeld(
  { history: { all, known }, order, whole }: Pick<OverviewProps, "history" | "order" | "whole">,
  toPx: (place: number) => number,
): string {
  const places =
    order === "published"
      ? [whole.first, known - 1]
      : [...new Set(all.slice(0, known).map((revision) => placeOf(all, order, revision)))].sort(
          (a, b) => a - b,
        );
  const runs: { from: number; to: number }[] = [];
  for (const place of places) {
    const open = runs.at(-1);
    if (open && (order === "published" || place === open.to + 1)) open.to = place;
    else runs.push({ from: place, to: place });
  }
  return runs
    .map(({ from, to }) => `M${toPx(from)} 3h${Math.max(1, toPx(to + 1) - toPx(from))}v2H${toPx(from)}z`)
    .join("");
}

function toCorrections(
  { all, publications, known }: TimelineHistory,
  order: PlayOrder,
  toPx: (place: number) => number,
): string {
  return publications
    .slice(0, known)
    .flatMap(({ kind }, index) => (kind === "correction" ? [all[index]!] : []))
    .map((revision) => `M${toPx(placeOf(all, order, revision))} 1h1.5v6h-1.5z`)
    .join("");
}
