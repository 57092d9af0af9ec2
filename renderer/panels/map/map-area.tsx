// The map and what lies over it: truth strip, message, controls, credits, probe.
import { useState, type ReactNode } from "react";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import { selectSelectedEvent } from "../../state/selectors.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { InfoIcon, MinusIcon, PlusIcon, WholeEventIcon } from "../controls/icons.tsx";
import { showWholeEvent } from "../events/event-area.ts";
import { MapMessage } from "./map-message.tsx";
import { MapOptions } from "./map-options.tsx";
import { ProbeReadout } from "./probe-readout.tsx";
import { MapScale } from "./map-scale.tsx";
import { StormMapRegion } from "./storm-map-region.tsx";
import { TruthStrip } from "./truth-strip.tsx";

const basemapCredits =
  "map: U.S. Census, Natural Earth, Boost.Geometry, OurAirports · places: GeoNames (CC BY 4.0)";

export function MapArea(): ReactNode {
  const event = useViewerState(selectSelectedEvent);
  return (
    <main className="map-area" data-nature={event && natureOf(event)}>
      <StormMapRegion />
      <TruthStrip />
      <MapMessage />
      <MapControls />
      <MapOptions />
      <MapCredits />
      <ProbeReadout />
    </main>
  );
}

function MapControls(): ReactNode {
  const viewer = useViewer();
  const { map } = viewer;
  return (
    <div className="map-controls" role="group" aria-label="Map view">
      <button type="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => map.find()?.zoomIn()}>
        <PlusIcon />
      </button>
      <button type="button" aria-label="Zoom out" title="Zoom out (−)" onClick={() => map.find()?.zoomOut()}>
        <MinusIcon />
      </button>
      <button
        type="button"
        aria-label="Whole event"
        title="Show the whole event (0)"
        onClick={() => {
          showWholeEvent(viewer);
        }}
      >
        <WholeEventIcon />
      </button>
    </div>
  );
}

/** One line, always in view: the disclosure of the data, then the sources of data and map. A button shows all of it. */
function MapCredits(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const attribution = useViewerState((state) => state.history.attribution);
  const disclosure = useViewerState((state) => state.history.disclosure);
  return (
    <footer className="map-credits" data-open={isOpen}>
      <MapScale />
      <div className="credit-line">
        <p className="caution">Not a warning source</p>
        <p className="disclosure">{disclosure}</p>
        <p className="attribution">
          {[attribution, basemapCredits].filter((part) => part !== "").join(" · ")}
        </p>
      </div>
      <Button
        className="icon-button tiny"
        name="Sources and credits"
        isOpen={isOpen}
        onPress={() => {
          setOpen(!isOpen);
        }}
      >
        <InfoIcon />
      </Button>
    </footer>
  );
}
