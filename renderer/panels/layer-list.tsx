// The layers of the event: what is shown and how strongly, with legend, unit and caveat; palette and units for all.
import type { ReactNode } from "react";
import { paletteIds } from "../../shared/products/palettes.ts";
import type { HailUnits } from "../format.ts";
import { knownLayersOf, selectShownRevision, toLayerViews } from "../state/selectors.ts";
import { paletteNames } from "../text.ts";
import { useViewer, useViewerState } from "../viewer-context.ts";
import { LayerCard } from "./layer-card.tsx";
import { Segmented, type SegmentOption } from "./segmented.tsx";

const paletteOptions = [
  { value: paletteIds[0], label: "Standard", name: paletteNames.standard },
  { value: paletteIds[1], label: "Colour-blind", name: paletteNames["color-blind"] },
];

const unitOptions: readonly SegmentOption<HailUnits>[] = [
  { value: "in", label: "in", name: "Inches first" },
  { value: "mm", label: "mm", name: "Millimetres first" },
];

export function LayerList(): ReactNode {
  const { store } = useViewer();
  const known = useViewerState((state) => knownLayersOf(state.history.revisions));
  const revision = useViewerState(selectShownRevision);
  const preferences = useViewerState((state) => state.layerPreferences);
  const palette = useViewerState((state) => state.palette);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const views = toLayerViews(known, revision, preferences);
  return (
    <section className="layers" aria-label="Layers">
      <div className="section-head">
        <h2>Layers</h2>
      </div>
      {views.map((view) => (
        <LayerCard key={view.layer.id} view={view} />
      ))}
      {views.length === 0 && <p className="panel-note">Layers appear with the first revision.</p>}
      {views.length > 0 && (
        <div className="layer-options">
          <Segmented
            legend="Palette"
            options={paletteOptions}
            value={palette}
            onChange={store.getState().setPalette}
          />
          <Segmented
            legend="Hail units"
            options={unitOptions}
            value={hailUnits}
            onChange={store.getState().setHailUnits}
          />
        </div>
      )}
    </section>
  );
}
