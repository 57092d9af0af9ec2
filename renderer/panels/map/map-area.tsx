// The map and what lies over it: truth strip, controls, probe, credits, and words where there is nothing to show.
import type { ReactNode } from "react";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import { selectSelectedEvent } from "../../state/selectors.ts";
import { useViewerState } from "../../viewer-context.ts";
import { MapControls } from "./map-controls.tsx";
import { MapCredits } from "./map-credits.tsx";
import { MapMessage } from "./map-message.tsx";
import { ProbeReadout } from "./probe-readout.tsx";
import { StormMapRegion } from "./storm-map-region.tsx";
import { TruthStrip } from "./truth-strip.tsx";

export function MapArea(): ReactNode {
  const event = useViewerState(selectSelectedEvent);
  return (
    <main className="map-area" data-nature={event && natureOf(event)}>
      <StormMapRegion />
      <TruthStrip />
      <MapMessage />
      <MapControls />
      <MapCredits />
      <ProbeReadout />
    </main>
  );
}
