// The foot of a pane: the legends of the layers that it shows, its caveat, disclosure and sources.
import type { ReactNode } from "react";
import { knownLayersOf, selectShownRevision, toLayerViews } from "../../state/selectors.ts";
import { usePanes, useViewerState } from "../../viewer-context.ts";
import { LayerLegend } from "../layers/layer-legend.tsx";

/** Width of a legend in CSS pixels, by the number of panes. */
const legendPx = { 1: 150, 2: 150, 4: 120 } as const;

const caution = "Not a warning source.";

export function PaneFoot(): ReactNode {
  const known = useViewerState((state) => knownLayersOf(state.history.revisions));
  const revision = useViewerState(selectShownRevision);
  const widthPx = usePanes(({ count }) => legendPx[count]);
  const preferences = useViewerState((state) => state.layerPreferences);
  const attribution = useViewerState((state) => state.history.attribution);
  const disclosure = useViewerState((state) => state.history.disclosure);
  const views = toLayerViews(known, revision, preferences).filter(({ visible }) => visible);
  // It comes first, where no lack of room hides it.
  const others = [disclosure.replace(caution, "").trim(), attribution];
  const words = [caution, ...others].filter((part) => part !== "").join(" ");
  return (
    <footer className="pane-foot">
      {views.map((view) => (
        <LayerLegend key={view.layer.id} view={view} widthPx={widthPx} />
      ))}
      <p className="pane-caveat disclosure" title={words}>
        {words}
      </p>
    </footer>
  );
}
