// The revisions of the event in order of publication: a slider that is dragged, stepped, wheeled and read out.
import {
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from "react";
import { utcClock, utcDay } from "../../text/format.ts";
import { publicationsOf, type Revision } from "../../state/revisions.ts";
import { knownLayersOf, selectShownRevision, selectWantedRevision } from "../../state/selectors.ts";
import { layerShortNames, publicationWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { usePublished } from "../hooks/use-published.ts";
import { drawingHeightPx, laneTopPx, TimelineDrawing, timelineRows } from "./timeline-drawing.tsx";
import { blockAt, layOutTimeline, middleOf, revisionAt, type TimelineGeometry } from "./timeline-geometry.ts";
import { CorrectionMarks } from "./marks/correction-marks.tsx";
import { mergeMarks, type Mark } from "./marks/merge-marks.ts";
import { RevisionArcs } from "./marks/revision-arcs.tsx";
import { TimelineHead } from "./marks/timeline-key.tsx";
import { toSteps } from "./timeline-keys.ts";
import { TimelineLoopEnds } from "./timeline-loop-ends.tsx";
import { TimelineTooltip } from "./timeline-tooltip.tsx";

/** Turn of the wheel for one step, in CSS pixels. */
const wheelStepPx = 40;
/** Least distance between two marks of corrections, in CSS pixels: the width of one. */
const leastMarkPx = 24;

export function Timeline(): ReactNode {
  const revisions = useViewerState((state) => state.history.revisions);
  const lanes = useViewerState((state) => knownLayersOf(state.history.revisions));
  const wanted = useViewerState(selectWantedRevision);
  const { ref, widthPx } = useWidth();
  /** Indices of the revisions pointed at: of a mark, all that it stands for. The tooltip shows the first. */
  const [pointed, setPointed] = useState<readonly number[]>([]);
  const [focused, setFocused] = useState(false);
  const geometry = useMemo(() => layOutTimeline(revisions, widthPx), [revisions, widthPx]);
  const wantedIndex = wanted ? revisions.indexOf(wanted) : -1;
  const tooltipIndex = pointed[0] ?? (focused && wantedIndex >= 0 ? wantedIndex : undefined);
  const tooltipRevision = tooltipIndex === undefined ? undefined : revisions[tooltipIndex];

  const shownIndex = useViewerState((state) => {
    const shown = selectShownRevision(state);
    return shown ? revisions.indexOf(shown) : -1;
  });
  const marks = useMemo(() => markCorrections(revisions, geometry), [revisions, geometry]);
  const touched = useMemo(
    () => new Set([...pointed, shownIndex].filter((index) => index >= 0)),
    [pointed, shownIndex],
  );

  function pointAtBlock(index: number | undefined): void {
    // The same list again renders nothing, however often the pointer moves within a block.
    setPointed((before) =>
      before.length < 2 && before[0] === index ? before : index === undefined ? [] : [index],
    );
  }

  return (
    <div className="timeline">
      <TimelineHead isMerged={marks.some(({ indices }) => indices.length > 1)} />
      <div className="timeline-body">
        <div className="timeline-gutter caption" aria-hidden="true" style={{ height: drawingHeightPx }}>
          {marks.length > 0 && <span style={{ top: timelineRows.markPx - 4 }}>Corrections</span>}
          <span style={{ top: timelineRows.blockPx }}>Revisions</span>
          {lanes.map((layer, lane) => (
            <span key={layer.id} style={{ top: laneTopPx(lane) - 6 }}>
              {layerShortNames[layer.id]}
            </span>
          ))}
          <span style={{ top: timelineRows.observedPx - 12 }}>Observed</span>
        </div>
        <TimelineSlider wanted={wanted} geometry={geometry} onPoint={pointAtBlock} onFocus={setFocused}>
          <div className="timeline-plot" ref={ref}>
            <TimelineDrawing geometry={geometry} widthPx={widthPx} pointed={pointed[0]} />
          </div>
        </TimelineSlider>
        <RevisionArcs
          revisions={revisions}
          geometry={geometry}
          widthPx={widthPx}
          touched={touched}
          onPoint={setPointed}
        />
        <TimelineLoopEnds geometry={geometry} />
        <CorrectionMarks revisions={revisions} marks={marks} onPoint={setPointed} />
        {tooltipRevision && tooltipIndex !== undefined && (
          <TimelineTooltip
            revision={tooltipRevision}
            xPx={middleOf(geometry, tooltipIndex)}
            widthPx={widthPx}
          />
        )}
      </div>
    </div>
  );
}

/** Returns the marks of the corrections, far enough apart to be pressed. */
function markCorrections(revisions: readonly Revision[], geometry: TimelineGeometry): Mark[] {
  const corrections = publicationsOf(revisions).flatMap(({ kind }, index) =>
    kind === "correction" ? [index] : [],
  );
  return mergeMarks(corrections, (index) => middleOf(geometry, index), leastMarkPx);
}

interface SliderProps {
  readonly wanted: Revision | undefined;
  readonly geometry: TimelineGeometry;
  readonly onPoint: (index: number | undefined) => void;
  readonly onFocus: (focused: boolean) => void;
  readonly children: ReactNode;
}

function TimelineSlider({ wanted, geometry, onPoint, onFocus, children }: SliderProps): ReactNode {
  const { store } = useViewer();
  const revisions = useViewerState((state) => state.history.revisions);
  const valueText = useValueText(wanted);
  const track = useRef<HTMLDivElement>(null);
  const id = useId();
  useWheelSteps(track);

  function pointAt(event: PointerEvent<HTMLDivElement>): void {
    const xPx = event.clientX - plotLeft(event.currentTarget);
    onPoint(blockAt(geometry, xPx));
    const dragging = (event.buttons & 1) === 1 && event.currentTarget.hasPointerCapture(event.pointerId);
    // Only the tooltip needs a block under the pointer: a drag goes to the nearest one.
    const index = dragging ? revisionAt(geometry, xPx) : undefined;
    const revision = index === undefined ? undefined : revisions[index];
    if (revision && revision.sequence !== wanted?.sequence) store.getState().goTo(revision.sequence);
  }

  function press(event: KeyboardEvent): void {
    const steps = toSteps(event);
    if (steps === undefined) return;
    event.preventDefault();
    const { step, goToFirst, goToLast } = store.getState();
    // The slider moves along its own axis, whatever the playing order.
    if (steps === -Infinity) goToFirst("published");
    else if (steps === Infinity) goToLast("published");
    else step(steps, "published");
  }

  return (
    <div
      id={id}
      ref={track}
      className="timeline-track"
      role="slider"
      tabIndex={0}
      aria-label="Revision timeline"
      aria-orientation="horizontal"
      aria-valuemin={revisions[0]?.sequence ?? 0}
      aria-valuemax={revisions.at(-1)?.sequence ?? 0}
      aria-valuenow={wanted?.sequence ?? 0}
      aria-valuetext={valueText}
      aria-disabled={revisions.length === 0}
      onKeyDown={press}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        pointAt(event);
      }}
      onPointerMove={pointAt}
      onPointerLeave={() => {
        onPoint(undefined);
      }}
      onFocus={(event) => {
        onFocus(event.target.matches(":focus-visible"));
      }}
      onBlur={() => {
        onFocus(false);
      }}
    >
      {children}
    </div>
  );
}

/** The plot is inset, so that the first block is not at the edge of the slider. */
function plotLeft(track: HTMLElement): number {
  return (track.firstElementChild ?? track).getBoundingClientRect().left;
}

/** The sequence, both times and the place among the versions of the window, for a screen reader. */
function useValueText(revision: Revision | undefined): string {
  const { time, delay } = usePublished(revision);
  const latest = useViewerState((state) => state.history.latestSequence);
  const revisions = useViewerState((state) => state.history.revisions);
  if (!revision) return "No frames";
  const { sequence, observedMs } = revision;
  const newest = sequence === latest ? ", newest" : "";
  const published = delay === undefined ? time : `${time}, ${delay}`;
  return `Revision ${sequence}${newest}; observed ${utcClock(observedMs)} UTC, ${utcDay(observedMs)}; published ${published}${versionWords(revisions, revision)}`;
}

/** `; late correction of revision 15; replaced by revision 30`; empty for the only version of a window. */
function versionWords(revisions: readonly Revision[], revision: Revision): string {
  const publications = publicationsOf(revisions);
  const index = revisions.indexOf(revision);
  const publication = publications[index];
  const replacedBy = revisions[publications.findIndex(({ supersedes }) => supersedes === index)];
  const words: string[] = [];
  if (publication && publication.kind !== "new")
    words.push(publicationWords(publication, revision, revisions[publication.supersedes ?? -1]));
  if (replacedBy) words.push(`replaced by revision ${replacedBy.sequence}`);
  return words.map((part) => `; ${part}`).join("");
}

/** The width of an element as it changes. */
function useWidth(): { ref: (element: HTMLElement | null) => (() => void) | undefined; widthPx: number } {
  const [widthPx, setWidthPx] = useState(0);
  const ref = useMemo(
    () => (element: HTMLElement | null) => {
      if (!element) return undefined;
      const observer = new ResizeObserver(() => {
        setWidthPx(element.clientWidth);
      });
      observer.observe(element);
      return () => {
        observer.disconnect();
      };
    },
    [],
  );
  return { ref, widthPx };
}

/** Turns the wheel into steps. Must prevent scrolling, which a listener of React cannot. */
function useWheelSteps(track: React.RefObject<HTMLDivElement | null>): void {
  const { store } = useViewer();
  useEffect(() => {
    const element = track.current;
    if (!element) return undefined;
    let turnedPx = 0;
    const turn = (event: WheelEvent): void => {
      event.preventDefault();
      turnedPx += event.deltaY + event.deltaX;
      const steps = Math.trunc(turnedPx / wheelStepPx);
      if (steps === 0) return;
      turnedPx -= steps * wheelStepPx;
      store.getState().step(Math.sign(steps), "published");
    };
    element.addEventListener("wheel", turn, { passive: false });
    return () => {
      element.removeEventListener("wheel", turn);
    };
  }, [store, track]);
}
