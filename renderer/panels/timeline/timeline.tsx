// The revisions of the event on the timeline, in order of publication or of observation.
import { useEffect, type ReactNode } from "react";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { EmptyRow } from "./parts/empty-row.tsx";
import { useArrivedCorrection } from "./known-at/use-arrived-correction.ts";
import { ObservedOrder } from "./observed/observed-order.tsx";
import { OverviewStrip } from "./overview/overview-strip.tsx";
import { useTimelinePart } from "./overview/use-timeline-part.ts";
import { PublishedOrder } from "./published/published-order.tsx";
import { TimelineHead } from "./timeline-head.tsx";
import { useTimelineHistory } from "./timeline-history.ts";
import { useWidth } from "./use-width.ts";

export function Timeline(): ReactNode {
  const history = useTimelineHistory();
  const order = useViewerState((state) => state.timelineOrder);
  const { ref, widthPx } = useWidth();
  const { whole, part, moveTo } = useTimelinePart(history.all, order);
  // The strip of a place has the columns of the windows drawn here.
  const { setObservedPart } = useViewer().store.getState();
  useEffect(() => {
    if (order === "observed") setObservedPart(part);
  }, [order, part, setObservedPart]);
  const arrived = useArrivedCorrection();
  const Order = order === "published" ? PublishedOrder : ObservedOrder;
  return (
    <div className="timeline">
      <TimelineHead history={history} arrived={arrived} />
      <div className="timeline-body">
        <div className="timeline-width" ref={ref} />
        <Order history={history} part={part} widthPx={widthPx} arrived={arrived} />
        {history.all.length === 0 && <EmptyRow widthPx={widthPx} />}
        <OverviewStrip
          history={history}
          order={order}
          whole={whole}
          part={part}
          widthPx={widthPx}
          onMove={moveTo}
        />
      </div>
    </div>
  );
}
