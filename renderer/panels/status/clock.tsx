// The wall clock: UTC first, local time beside it.
import type { ReactNode } from "react";
import { localIsUtc, localMinute, utcClock } from "../../text/format.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";

export function Clock(): ReactNode {
  const { timeZone } = useViewer();
  const nowMs = useViewerState((state) => state.nowMs);
  return (
    <div className="clock box" role="group" aria-label="Clock">
      <time dateTime={new Date(nowMs).toISOString()}>{utcClock(nowMs)} UTC</time>
      {!localIsUtc(nowMs, timeZone) && <span className="quiet">{localMinute(nowMs, timeZone)}</span>}
    </div>
  );
}
