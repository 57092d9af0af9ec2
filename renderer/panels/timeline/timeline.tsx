// The revisions of the event on the timeline, in order of publication or of observation.
import { useMemo, useState, type ReactNode } from "react";
import { useViewerState } from "../../viewer-context.ts";
import { ObservedOrder } from "./observed/observed-order.tsx";
import { OverviewStrip } from "./overview/overview-strip.tsx";
import { useTimelinePart } from "./overview/use-timeline-part.ts";
import { PublishedOrder } from "./published/published-order.tsx";
import { TimelineHead } from "./timeline-head.tsx";
import { useTimelineHistory } from "./timeline-history.ts";

export function Timeline(): ReactNode {
  const history = useTimelineHistory();
  const order = useViewerState((state) => state.timelineOrder);
  const { ref, widthPx } = useWidth();
  const { whole, part, moveTo } = useTimelinePart(history.all, order);
  const Order = order === "published" ? PublishedOrder : ObservedOrder;
  return (
    <div className="timeline">
      <TimelineHead history={history} />
      <div className="timeline-body">
        <div className="timeline-width" ref={ref} />
        <Order history={history} part={part} widthPx={widthPx} />
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
