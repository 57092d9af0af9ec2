// The chart of a pinned place: a column a window, at the places of the timeline's windows. Pointing at a column says
// what it holds; a press and the arrow keys take the picture there.
import { useMemo, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { PlaceStory, StoryWindow } from "../../state/story/place-story.ts";
import type { PlacePin } from "../../state/slices/story-slice.ts";
import { selectShownRevision } from "../../state/selectors.ts";
import { minuteWithZone, spokenRange } from "../../text/format.ts";
import { layerShortNames } from "../../text/state-text.ts";
import { cellWords, sizeWords } from "../../text/story-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { toSteps } from "../timeline/geometry/slider-keys.ts";
import { useWidth } from "../timeline/use-width.ts";
import { findHighestHail, highestDbz, toPlotMarks, toPx, type Plot, type PlotMarks } from "./chart-marks.ts";
import { FirstMarks } from "./first-marks.tsx";
import { hailLines } from "./hail-lines.ts";
import { StoryTip } from "./story-tip.tsx";
import { nearestWindow, useStoryAxis, type StoryAxis } from "./use-story-axis.ts";
import { useCompactStory } from "./use-compact-story.ts";

/** Heights in CSS pixels: room for triangles, the plots and the space between them. */
const roomyRows = { hailTopPx: 12, hailPx: 72, betweenPx: 14, dbzPx: 26 } as const;
const compactRows = { hailTopPx: 12, hailPx: 52, betweenPx: 12, dbzPx: 20 } as const;

interface StoryChartProps {
  readonly pin: PlacePin;
  readonly story: PlaceStory;
}

export function StoryChart({ pin, story }: StoryChartProps): ReactNode {
  const { ref, widthPx } = useWidth();
  const axis = useStoryAxis(widthPx);
  const isCompact = useCompactStory();
  const rows = isCompact ? compactRows : roomyRows;
  const [pointedWindow, setPointedWindow] = useState<number>();
  // The window's content may change under a resting pointer.
  const pointed = story.windows.find(({ window }) => window === pointedWindow);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const hail: Plot = useMemo(
    () => ({
      id: "mrms-mesh",
      basePx: rows.hailTopPx + rows.hailPx,
      heightPx: rows.hailPx,
      highest: findHighestHail(story.windows),
    }),
    [rows, story.windows],
  );
  const dbz: Plot = useMemo(
    () => ({
      id: "mrms-reflectivity",
      basePx: hail.basePx + rows.betweenPx + rows.dbzPx,
      heightPx: rows.dbzPx,
      highest: highestDbz,
    }),
    [rows, hail],
  );
  const heightPx = dbz.basePx + 4;
  const shownWindow = useViewerState((state) => {
    const shown = selectShownRevision(state);
    return shown && observationWindow(shown.observedAt);
  });
  const shownPx = shownWindow === undefined ? undefined : axis.leftPx.get(shownWindow);
  const plots = [hail, dbz].filter(({ id }) => story.ids.includes(id));
  return (
    <div className="story-chart">
      <div className="story-gutter caption" aria-hidden="true" style={{ height: heightPx }}>
        {plots.map(({ id, basePx, heightPx: high }) => (
          <span key={id} style={{ top: basePx - Math.max(32, high) }}>
            {layerShortNames[id]}
            <br />
            {id === "mrms-mesh" ? "estimate" : "dBZ, estimate"}
          </span>
        ))}
        {plots.includes(hail) &&
          hailLines.map(({ from }) => (
            <strong key={from} style={{ top: toPx(hail, from) - 8 }}>
              {sizeWords(from, hailUnits)}
            </strong>
          ))}
        {plots.includes(dbz) && <em style={{ top: toPx(dbz, 50) - 8 }}>50</em>}
      </div>
      <WindowSlider story={story} axis={axis} shownWindow={shownWindow} onPoint={setPointedWindow}>
        <div className="story-plot" ref={ref}>
          <svg className="story-drawing" width={widthPx} height={heightPx} aria-hidden="true">
            <HatchPattern />
            {plots.map((plot) => (
              <PlotDrawing key={plot.id} plot={plot} story={story} axis={axis} widthPx={widthPx} />
            ))}
            {plots.includes(hail) && <FirstMarks pin={pin} story={story} axis={axis} plot={hail} />}
            {shownPx !== undefined && (
              <path className="story-now" d={`M${shownPx + axis.blockPx / 2} 0V${heightPx}`} />
            )}
          </svg>
        </div>
        {pointed && <StoryTip window={pointed} axis={axis} widthPx={widthPx} />}
      </WindowSlider>
    </div>
  );
}

function HatchPattern(): ReactNode {
  return (
    <defs>
      <pattern
        id="story-hatch"
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <path d="M0 0V5" className="story-hatch-line" />
      </pattern>
    </defs>
  );
}

interface PlotDrawingProps {
  readonly plot: Plot;
  readonly story: PlaceStory;
  readonly axis: StoryAxis;
  readonly widthPx: number;
}

function PlotDrawing({ plot, story, axis, widthPx }: PlotDrawingProps): ReactNode {
  const palette = useViewerState((state) => state.palette);
  const ownTables = useViewerState((state) => state.ownTables);
  const theme = useViewerState((state) => state.theme);
  const marks: PlotMarks = useMemo(
    () => toPlotMarks(story.windows, axis, plot, { palette, ownTables, theme }),
    [story.windows, axis, plot, palette, ownTables, theme],
  );
  const lines = plot.id === "mrms-mesh" ? hailLines.map(({ from }) => from) : [50];
  return (
    <g>
      <path className="story-base" d={`M0 ${plot.basePx + 0.5}H${widthPx}`} />
      <path className="story-outside" d={marks.outside} fill="url(#story-hatch)" />
      <path className="story-missing" d={marks.missing} />
      {marks.classes.map(({ color, bars, caps }) => (
        <g key={color} fill={color}>
          <path className="story-bar" d={bars} />
          <path d={caps} />
        </g>
      ))}
      <path
        className="story-line"
        d={lines.map((value) => `M0 ${Math.round(toPx(plot, value)) + 0.5}H${widthPx}`).join("")}
      />
      <path className="story-replaced" d={marks.replaced} />
      <path className="story-below" d={marks.below} />
      <path className="story-failed-box" d={marks.failed} />
      <path className="story-corrected" d={marks.corrected} />
    </g>
  );
}

interface WindowSliderProps {
  readonly story: PlaceStory;
  readonly axis: StoryAxis;
  readonly shownWindow: number | undefined;
  readonly onPoint: (window: number | undefined) => void;
  readonly children: ReactNode;
}

function WindowSlider({ story, axis, shownWindow, onPoint, children }: WindowSliderProps): ReactNode {
  const { store } = useViewer();
  const { windows } = story;
  const valueText = useValueText(windows.find(({ window }) => window === shownWindow));

  function windowAt(event: PointerEvent<HTMLElement>): StoryWindow | undefined {
    const plot = event.currentTarget.firstElementChild!.getBoundingClientRect();
    return nearestWindow(windows, axis, event.clientX - plot.left);
  }

  function press(event: KeyboardEvent): void {
    const steps = toSteps(event);
    if (steps === undefined) return;
    event.preventDefault();
    const { step, goToFirst, goToLast } = store.getState();
    if (steps === -Infinity) goToFirst("observed");
    else if (steps === Infinity) goToLast("observed");
    else step(steps, "observed");
  }

  return (
    <div
      className="story-track"
      role="slider"
      tabIndex={0}
      aria-label="Windows at this place"
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={Math.max(1, windows.length)}
      aria-valuenow={Math.max(1, windows.findIndex(({ window }) => window === shownWindow) + 1)}
      aria-valuetext={valueText}
      onKeyDown={press}
      onPointerMove={(event) => {
        onPoint(windowAt(event)?.window);
      }}
      onPointerLeave={() => {
        onPoint(undefined);
      }}
      onClick={(event) => {
        const target = windowAt(event as unknown as PointerEvent<HTMLElement>);
        if (target) store.getState().goTo(target.newest.sequence);
      }}
    >
      {children}
    </div>
  );
}

function useValueText(shown: StoryWindow | undefined): string {
  const hailUnits = useViewerState((state) => state.hailUnits);
  if (!shown) return "No window";
  const layers = shown.layers.map(
    ({ id, cell }) => `${layerShortNames[id].toLowerCase()} ${spokenRange(cellWords(cell, id, hailUnits))}`,
  );
  return `${minuteWithZone(Date.parse(shown.observedAt))}, ${layers.join(", ")}, estimate`;
}
