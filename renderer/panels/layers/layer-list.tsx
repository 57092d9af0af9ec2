// The layers of the event; palette and hail units for all of them.
import type { ReactNode } from "react";
import { knownLayersOf, selectShownRevision, toLayerViews } from "../../state/selectors.ts";
import type { HailUnits } from "../../text/format.ts";
import { useIsSideBySide, useViewer, useViewerState } from "../../viewer-context.ts";
import { WhatChanged } from "../change/what-changed.tsx";
import { Segmented, type SegmentOption } from "../controls/segmented.tsx";
import { SoFarCard } from "../so-far/so-far-card.tsx";
import { ColorChoice } from "./color-choice.tsx";
import { LayerCard } from "./layer-card.tsx";

const unitOptions: readonly SegmentOption<HailUnits>[] = [
  { value: "in", label: "in", name: "Inches first" },
  { value: "mm", label: "mm", name: "Millimeters first" },
];

export function LayerList(): ReactNode {
  const { letter } = useViewer();
  const isSideBySide = useIsSideBySide();
  const known = useViewerState((state) => knownLayersOf(state.history.revisions));
  const revision = useViewerState(selectShownRevision);
  const preferences = useViewerState((state) => state.layerPreferences);
  const isReading = useViewerState(
    ({ history, selectedEventId }) => history.phase === "loading" && selectedEventId !== undefined,
  );
  const views = toLayerViews(known, revision, preferences);
  const empty = isReading ? "Reading layers…" : "Layers appear with the first frame";
  return (
    <section className="layers" aria-label="Layers">
      <div className="section-head">
        <h2>{isSideBySide ? `Pane ${letter}` : "Layers"}</h2>
        {views.length > 0 && <LayerOptions />}
      </div>
      <WhatChanged />
      {views.length > 0 && <SoFarCard />}
      {views.map((view) => (
        <LayerCard key={view.layer.id} view={view} />
      ))}
      {views.length === 0 ? (
        <p className="panel-note">{empty}</p>
      ) : (
        <p className="coverage-key caption">
          <span className="coverage-mark" aria-hidden="true" />
          Hatched: outside radar coverage
        </p>
      )}
    </section>
  );
}

function LayerOptions(): ReactNode {
  const { store } = useViewer();
  const hailUnits = useViewerState((state) => state.hailUnits);
  return (
    <div className="layer-options">
      <ColorChoice />
      <Segmented
        legend="Hail units"
        options={unitOptions}
        value={hailUnits}
        onChange={store.getState().setHailUnits}
      />
    </div>
  );
}
