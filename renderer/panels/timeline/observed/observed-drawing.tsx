// The drawing in order of observation: a column per window, what it replaced above, threads down to the publications, a
// lane of coverage per layer, round times. SVG; colors are in theme.css.
import { memo, useMemo, type ReactNode } from "react";
import { windowMs } from "../../../../shared/revisions/observation-window.ts";
import { loopOrder } from "../../../state/timeline/loop.ts";
import { createReadinessSelector } from "../../../state/timeline/readiness.ts";
import type { Revision } from "../../../state/timeline/revisions.ts";
import { knownLayersOf, selectShownRevision, selectWantedRevision } from "../../../state/selectors.ts";
import { clockMinute } from "../../../text/format.ts";
import { useViewerState } from "../../../viewer-context.ts";
import { ReportLane } from "../../reports/report-lane.tsx";
import { SoFarLine } from "../../so-far/so-far-line.tsx";
import { BlockPath, Blocks, groupBlocks } from "../parts/blocks.tsx";
import { pickWindowLabels, type ObservedGeometry } from "../geometry/observed-layout.ts";
import {
  blockHeightPx,
  drawingHeightPx,
  laneHeightPx,
  lanePitchPx,
  rows,
  toRectangles,
} from "../geometry/rows.ts";
import type { TimelineHistory } from "../timeline-history.ts";
import { columnKind, type KnownColumn, type ObservedDrawingProps } from "./observed-facts.ts";
import { Publications } from "./publications.tsx";
import { useClock, useTimeLabelPx } from "../../hooks/use-clock.ts";

const axisLabelPx = 56;
/** Superseded revisions drawn above a column; the others are counted. */
export const mostTicks = 3;
const tickPitchPx = 4;

/** Returns the top of a tick above a column: the newest is lowest. */
export function tickTopPx(place: number): number {
  return rows.blockPx - (place + 1) * tickPitchPx;
}

export function ObservedDrawing(props: ObservedDrawingProps): ReactNode {
  const { geometry, columns, history, widthPx, pointedWindow } = props;
  const pointed = columns.find(({ window }) => window === pointedWindow);
  return (
    <svg className="timeline-drawing" width={widthPx} height={drawingHeightPx} aria-hidden="true">
      <Gaps geometry={geometry} />
      <Publications {...props} />
      <Columns geometry={geometry} columns={columns} history={history} />
      <SoFarLine geometry={geometry} />
      <ReportLane geometry={geometry} />
      <Coverage geometry={geometry} columns={columns} history={history} />
      <Readiness geometry={geometry} columns={columns} history={history} />
      <Times geometry={geometry} />
      {pointed && <BlockPath kind="tl-pointed" lefts={[pointed.xPx]} blockPx={geometry.blockPx} />}
      <Cursor geometry={geometry} columns={columns} history={history} />
    </svg>
  );
}

interface PartProps {
  readonly geometry: ObservedGeometry;
  readonly columns: readonly KnownColumn[];
  readonly history: TimelineHistory;
}

/** A window that never came is a gap with two dots where there is room, and a line of the axis elsewhere. */
const Gaps = memo(function Gaps({ geometry }: { geometry: ObservedGeometry }): ReactNode {
  const yPx = rows.blockPx + blockHeightPx / 2;
  if (geometry.pitchPx < 8) return null;
  const dots = geometry.gaps.map(({ xPx }) => {
    const middlePx = Math.round(xPx + geometry.blockPx / 2);
    return `M${middlePx - 4} ${yPx}h2m3 0h2`;
  });
  return <path className="tl-gap-dots" d={dots.join("")} />;
});

const Columns = memo(function Columns({ geometry, columns, history }: PartProps): ReactNode {
  const { blockPx } = geometry;
  const kinds = groupBlocks(
    columns.map((column) => ({ kind: columnKind(column, history), xPx: column.xPx })),
  );
  const ticks = columns.flatMap(({ xPx, superseded, newest }) =>
    superseded.slice(0, mostTicks).map((index, place) => ({
      xPx,
      topPx: tickTopPx(place),
      // The tick wears the color of what replaced it.
      isCorrected:
        history.publications[place === 0 ? newest! : superseded[place - 1]!]!.kind === "correction",
      index,
    })),
  );
  const toTicks = (isCorrected: boolean): string =>
    ticks
      .filter((tick) => tick.isCorrected === isCorrected)
      .map(({ xPx, topPx }) => toRectangles([xPx], { topPx, widthPx: blockPx, heightPx: 2 }))
      .join("");
  return (
    <>
      <Blocks kinds={kinds} blockPx={blockPx} />
      <path className="tl-tick-corrected" d={toTicks(true)} />
      <path className="tl-tick" d={toTicks(false)} />
      {columns
        .filter(({ superseded }) => superseded.length > mostTicks && blockPx >= 16)
        .map(({ window, xPx, superseded }) => (
          <text key={window} className="tl-more" x={xPx + blockPx / 2} y={tickTopPx(mostTicks - 1) - 2}>
            +{superseded.length - mostTicks}
          </text>
        ))}
    </>
  );
});

const Coverage = memo(function Coverage({ geometry, columns, history: { all } }: PartProps): ReactNode {
  return knownLayersOf(all).map((layer, lane) => (
    <path
      key={layer.id}
      className={`tl-lane-${layer.id}`}
      d={toRectangles(
        columns
          .filter(
            ({ newest }) => newest !== undefined && all[newest]!.layers.some((own) => own.id === layer.id),
          )
          .map(({ xPx }) => xPx),
        { topPx: rows.coveragePx + lane * lanePitchPx, widthPx: geometry.blockPx, heightPx: laneHeightPx },
      )}
    />
  ));
});

/** Lines at the columns: what the loop plays, what is loaded, and what failed. */
function Readiness({ geometry: { blockPx }, columns, history: { all } }: PartProps): ReactNode {
  const shown = useMemo(() => columns.filter(({ newest }) => newest !== undefined), [columns]);
  const select = useMemo(
    () => createReadinessSelector(shown.map(({ newest }) => all[newest!]!)),
    [shown, all],
  );
  const states = useViewerState(select);
  const loop = useViewerState((state) => state.loop);
  const revisions = useViewerState((state) => state.history.revisions);
  const played = useMemo(
    () => (loop === "all" ? undefined : new Set(loopOrder(revisions, loop, "observed"))),
    [revisions, loop],
  );
  const ready = shown.filter((_, place) => states[place] === "ready").map(({ xPx }) => xPx);
  const failed = shown.filter((_, place) => states[place] === "failed");
  const looped = shown.filter(({ newest }) => played?.has(all[newest!]!.sequence)).map(({ xPx }) => xPx);
  return (
    <>
      <path
        className="tl-ready"
        d={toRectangles(ready, { topPx: rows.readyPx, widthPx: blockPx, heightPx: 2 })}
      />
      <path
        className="tl-loop"
        d={toRectangles(looped, { topPx: rows.loopPx - 8, widthPx: blockPx, heightPx: 2 })}
      />
      {failed.map(({ window, xPx }) => (
        <circle key={window} className="tl-failed" cx={xPx + blockPx / 2} cy={rows.readyPx + 1} r={2} />
      ))}
    </>
  );
}

const Times = memo(function Times({ geometry }: { geometry: ObservedGeometry }): ReactNode {
  useClock();
  const labelPx = useTimeLabelPx(axisLabelPx);
  const { part, pitchPx, blockPx } = geometry;
  return pickWindowLabels(geometry, labelPx).map((window) => (
    <text key={window} x={(window - part.first) * pitchPx + blockPx / 2} y={rows.observedTimePx}>
      {clockMinute(window * windowMs)}
    </text>
  ));
});

function Cursor({ geometry, columns, history: { all } }: PartProps): ReactNode {
  const shown = useViewerState(selectShownRevision);
  const wanted = useViewerState(selectWantedRevision);
  const columnOf = (revision: Revision | undefined): KnownColumn | undefined =>
    columns.find(({ window }) => window === revision?.window);
  const column = columnOf(shown);
  if (!column || !shown) return null;
  const next = wanted === shown ? undefined : columnOf(wanted);
  const { blockPx } = geometry;
  const xPx = Math.round(column.xPx + blockPx / 2);
  const place = column.superseded.indexOf(all.indexOf(shown));
  return (
    <g className="tl-cursor">
      <line x1={xPx} x2={xPx} y1={rows.loopPx - 8} y2={rows.coveragePx + lanePitchPx + laneHeightPx + 4} />
      {place < 0 ? (
        <BlockPath kind="tl-cursor-block" lefts={[column.xPx]} blockPx={blockPx} />
      ) : (
        <rect
          className="tl-cursor-block"
          x={column.xPx}
          y={tickTopPx(Math.min(place, mostTicks - 1)) - 1}
          width={blockPx}
          height={4}
        />
      )}
      {next && next !== column && <BlockPath kind="tl-cursor-wanted" lefts={[next.xPx]} blockPx={blockPx} />}
    </g>
  );
}
