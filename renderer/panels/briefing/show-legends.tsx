// The legends of the layers on the projector.
import type { ReactNode } from "react";
import { knownLayersOf, selectShownRevision, toLayerViews } from "../../state/selectors.ts";
import { findLegendMark, toLegend } from "../../text/legend.ts";
import { useViewerState } from "../../viewer-context.ts";
import { LegendStrip } from "../layers/legend-strip.tsx";

/** Width of a strip whose figures take as much of it as the large ones of the projector do. */
const widthPx = 300;

export function ShowLegends(): ReactNode {
  const known = useViewerState((state) => knownLayersOf(state.history.revisions));
  const revision = useViewerState(selectShownRevision);
  const preferences = useViewerState((state) => state.layerPreferences);
  const palette = useViewerState((state) => state.palette);
  const ownTables = useViewerState((state) => state.ownTables);
  const theme = useViewerState((state) => state.theme);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const readings = useViewerState((state) => state.picture.pin?.readings);
  const shown = toLayerViews(known, revision, preferences).filter(
    ({ visible, delivered }) => visible && delivered,
  );
  if (shown.length === 0) return null;
  return (
    <div className="show-box show-legends">
      {shown.map(({ layer, showFrom }) => {
        const entries = toLegend(layer, { palette, ownTables, theme, hailUnits, showFrom });
        return (
          <div key={layer.id}>
            <p className="show-legend-head">
              <span>
                {layer.label}
                {layer.id === "mrms-mesh" && ", estimate"}
              </span>
              <span className="quiet">{layer.unit === "mm" ? hailUnits : layer.unit}</span>
            </p>
            <LegendStrip
              label={`${layer.label} legend`}
              entries={entries}
              mark={findLegendMark(
                entries,
                readings?.find(({ id }) => id === layer.id),
              )}
              widthPx={widthPx}
            />
          </div>
        );
      })}
    </div>
  );
}
