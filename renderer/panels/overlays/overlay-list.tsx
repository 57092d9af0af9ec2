// The overlays below the layers: what lies over the storm, each with its switch, its time rule and its source.
import type { ReactNode } from "react";
import { selectShownOverlays } from "../../state/overlays/shown-overlays.ts";
import { useViewerState } from "../../viewer-context.ts";
import { AddOverlay } from "./add-overlay.tsx";
import { overlaySectionId } from "./open-overlays.ts";
import { OverlayRow } from "./overlay-row.tsx";

export function OverlayList(): ReactNode {
  const shown = useViewerState(selectShownOverlays);
  return (
    <section className="overlays" aria-label="Overlays" id={overlaySectionId}>
      <div className="section-head">
        <h2>Overlays</h2>
        <AddOverlay />
      </div>
      {shown.length > 0 && (
        <ul aria-label="Overlays">
          {shown.map((each) => (
            <OverlayRow key={each.overlay.id} shown={each} />
          ))}
        </ul>
      )}
    </section>
  );
}
