// The foot of a pane: the legends of the layers that it shows, its caveat, disclosure and sources.
import type { ReactNode } from "react";
import { findLegendMark, toLegend } from "../../text/legend.ts";
import { knownLayersOf, selectShownRevision, toLayerViews, type LayerView } from "../../state/selectors.ts";
import { layerShortNames } from "../../text/state-text.ts";
import { usePaneName, usePanes, useViewer, useViewerState } from "../../viewer-context.ts";
import { LegendStrip } from "../layers/legend-strip.tsx";

/** Width of a legend in CSS pixels, by the number of panes. */
const legendPx = { 1: 150, 2: 150, 4: 120 } as const;

const caution = "Not a warning source.";

export function PaneFoot(): ReactNode {
  const known = useViewerState((state) => knownLayersOf(state.history.revisions));
  const revision = useViewerState(selectShownRevision);
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
        <PaneLegend key={view.layer.id} view={view} />
      ))}
      <p className="pane-caveat disclosure" title={words}>
        {words}
      </p>
    </footer>
  );
}

function PaneLegend({ view: { layer, showFrom } }: { readonly view: LayerView }): ReactNode {
  const { letter } = useViewer();
  const count = usePanes((state) => state.count);
  const palette = useViewerState((state) => state.palette);
  const theme = useViewerState((state) => state.theme);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const name = usePaneName(`${layer.label} legend`);
  const reading = useViewerState((state) =>
    state.picture.probe?.readings.find((candidate) => candidate.id === layer.id),
  );
  const entries = toLegend(layer, { palette, theme, hailUnits, showFrom });
  const widthPx = legendPx[count];
  return (
    <div className="pane-legend" style={{ width: widthPx }} data-pane-legend={letter}>
      <p className="caption">
        <span>{layerShortNames[layer.id]}</span>
        <span>{layer.unit === "mm" ? hailUnits : layer.unit}</span>
      </p>
      <LegendStrip label={name} entries={entries} mark={findLegendMark(entries, reading)} widthPx={widthPx} />
    </div>
  );
}
