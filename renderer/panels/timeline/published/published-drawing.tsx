// The drawing in order of publication: one block per revision, what is loaded, the layers of each revision, sequences
// and times, the cursor. SVG on whole pixels; colors are in theme.css. Arcs and marks of corrections lie over it.
import { memo, useMemo, type ReactNode } from "react";
import { clockMinute } from "../../../text/format.ts";
import { createReadinessSelector } from "../../../state/timeline/readiness.ts";
import { knownLayersOf, selectShownRevision, selectWantedRevision } from "../../../state/selectors.ts";
import { loopOrder } from "../../../state/timeline/loop.ts";
import { useViewerState } from "../../../viewer-context.ts";
import { BlockPath, Blocks, groupBlocks, toThin } from "../parts/blocks.tsx";
import {
  middleOf,
  pickAxisLabels,
  runsOf,
  slotOf,
  type TimelineGeometry,
} from "../geometry/published-layout.ts";
import {
  blockHeightPx,
  drawingHeightPx,
  laneHeightPx,
  lanePitchPx,
  rows,
  toRectangles,
} from "../geometry/rows.ts";
import { isThin, replacedIn, type TimelineHistory } from "../timeline-history.ts";
import { useClock, useTimeLabelPx } from "../../hooks/use-clock.ts";

/** Room for a time. */
const axisLabelPx = 44;

interface PartProps {
  readonly geometry: TimelineGeometry;
  readonly history: TimelineHistory;
}

interface DrawingProps extends PartProps {
  readonly widthPx: number;
  readonly pointed: number | undefined;
}

export function PublishedDrawing({ geometry, history, widthPx, pointed }: DrawingProps): ReactNode {
  const pointedSlot = pointed === undefined ? undefined : slotOf(geometry, pointed);
  return (
    <svg className="timeline-drawing" width={widthPx} height={drawingHeightPx} aria-hidden="true">
      <BaseLine geometry={geometry} widthPx={widthPx} />
      <Marks geometry={geometry} history={history} />
      <Loop geometry={geometry} history={history} />
      <Readiness geometry={geometry} history={history} />
      <Axis geometry={geometry} history={history} />
      {pointedSlot && <BlockPath kind="tl-pointed" lefts={[pointedSlot.xPx]} blockPx={geometry.blockPx} />}
      <Cursor geometry={geometry} history={history} />
    </svg>
  );
}

function BaseLine({ geometry, widthPx }: { geometry: TimelineGeometry; widthPx: number }): ReactNode {
  const yPx = rows.blockPx + blockHeightPx / 2;
  return (
    <>
      <line className="tl-base" x1={0} x2={widthPx} y1={yPx + 0.5} y2={yPx + 0.5} />
      {geometry.gaps.map(({ xPx, missing }) => (
        <g key={xPx} className="tl-gap">
          <title>{`${missing} not loaded`}</title>
          <path d={`M${xPx - 2} ${yPx - 5}v10M${xPx + 2} ${yPx - 5}v10`} />
        </g>
      ))}
    </>
  );
}

/** Blocks and lanes; what is not known yet is an empty outline, and marks nothing else. */
const Marks = memo(function Marks({ geometry, history }: PartProps): ReactNode {
  const { all, publications, known } = history;
  const replaced = replacedIn(history);
  const toKind = (index: number): string => {
    if (index >= known) return "tl-hidden";
    const kind = `tl-${publications[index]!.kind}`;
    if (isThin(history, [index])) return toThin(kind);
    return replaced.has(index) ? `${kind} tl-replaced` : kind;
  };
  const kinds = groupBlocks(geometry.slots.map(({ index, xPx }) => ({ xPx, kind: toKind(index) })));
  return (
    <>
      <Blocks kinds={kinds} blockPx={geometry.blockPx} />
      {knownLayersOf(all).map((layer, lane) => (
        <path
          key={layer.id}
          className={`tl-lane-${layer.id}`}
          d={toRectangles(
            geometry.slots
              .filter(({ index }) => index < known && all[index]!.layers.some((own) => own.id === layer.id))
              .map(({ xPx }) => xPx),
            { topPx: rows.lanePx + lane * lanePitchPx, widthPx: geometry.blockPx, heightPx: laneHeightPx },
          )}
        />
      ))}
    </>
  );
});

/** A line above the blocks that the loop plays. */
const Loop = memo(function Loop({ geometry, history: { all } }: PartProps): ReactNode {
  const loop = useViewerState((state) => state.loop);
  const playOrder = useViewerState((state) => state.playOrder);
  const revisions = useViewerState((state) => state.history.revisions);
  if (loop === "all" || revisions.length === 0) return null;
  const played = new Set(loopOrder(revisions, loop, playOrder));
  return runsOf(geometry, (index) => played.has(all[index]!.sequence)).map(({ xPx, widthPx }) => (
    <rect key={xPx} className="tl-loop" x={xPx} y={rows.loopPx} width={widthPx} height={2} />
  ));
});

/** A line below the blocks that are loaded, and a dot below those that failed. */
function Readiness({ geometry, history: { all, known } }: PartProps): ReactNode {
  const select = useMemo(
    () => createReadinessSelector(geometry.slots.map(({ index }) => all[index]!)),
    [geometry, all],
  );
  const states = useViewerState(select);
  const isState = (index: number, state: string): boolean =>
    index < known && states[index - geometry.first] === state;
  return (
    <>
      {runsOf(geometry, (index) => isState(index, "ready")).map(({ xPx, widthPx }) => (
        <rect key={xPx} className="tl-ready" x={xPx} y={rows.readyPx} width={widthPx} height={2} />
      ))}
      {geometry.slots
        .filter(({ index }) => isState(index, "failed"))
        .map(({ index }) => (
          <circle
            key={index}
            className="tl-failed"
            cx={middleOf(geometry, index)}
            cy={rows.readyPx + 1}
            r={2}
          />
        ))}
    </>
  );
}

/** The sequence of a known block and its observation time, as many as fit. */
const Axis = memo(function Axis({ geometry, history: { all, known } }: PartProps): ReactNode {
  useClock();
  const labelPx = useTimeLabelPx(axisLabelPx);
  const shown = useViewerState(selectShownRevision);
  const shownIndex = shown ? all.indexOf(shown) : -1;
  const selected = slotOf(geometry, shownIndex) && shownIndex;
  const labels = pickAxisLabels(all, geometry, { labelPx, selected });
  return labels
    .filter((index) => index < known)
    .map((index) => {
      // The first label would reach over the names of the rows.
      const xPx = Math.max(middleOf(geometry, index), (labelPx - axisLabelPx) / 2);
      const { sequence, observedMs } = all[index]!;
      return (
        <g key={sequence} className={index === selected ? "tl-label-shown" : undefined}>
          <text x={xPx} y={rows.sequencePx}>
            {sequence}
          </text>
          <text x={xPx} y={rows.publishedTimePx}>
            {clockMinute(observedMs)}
          </text>
        </g>
      );
    });
});

/** The cursor stands at the picture on screen; while another one loads, an outline marks where it goes. */
function Cursor({ geometry, history: { all } }: PartProps): ReactNode {
  const shown = useViewerState(selectShownRevision);
  const wanted = useViewerState(selectWantedRevision);
  const slot = shown && slotOf(geometry, all.indexOf(shown));
  const next = wanted && wanted !== shown ? slotOf(geometry, all.indexOf(wanted)) : undefined;
  if (!slot) return null;
  const xPx = Math.round(slot.xPx + geometry.blockPx / 2);
  return (
    <g className="tl-cursor">
      <line x1={xPx} x2={xPx} y1={rows.loopPx - 6} y2={rows.lanePx + lanePitchPx + laneHeightPx + 6} />
      <BlockPath kind="tl-cursor-block" lefts={[slot.xPx]} blockPx={geometry.blockPx} />
      {next && <BlockPath kind="tl-cursor-wanted" lefts={[next.xPx]} blockPx={geometry.blockPx} />}
    </g>
  );
}
