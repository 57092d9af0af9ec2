// The scale of the map at its middle in the unit that the person wants first, and in another below.
import type { ReactNode } from "react";
import { toScaleLengths } from "../../map/scale-lengths.ts";
import { useViewerState } from "../../viewer-context.ts";

const mostPx = 120;

export function MapScale(): ReactNode {
  const view = useViewerState((state) => state.view);
  const unit = useViewerState((state) => state.lengthUnit);
  if (!view) return null;
  const lengths = toScaleLengths(view.center[1], view.zoom, mostPx, unit);
  const words = lengths.map((length) => `${length.count} ${length.unit}`);
  return (
    <div className="scale-bar" role="img" aria-label={`Scale: ${words.join(", ")}`}>
      {lengths.map(({ widthPx, ...length }, index) => (
        <span key={length.unit} className="scale-length" style={{ width: `${widthPx}px` }}>
          {words[index]}
        </span>
      ))}
    </div>
  );
}
