// The row of blocks while there are none: pale placeholders while the list is read, else the words for an empty event.
import type { ReactNode } from "react";
import { useViewerState } from "../../../viewer-context.ts";
import { BlockPath } from "./blocks.tsx";
import { drawingHeightPx } from "../geometry/rows.ts";

const placeholderPitchPx = 28;
const placeholderPx = 21;

export function EmptyRow({ widthPx }: { readonly widthPx: number }): ReactNode {
  const hasEvent = useViewerState((state) => state.selectedEventId !== undefined);
  const isReading = useViewerState(({ history }) => history.phase === "loading");
  if (!hasEvent) return null;
  if (!isReading) return <p className="timeline-empty">Nothing published yet</p>;
  const count = Math.max(0, Math.floor(widthPx / placeholderPitchPx));
  return (
    <svg className="timeline-placeholders" width={widthPx} height={drawingHeightPx} aria-hidden="true">
      <BlockPath
        kind="tl-placeholder"
        lefts={Array.from({ length: count }, (_, place) => place * placeholderPitchPx)}
        blockPx={placeholderPx}
      />
    </svg>
  );
}
