// The crosshair that all panes share: two lines through the point that is read, and a ring around it.
import type { ReactNode } from "react";
import { usePanes, useViewerState } from "../../viewer-context.ts";

export function PaneCrosshair(): ReactNode {
  const isOn = usePanes((state) => state.crosshairInAll);
  const pointer = useViewerState((state) => state.picture.probe?.pointer);
  if (!isOn || !pointer) return null;
  const { xPx, yPx } = pointer;
  return (
    <div className="pane-crosshair" aria-hidden="true">
      <span className="crosshair-down" style={{ left: xPx }} />
      <span className="crosshair-across" style={{ top: yPx }} />
      {pointer.isGuest && <span className="crosshair-ring" style={{ left: xPx, top: yPx }} />}
    </div>
  );
}
