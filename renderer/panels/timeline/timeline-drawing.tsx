// The drawing of the timeline: one block per revision, what is loaded, the layers of each revision, times, the cursor.
// SVG on whole pixels; colors are in theme.css. Arcs and marks of corrections lie over it.
import { memo, useState, type ReactNode } from "react";
import { utcShort } from "../../text/format.ts";
import { createReadinessSelector } from "../../state/readiness.ts";
import { knownLayersOf, selectShownRevision, selectWantedRevision } from "../../state/selectors.ts";
import { loopOrder } from "../../state/loop.ts";
import { publicationsOf, type Revision } from "../../state/revisions.ts";
import { useViewerState } from "../../viewer-context.ts";
import { middleOf, pickAxisLabels, runsOf, type TimelineGeometry } from "./timeline-geometry.ts";

/** Top edges in pixels from the top of the drawing; for text, the baseline. */
export const timelineRows = {
  markPx: 4,
  loopPx: 26,
  blockPx: 32,
  readyPx: 52,
  lanePx: 60,
  observedPx: 94,
} as const;
export const drawingHeightPx = 98;
const blockHeightPx = 16;
const laneHeightPx = 4;
const lanePitchPx = 12;
/** Room for a time. */
const axisLabelPx = 44;

export function laneTopPx(lane: number): number {
  return timelineRows.lanePx + lane * lanePitchPx;
}

interface DrawingProps {
  readonly geometry: TimelineGeometry;
  readonly widthPx: number;
  readonly pointed: number | undefined;
}

export function TimelineDrawing({ geometry, widthPx, pointed }: DrawingProps): ReactNode {
  const revisions = useViewerState((state) => state.history.revisions);
  // The layout for a new list follows one render later.
  if (widthPx === 0 || geometry.slots.length !== revisions.length) return null;
  return (
    <svg className="timeline-drawing" width={widthPx} height={drawingHeightPx} aria-hidden="true">
      <BaseLine geometry={geometry} widthPx={widthPx} />
      <Marks geometry={geometry} revisions={revisions} />
      <Loop geometry={geometry} revisions={revisions} />
      <Readiness geometry={geometry} />
      <Axis geometry={geometry} revisions={revisions} />
      {pointed !== undefined && <Pointed geometry={geometry} index={pointed} />}
      <Cursor geometry={geometry} revisions={revisions} />
    </svg>
  );
}

interface PartProps {
  readonly geometry: TimelineGeometry;
  readonly revisions: readonly Revision[];
}

function BaseLine({ geometry, widthPx }: { geometry: TimelineGeometry; widthPx: number }): ReactNode {
  const yPx = timelineRows.blockPx + blockHeightPx / 2;
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

/** Blocks and lanes; redrawn only if the list or the width changes. */
const Marks = memo(function Marks({ geometry, revisions }: PartProps): ReactNode {
  const publications = publicationsOf(revisions);
  const replaced = new Set(publications.map(({ supersedes }) => supersedes));
  const lanes = knownLayersOf(revisions);
  return (
    <>
      {geometry.slots.map(({ index }) => (
        <Block
          key={revisions[index]!.sequence}
          geometry={geometry}
          index={index}
          className={`tl-block tl-${publications[index]!.kind}${replaced.has(index) ? " tl-replaced" : ""}`}
        />
      ))}
      {lanes.map((layer, lane) =>
        geometry.slots
          .filter(({ index }) => revisions[index]!.layers.some((own) => own.id === layer.id))
          .map(({ index, xPx }) => (
            <rect
              key={`${layer.id} ${revisions[index]!.sequence}`}
              className={`tl-lane tl-lane-${layer.id}`}
              x={xPx}
              y={laneTopPx(lane)}
              width={geometry.blockPx}
              height={laneHeightPx}
            />
          )),
      )}
    </>
  );
});

interface BlockProps {
  readonly geometry: TimelineGeometry;
  readonly index: number;
  readonly className: string;
}

/** Kinds differ in shape too: a completion is half filled, a late arrival is an outline. */
function Block({ geometry, index, className }: BlockProps): ReactNode {
  const { blockPx } = geometry;
  const xPx = geometry.slots[index]!.xPx;
  const outlined = blockPx >= 6 && /tl-(completion|backfill|unknown)/.test(className);
  const radius = blockPx >= 6 ? 2 : 0;
  if (!outlined) {
    return (
      <rect
        className={className}
        x={xPx}
        y={timelineRows.blockPx}
        width={blockPx}
        height={blockHeightPx}
        rx={radius}
      />
    );
  }
  return (
    <g className={className}>
      <rect
        className="tl-outline"
        x={xPx + 0.5}
        y={timelineRows.blockPx + 0.5}
        width={blockPx - 1}
        height={blockHeightPx - 1}
        rx={radius}
      />
      {className.includes("tl-completion") && (
        <rect
          className="tl-half"
          x={xPx}
          y={timelineRows.blockPx + blockHeightPx / 2}
          width={blockPx}
          height={blockHeightPx / 2}
          rx={radius}
        />
      )}
    </g>
  );
}

/** A line above the blocks that the loop plays. */
const Loop = memo(function Loop({ geometry, revisions }: PartProps): ReactNode {
  const loop = useViewerState((state) => state.loop);
  const playOrder = useViewerState((state) => state.playOrder);
  if (loop === "all" || revisions.length === 0) return null;
  const played = new Set(loopOrder(revisions, loop, playOrder));
  return runsOf(geometry, (index) => played.has(revisions[index]!.sequence)).map(({ xPx, widthPx }) => (
    <rect key={xPx} className="tl-loop" x={xPx} y={timelineRows.loopPx - 6} width={widthPx} height={2} />
  ));
});

/** A line below the blocks that are loaded, and a dot below those that failed. */
function Readiness({ geometry }: Pick<PartProps, "geometry">): ReactNode {
  const [select] = useState(createReadinessSelector);
  const states = useViewerState(select);
  return (
    <>
      {runsOf(geometry, (index) => states[index] === "ready").map(({ xPx, widthPx }) => (
        <rect key={xPx} className="tl-ready" x={xPx} y={timelineRows.readyPx} width={widthPx} height={2} />
      ))}
      {geometry.slots
        .filter(({ index }) => states[index] === "failed")
        .map(({ index }) => (
          <circle
            key={index}
            className="tl-failed"
            cx={middleOf(geometry, index)}
            cy={timelineRows.readyPx + 1}
            r={2}
          />
        ))}
    </>
  );
}

const Axis = memo(function Axis({ geometry, revisions }: PartProps): ReactNode {
  const shown = useViewerState(selectShownRevision);
  const selected = shown && revisions.includes(shown) ? revisions.indexOf(shown) : undefined;
  return pickAxisLabels(revisions, geometry, { labelPx: axisLabelPx, selected }).map((index) => {
    const xPx = middleOf(geometry, index);
    const { sequence, observedMs } = revisions[index]!;
    return (
      <text key={sequence} className="tl-observed" x={xPx} y={timelineRows.observedPx}>
        {utcShort(observedMs)}
      </text>
    );
  });
});

function Pointed({ geometry, index }: { geometry: TimelineGeometry; index: number }): ReactNode {
  return <Block geometry={geometry} index={index} className="tl-pointed" />;
}

/** The cursor stands at the picture on screen; while another one loads, an outline marks where it goes. */
function Cursor({ geometry, revisions }: PartProps): ReactNode {
  const shown = useViewerState(selectShownRevision);
  const wanted = useViewerState(selectWantedRevision);
  const index = shown ? revisions.indexOf(shown) : -1;
  if (index < 0) return null;
  const xPx = Math.round(middleOf(geometry, index));
  const wantedIndex = wanted && wanted !== shown ? revisions.indexOf(wanted) : -1;
  return (
    <g className="tl-cursor">
      <line x1={xPx} x2={xPx} y1={timelineRows.loopPx - 6} y2={laneTopPx(1) + laneHeightPx + 6} />
      <Block geometry={geometry} index={index} className="tl-cursor-block" />
      {wantedIndex >= 0 && <Block geometry={geometry} index={wantedIndex} className="tl-cursor-wanted" />}
    </g>
  );
}
