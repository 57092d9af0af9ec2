// The timeline in order of observation: windows on an axis of time, and below them when each was published.
import { useMemo, useState, type ReactNode } from "react";
import { windowMs } from "../../../../shared/revisions/observation-window.ts";
import { selectStormReports } from "../../../state/reports/report-frames.ts";
import { knownLayersOf, selectWantedRevision } from "../../../state/selectors.ts";
import { selectSoFar } from "../../../state/so-far/so-far.ts";
import { findRevision } from "../../../state/timeline/revisions.ts";
import { clockMinute, clockZoneName } from "../../../text/format.ts";
import { layerShortNames } from "../../../text/state-text.ts";
import { useViewerState } from "../../../viewer-context.ts";
import { columnAt, layOutObserved, type ObservedGeometry } from "../geometry/observed-layout.ts";
import { publicationAt } from "../geometry/publication-axis.ts";
import { blockHeightPx, drawingHeightPx, lanePitchPx, nowRoomPx, rows } from "../geometry/rows.ts";
import { KnownAtHandle } from "../known-at/known-at-handle.tsx";
import { TimelineGutter, type TimelineOrderProps } from "../parts/timeline-gutter.tsx";
import type { TimelineHistory } from "../timeline-history.ts";
import { TimelineSlider, type Place } from "../timeline-slider.tsx";
import { TimelineHint, TimelineTooltip } from "../parts/timeline-tooltip.tsx";
import { ObservedDrawing, mostTicks, tickTopPx } from "./observed-drawing.tsx";
import { toKnownColumns, type KnownColumn } from "./observed-facts.ts";

export function ObservedOrder({ history, part, widthPx, arrived }: TimelineOrderProps): ReactNode {
  const { all, publishedMs, known } = history;
  const lanes = knownLayersOf(all);
  const wanted = useViewerState(selectWantedRevision);
  const isSoFarOn = useViewerState((state) => selectSoFar(state) !== undefined);
  const hasReports = useViewerState((state) => selectStormReports(state).length > 0);
  const [pointed, setPointed] = useState<Pointed>();
  const [focused, setFocused] = useState(false);
  const geometry = useMemo(
    () =>
      layOutObserved({
        revisions: all,
        publishedMs,
        part,
        widthPx: Math.max(0, widthPx - nowRoomPx),
      }),
    [all, publishedMs, part, widthPx],
  );
  const columns = useMemo(() => toKnownColumns(geometry.columns, known), [geometry, known]);
  const reading: Reading = { geometry, columns, history };
  const isByTime = geometry.spacing === "time";

  /** The same place again renders nothing, however often the pointer moves within a column. */
  function pointAt(place: Place | undefined): void {
    const next = place && findPointed(reading, place);
    setPointed((before) =>
      before?.window === next?.window && before?.sequence === next?.sequence ? before : next,
    );
  }

  const tooltip = pointed ?? (focused && wanted ? pointedRevision(reading, all.indexOf(wanted)) : undefined);
  // The handle may pass the column that the pointer rests on.
  const isKnown = tooltip?.sequence !== undefined && tooltip.sequence <= (all[known - 1]?.sequence ?? 0);
  const tooltipRevision = isKnown ? findRevision(all, tooltip.sequence) : undefined;
  return (
    <>
      <TimelineGutter
        names={[
          ...(hasReports ? [{ name: "Reports", topPx: rows.reportsPx - 8 }] : []),
          ...(isSoFarOn ? [{ name: "So far", topPx: rows.soFarPx - 8 }] : []),
          { name: "Observed", topPx: rows.blockPx },
          {
            name: isByTime ? "Published" : "Published, by sequence",
            topPx: rows.publicationPx - (isByTime ? 8 : 15),
          },
          ...lanes.map((layer, lane) => ({
            name: layerShortNames[layer.id],
            topPx: rows.coveragePx + lane * lanePitchPx - 6,
          })),
          { name: clockZoneName(geometry.part.last * windowMs), topPx: rows.observedTimePx - 12 },
        ]}
      />
      <TimelineSlider
        sequenceAt={(place) => all[findNearest(reading, place) ?? -1]?.sequence}
        onPoint={pointAt}
        onFocus={setFocused}
      >
        <div className="timeline-plot" style={{ height: drawingHeightPx }}>
          <ObservedDrawing
            geometry={geometry}
            columns={columns}
            history={history}
            widthPx={widthPx}
            pointedWindow={pointed?.window}
            arrived={arrived}
          />
        </div>
      </TimelineSlider>
      <KnownAtHandle
        axis={geometry.axis}
        gripPx={rows.publicationPx}
        hatch={
          isByTime
            ? { topPx: rows.blockPx - 8, bottomPx: rows.coveragePx + lanePitchPx + 10 }
            : { topPx: rows.publicationPx - 8, bottomPx: rows.publicationPx + 8 }
        }
      />
      {tooltip &&
        (tooltipRevision ? (
          <TimelineTooltip revision={tooltipRevision} xPx={tooltip.xPx} widthPx={widthPx} />
        ) : (
          <TimelineHint xPx={tooltip.xPx} widthPx={widthPx}>
            {clockMinute(tooltip.window * windowMs)} ·{" "}
            {tooltip.isGap ? "nothing published for this window" : "not published yet then"}
          </TimelineHint>
        ))}
    </>
  );
}

interface Reading {
  readonly geometry: ObservedGeometry;
  readonly columns: readonly KnownColumn[];
  readonly history: TimelineHistory;
}

/** The window under the pointer, and its version. */
interface Pointed {
  readonly window: number;
  readonly xPx: number;
  /** Sequence of a known revision, because older pages shift the indices; undefined for a gap and a hidden window. */
  readonly sequence: number | undefined;
  readonly isGap: boolean;
}

const laneTopPx = rows.publicationPx - 10;
const laneBottomPx = rows.publicationPx + 10;

function findPointed(reading: Reading, { xPx, yPx }: Place): Pointed | undefined {
  const { geometry, columns, history } = reading;
  if (yPx >= laneTopPx && yPx < laneBottomPx) {
    const tick = geometry.axis.ticks.find((candidate) => Math.abs(candidate.xPx - xPx) <= 4);
    return tick && tick.index < history.known
      ? { ...pointedRevision(reading, tick.index), xPx: tick.xPx }
      : undefined;
  }
  const { blockPx, pitchPx } = geometry;
  const isAt = (leftPx: number): boolean => xPx >= leftPx - (pitchPx - blockPx) / 2 && xPx < leftPx + pitchPx;
  const column = columns.findLast((candidate) => isAt(candidate.xPx));
  const gap = geometry.gaps.findLast((candidate) => isAt(candidate.xPx));
  if (gap && (!column || gap.xPx > column.xPx))
    return { window: gap.window, xPx: gap.xPx + blockPx / 2, sequence: undefined, isGap: true };
  return (
    column && {
      window: column.window,
      xPx: column.xPx + blockPx / 2,
      sequence: history.all[versionAt(column, yPx) ?? -1]?.sequence,
      isGap: false,
    }
  );
}

/** Returns the index of the version drawn at this height: the column's block, or a tick above it. */
function versionAt({ newest, superseded }: KnownColumn, yPx: number): number | undefined {
  if (yPx >= tickTopPx(0) + 3 || superseded.length === 0) return newest;
  const place = superseded.findIndex((_, tick) => tick < mostTicks && yPx >= tickTopPx(tick) - 1);
  return superseded[place] ?? newest;
}

function pointedRevision({ geometry, history: { all } }: Reading, index: number): Pointed {
  const { window, sequence } = all[index]!;
  const column = geometry.columns.find((candidate) => candidate.window === window);
  return { window, xPx: (column?.xPx ?? 0) + geometry.blockPx / 2, sequence, isGap: false };
}

/** Returns the known revision nearest to a press: a publication in its lane, else a version of a window. */
function findNearest({ geometry, columns, history }: Reading, { xPx, yPx }: Place): number | undefined {
  if (yPx >= laneTopPx && yPx < laneBottomPx)
    return publicationAt({ ...geometry.axis, nowPx: undefined }, xPx, history.all.length);
  const known = columns.filter(({ newest }) => newest !== undefined);
  const column = columnAt({ ...geometry, columns: known }, xPx) as KnownColumn | undefined;
  const isInTicks = yPx < rows.blockPx && yPx > rows.blockPx - blockHeightPx;
  return column && (isInTicks ? versionAt(column, yPx) : column.newest);
}
