// The layers of the event: what is shown and how strongly, with legend, unit and caveat; palette and units for all.
import type { ReactNode } from "react";
import type { HailUnits } from "../../text/format.ts";
import { knownLayersOf, selectShownRevision, toLayerViews } from "../../state/selectors.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { LayerCard } from "./layer-card.tsx";
import { Segmented, type SegmentOption } from "../controls/segmented.tsx";

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
  const reading = useViewerState(
    ({ history, selectedEventId }) => history.phase === "loading" && selectedEventId !== undefined,
  );
  const views = toLayerViews(known, revision, preferences);
  return (
    <section className="layers" aria-label="Layers">
      <div className="section-head">
        <h2>Layers</h2>
        {views.length > 0 && (
          <div className="layer-options">
            <button
              type="button"
              className="toggle"
              aria-label="Colour-blind palette"
              aria-pressed={palette === "color-blind"}
              title="Colours that all eyes tell apart, in place of the standard ones"
              onClick={() => {
                store.getState().setPalette(palette === "standard" ? "color-blind" : "standard");
              }}
            >
              Colour-blind
            </button>
            <Segmented
              legend="Hail units"
              options={unitOptions}
              value={hailUnits}
              onChange={store.getState().setHailUnits}
            />
          </div>
        )}
      </div>
      {views.map((view) => (
        <LayerCard key={view.layer.id} view={view} />
      ))}
      {views.length > 0 && (
        <p className="coverage-key caption">
          <span className="coverage-mark" aria-hidden="true" />
          Hatched: outside radar coverage
        </p>
      )}
      {views.length === 0 && (
        <p className="panel-note">
          {reading ? "Reading the layers…" : "Layers appear with the first revision."}
        </p>
      )}
    </section>
  );
}
