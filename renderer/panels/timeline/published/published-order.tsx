// The timeline in order of publication: blocks, arcs, marks of corrections, loop ends and the tooltip.
import { useMemo, useState, type ReactNode } from "react";
import { knownLayersOf, selectShownRevision, selectWantedRevision } from "../../../state/selectors.ts";
import { layerShortNames } from "../../../text/state-text.ts";
import { indexFrom } from "../../../state/timeline/revisions.ts";
import { useViewerState } from "../../../viewer-context.ts";
import {
  blockAt,
  layOutTimeline,
  middleOf,
  revisionAt,
  toPublishedAxis,
  type TimelineGeometry,
} from "../geometry/published-layout.ts";
import { drawingHeightPx, lanePitchPx, nowRoomPx, rows } from "../geometry/rows.ts";
import { KnownAtHandle } from "../known-at/known-at-handle.tsx";
import { clockZoneName } from "../../../text/format.ts";
import { TimelineGutter, type TimelineOrderProps } from "../parts/timeline-gutter.tsx";
import type { TimelineHistory } from "../timeline-history.ts";
import { TimelineSlider } from "../timeline-slider.tsx";
import { TimelineTooltip } from "../parts/timeline-tooltip.tsx";
import { CorrectionMarks } from "./correction-marks.tsx";
import { LoopEnds } from "./loop-ends.tsx";
import { mergeMarks, type Mark } from "./merge-marks.ts";
import { PublishedDrawing } from "./published-drawing.tsx";
import { RevisionArcs } from "./revision-arcs.tsx";

/** Least distance between two marks of corrections, in CSS pixels: the width of one. */
const leastMarkPx = 24;

export function PublishedOrder({ history, part, widthPx }: TimelineOrderProps): ReactNode {
  const { all } = history;
  const lanes = knownLayersOf(all);
  const wanted = useViewerState(selectWantedRevision);
  /**
   * Sequences of the revisions pointed at: of a mark, all that it stands for. The tooltip shows the first. Older pages
   * shift the indices.
   */
  const [pointedSequences, setPointedSequences] = useState<readonly number[]>([]);
  const [focused, setFocused] = useState(false);
  const geometry = useMemo(
    () => layOutTimeline(all, Math.max(0, widthPx - nowRoomPx), part),
    [all, widthPx, part],
  );
  const axis = useMemo(() => toPublishedAxis(geometry, all.length, widthPx), [geometry, all, widthPx]);
  const pointed = useMemo(
    () =>
      pointedSequences.flatMap((sequence) => {
        const index = indexFrom(all, sequence);
        return all[index]?.sequence === sequence ? [index] : [];
      }),
    [pointedSequences, all],
  );
  const setPointed = (indices: readonly number[]): void => {
    setPointedSequences(indices.map((index) => all[index]!.sequence));
  };
  const marks = useMemo(() => markCorrections(history, geometry), [history, geometry]);
  const wantedIndex = wanted ? all.indexOf(wanted) : -1;
  const shownIndex = useViewerState((state) => {
    const shown = selectShownRevision(state);
    return shown ? all.indexOf(shown) : -1;
  });
  const touched = useMemo(
    () => new Set([...pointed, shownIndex].filter((index) => index >= 0)),
    [pointed, shownIndex],
  );
  const tooltipIndex = pointed[0] ?? (focused && wantedIndex >= 0 ? wantedIndex : undefined);
  // The handle may pass the block that the pointer rests on.
  const isKnown = tooltipIndex !== undefined && tooltipIndex < history.known;
  const tooltipRevision = isKnown ? all[tooltipIndex] : undefined;

  function pointAtBlock(index: number | undefined): void {
    // The same list again renders nothing, however often the pointer moves within a block.
    if (pointed.length > 1 || pointed[0] !== index) setPointed(index === undefined ? [] : [index]);
  }

  return (
    <>
      <TimelineGutter
        names={[
          { name: "Revisions", topPx: rows.blockPx },
          ...lanes.map((layer, lane) => ({
            name: layerShortNames[layer.id],
            topPx: rows.lanePx + lane * lanePitchPx - 6,
          })),
          { name: "Sequence", topPx: rows.sequencePx - 12 },
          {
            name: `Observed, ${clockZoneName(all.at(-1)?.observedMs ?? 0)}`,
            topPx: rows.publishedTimePx - 12,
          },
        ]}
      />
      <TimelineSlider
        sequenceAt={({ xPx }) => all[revisionAt(geometry, xPx) ?? -1]?.sequence}
        onPoint={(place) => {
          const index = place && blockAt(geometry, place.xPx);
          pointAtBlock(index !== undefined && index < history.known ? index : undefined);
        }}
        onFocus={setFocused}
      >
        <div className="timeline-plot" style={{ height: drawingHeightPx }}>
          <PublishedDrawing geometry={geometry} history={history} widthPx={widthPx} pointed={pointed[0]} />
        </div>
      </TimelineSlider>
      <RevisionArcs
        history={history}
        geometry={geometry}
        widthPx={widthPx}
        touched={touched}
        onPoint={setPointed}
      />
      <LoopEnds geometry={geometry} />
      <CorrectionMarks revisions={all} marks={marks} onPoint={setPointed} />
      <KnownAtHandle
        axis={axis}
        gripPx={rows.blockPx + 8}
        hatch={{ topPx: rows.blockPx - 8, bottomPx: rows.lanePx + 2 * lanePitchPx }}
      />
      {tooltipRevision && tooltipIndex !== undefined && (
        <TimelineTooltip
          revision={tooltipRevision}
          xPx={middleOf(geometry, tooltipIndex)}
          widthPx={widthPx}
        />
      )}
    </>
  );
}

/** Returns the marks of the known corrections that are drawn, far enough apart to be pressed. */
function markCorrections({ publications, known }: TimelineHistory, geometry: TimelineGeometry): Mark[] {
  const corrections = geometry.slots.flatMap(({ index }) =>
    index < known && publications[index]!.kind === "correction" ? [index] : [],
  );
  return mergeMarks(corrections, (index) => middleOf(geometry, index), leastMarkPx);
}
