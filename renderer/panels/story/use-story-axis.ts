// The places of the windows in the strip: those of the timeline in order of observation, which is below it.
import { useMemo } from "react";
import { windowMs } from "../../../shared/revisions/observation-window.ts";
import type { StoryWindow } from "../../state/story/place-story.ts";
import { useViewerState } from "../../viewer-context.ts";
import { layOutObserved } from "../timeline/geometry/observed-layout.ts";
import { nowRoomPx } from "../timeline/geometry/rows.ts";
import { useTimelineHistory } from "../timeline/timeline-history.ts";
import type { StoryColumns } from "./chart-marks.ts";

export interface StoryAxis extends StoryColumns {
  /** Returns the place of an instant. */
  readonly toPx: (instantMs: number) => number;
  /** Right edge of the last column, and of publications. */
  readonly endPx: number;
}

export function useStoryAxis(widthPx: number): StoryAxis {
  const { all, publishedMs } = useTimelineHistory();
  const part = useViewerState((state) => state.observedPart);
  return useMemo(() => {
    const endPx = Math.max(0, widthPx - nowRoomPx);
    const { blockPx, pitchPx, columns } = layOutObserved({
      revisions: all,
      publishedMs,
      part,
      widthPx: endPx,
    });
    return {
      blockPx,
      leftPx: new Map(columns.map(({ window, xPx }) => [window, xPx])),
      toPx: (instantMs) => blockPx / 2 + (instantMs / windowMs - part.first) * pitchPx,
      endPx,
    };
  }, [all, publishedMs, part, widthPx]);
}

/** Returns the window whose column is nearest to a place; undefined if none is drawn. */
export function nearestWindow(
  windows: readonly StoryWindow[],
  { leftPx, blockPx }: StoryColumns,
  xPx: number,
): StoryWindow | undefined {
  let best: StoryWindow | undefined;
  let leastPx = Infinity;
  for (const window of windows) {
    const distancePx = Math.abs((leftPx.get(window.window) ?? Infinity) + blockPx / 2 - xPx);
    if (distancePx >= leastPx) continue;
    leastPx = distancePx;
    best = window;
  }
  return best;
}
