// The scale of the map at its middle: miles, and kilometers below.
import type { ReactNode } from "react";
import { toScaleLengths } from "../../map/scale-lengths.ts";
import { useViewerState } from "../../viewer-context.ts";

const mostPx = 120;

export function MapScale(): ReactNode {
  const view = useViewerState((state) => state.view);
  if (!view) return null;
  const lengths = toScaleLengths(view.center[1], view.zoom, mostPx);
  const words = lengths.map(({ count, unit }) => `${count} ${unit}`);
  return (
    <div className="scale-bar" role="img" aria-label={`Scale: ${words.join(", ")}`}>
      {lengths.map(({ unit, widthPx }, index) => (
        <span key={unit} className="scale-length" style={{ width: `${widthPx}px` }}>
          {words[index]}
        </span>
      ))}
    </div>
  );
}
