// The tooltip of a window in the strip: what each layer says there, since when, and what stood there before.
import type { ReactNode } from "react";
import type { StoryWindow } from "../../state/story/place-story.ts";
import { timeWithZone } from "../../text/format.ts";
import { layerShortNames } from "../../text/state-text.ts";
import { cellWords, publishedMsOf } from "../../text/story-text.ts";
import { useViewerState } from "../../viewer-context.ts";
import type { StoryAxis } from "./use-story-axis.ts";

const tipWidthPx = 340;

interface StoryTipProps {
  readonly window: StoryWindow;
  readonly axis: StoryAxis;
  readonly widthPx: number;
}

export function StoryTip({ window, axis, widthPx }: StoryTipProps): ReactNode {
  const hailUnits = useViewerState((state) => state.hailUnits);
  const publishedAt = useViewerState((state) => state.publishedAt);
  const middle = (axis.leftPx.get(window.window) ?? 0) + axis.blockPx / 2;
  const leftPx = Math.min(Math.max(0, middle - tipWidthPx / 2), Math.max(0, widthPx - tipWidthPx));
  return (
    <div className="story-tip" role="presentation" style={{ width: tipWidthPx, translate: `${leftPx}px 0` }}>
      <p>
        <strong>Observed {timeWithZone(Date.parse(window.observedAt))}</strong>
      </p>
      <dl>
        {window.layers.map(({ id, cell, since, before }) => {
          const ms = publishedMsOf(since, { publishedAt });
          return (
            <div key={id}>
              <dt>{layerShortNames[id]}</dt>
              <dd>
                {cellWords(cell, id, hailUnits)}
                {cell.kind === "class" && <span className="quiet"> · estimate</span>}
                {cell.kind === "failed" && <span className="bad"> · {cell.message}</span>}
                <span className="quiet story-since">
                  revision {since.sequence}
                  {ms !== undefined && `, published ${timeWithZone(ms)}`}
                </span>
                {before && (
                  <span className="warning story-since">
                    corrected: was {cellWords(before, id, hailUnits)}
                  </span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}
