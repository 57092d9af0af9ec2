// The legend of a layer with its name and unit above it, for places beside a map.
import type { ReactNode } from "react";
import type { LayerView } from "../../state/selectors.ts";
import { findLegendMark, toLegend } from "../../text/legend.ts";
import { layerShortNames } from "../../text/state-text.ts";
import { usePaneName, useViewer, useViewerState } from "../../viewer-context.ts";
import { LegendStrip } from "./legend-strip.tsx";

export interface LayerLegendProps {
  readonly view: LayerView;
  /** In CSS pixels. */
  readonly widthPx: number;
}

export function LayerLegend({ view: { layer, showFrom }, widthPx }: LayerLegendProps): ReactNode {
  const { letter } = useViewer();
  const palette = useViewerState((state) => state.palette);
  const ownTables = useViewerState((state) => state.ownTables);
  const theme = useViewerState((state) => state.theme);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const name = usePaneName(`${layer.label} legend`);
  const reading = useViewerState((state) =>
    state.picture.probe?.readings.find((candidate) => candidate.id === layer.id),
  );
  const entries = toLegend(layer, { palette, ownTables, theme, hailUnits, showFrom });
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
