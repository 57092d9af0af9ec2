// What must always be in view: the data's disclosure, and whose data, boundaries and places these are.
import type { ReactNode } from "react";
import { useViewerState } from "../../viewer-context.ts";

const basemapCredits = "boundaries: U.S. Census (us-atlas), Natural Earth · places: GeoNames (CC BY 4.0)";

export function MapCredits(): ReactNode {
  const attribution = useViewerState((state) => state.history.attribution);
  const disclosure = useViewerState((state) => state.history.disclosure);
  return (
    <footer className="map-credits">
      <p className="disclosure">{disclosure}</p>
      <p className="attribution">{[attribution, basemapCredits].filter((part) => part !== "").join(" · ")}</p>
    </footer>
  );
}
