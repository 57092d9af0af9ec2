// The names of the rows, left of the timeline.
import type { ReactNode } from "react";
import { drawingHeightPx } from "../geometry/rows.ts";
import type { Part } from "../geometry/timeline-part.ts";
import type { TimelineHistory } from "../timeline-history.ts";

/** Properties of the timeline in either order. */
export interface TimelineOrderProps {
  readonly history: TimelineHistory;
  /** The part of the event that is drawn. */
  readonly part: Part;
  /** Width of the plot. */
  readonly widthPx: number;
  /** Sequence of a correction that has just arrived. */
  readonly arrived: number | undefined;
}

interface GutterProps {
  readonly names: readonly { readonly name: string; readonly topPx: number }[];
}

export function TimelineGutter({ names }: GutterProps): ReactNode {
  return (
    <div className="timeline-gutter caption" aria-hidden="true" style={{ height: drawingHeightPx }}>
      {names.map(({ name, topPx }) => (
        <span key={name} style={{ top: topPx }}>
          {name}
        </span>
      ))}
    </div>
  );
}
