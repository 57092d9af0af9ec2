// The time it took to know: from a white dot, where a size was first observed, to an open ring, when it was published.
import { useMemo, type ReactNode } from "react";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import { findFirstReached } from "../../state/story/first-reached.ts";
import type { PlaceStory } from "../../state/story/place-story.ts";
import type { PlacePin } from "../../state/slices/story-slice.ts";
import { publishedMsOf } from "../../text/story-text.ts";
import { useViewerState } from "../../viewer-context.ts";
import { toPx, type Plot } from "./chart-marks.ts";
import { hailLines } from "./hail-lines.ts";
import { useStoryReadings } from "./use-place-story.ts";
import type { StoryAxis } from "./use-story-axis.ts";

interface FirstMarksProps {
  readonly pin: PlacePin;
  readonly story: PlaceStory;
  readonly axis: StoryAxis;
  readonly plot: Plot;
}

export function FirstMarks({ pin, story, axis, plot }: FirstMarksProps): ReactNode {
  const revisions = useViewerState((state) => state.history.revisions);
  const publishedAt = useViewerState((state) => state.publishedAt);
  const wanted = useStoryReadings(pin);
  const isWhole = story.readCount === story.windows.length;
  const firsts = useMemo(
    () => (isWhole ? hailLines.map((line) => findFirstReached(revisions, line, wanted).moves[0]) : []),
    [isWhole, revisions, wanted],
  );
  return firsts.map((first, index) => {
    if (first?.observedAt === undefined) return null;
    const leftPx = axis.leftPx.get(observationWindow(first.observedAt));
    if (leftPx === undefined) return null;
    const publishedMs = publishedMsOf(first.revision, { publishedAt });
    const fromPx = leftPx + axis.blockPx / 2;
    const toX = publishedMs === undefined ? undefined : axis.toPx(publishedMs);
    const y = Math.round(toPx(plot, hailLines[index]!.from)) + 0.5;
    // A publication hours or days later is beyond the strip, and only said in the sentence.
    const isInside = toX !== undefined && toX <= axis.endPx && toX > fromPx + 6;
    return (
      <g key={hailLines[index]!.from} className="story-first">
        {isInside && <path d={`M${fromPx} ${y}H${toX - 4}`} />}
        {isInside && <circle className="story-first-ring" cx={toX} cy={y} r={3.5} />}
        <circle cx={fromPx} cy={y} r={4} />
      </g>
    );
  });
}
