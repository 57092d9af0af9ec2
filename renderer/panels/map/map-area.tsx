// The map and what lies over it: truth strip, message, controls, credits, probe.
import { useState, type ReactNode } from "react";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import { selectSelectedEvent } from "../../state/selectors.ts";
import { basemapCredits } from "../../text/export-text.ts";
import { overlayCredits } from "../../text/overlay-text.ts";
import {
  useIsShow,
  useIsSideBySide,
  usePaneName,
  usePanes,
  useViewer,
  useViewerState,
} from "../../viewer-context.ts";
import { BriefingButton } from "../briefing/briefing-button.tsx";
import { Button } from "../controls/button.tsx";
import { ChartIcon, InfoIcon, MinusIcon, PlusIcon, WholeEventIcon } from "../controls/icons.tsx";
import { ExportButton } from "../export/export-dialog.tsx";
import { showWholeEvent } from "../events/event-area.ts";
import { SwipeOverMap } from "../change/swipe-line.tsx";
import { PaneCrosshair } from "../panes/pane-crosshair.tsx";
import { PaneFoot } from "../panes/pane-foot.tsx";
import { PaneHead } from "../panes/pane-head.tsx";
import { ToolButtons } from "../tools/tool-buttons.tsx";
import { ToolCards } from "../tools/tool-card.tsx";
import { ReportCard } from "../reports/report-card.tsx";
import { MapMessage } from "./map-message.tsx";
import { MapOptions } from "./map-options.tsx";
import { ProbeReadout } from "./probe-readout.tsx";
import { MapScale } from "./map-scale.tsx";
import { StormMapRegion } from "./storm-map-region.tsx";
import { TruthStrip } from "./truth-strip.tsx";

/** The map of the viewer, or of one pane: then a head and a foot stand above and below it. */
export function MapArea(): ReactNode {
  const { letter, panes } = useViewer();
  const event = useViewerState(selectSelectedEvent);
  const isSideBySide = useIsSideBySide();
  const isActive = usePanes(({ active }) => active === letter);
  const isMissing = usePanes(({ locked }) => (locked[letter] ?? present).kind !== "shown");
  const isShow = useIsShow();
  const activate = (): void => {
    panes.activate(letter);
  };
  return (
    <section
      className="map-area"
      aria-label={isSideBySide ? `Pane ${letter}, ${event?.label ?? "no event"}` : undefined}
      data-nature={event && natureOf(event)}
      data-active={isSideBySide && isActive}
      data-missing={isMissing}
      onPointerDownCapture={activate}
      onFocusCapture={activate}
    >
      {isSideBySide && <PaneHead />}
      <div className="map-body">
        <StormMapRegion />
        {isSideBySide && <PaneCrosshair />}
        {(isSideBySide || !isShow) && <TruthStrip />}
        <SwipeOverMap />
        {!isShow && <OverMap />}
      </div>
      {isSideBySide && <PaneFoot />}
    </section>
  );
}

/** Controls, credits and readings, which are not for a projector. */
function OverMap(): ReactNode {
  const isSideBySide = useIsSideBySide();
  return (
    <>
      <MapMessage />
      <MapControls />
      {!isSideBySide && (
        <>
          <MapOptions />
          <MapCredits />
        </>
      )}
      <ProbeReadout />
      <ToolCards />
      {!isSideBySide && <ReportCard />}
    </>
  );
}

const present = { kind: "shown" } as const;

function MapControls(): ReactNode {
  const viewer = useViewer();
  const { map } = viewer;
  const isSideBySide = useIsSideBySide();
  const hasHiddenStory = useViewerState(
    (state) => !isSideBySide && state.pins.length > 0 && !state.storyOpen,
  );
  return (
    <div className="map-controls" role="group" aria-label={usePaneName("Map view")}>
      <button
        type="button"
        aria-label={usePaneName("Zoom in")}
        title="Zoom in (+)"
        onClick={() => map.find()?.zoomIn()}
      >
        <PlusIcon />
      </button>
      <button
        type="button"
        aria-label={usePaneName("Zoom out")}
        title="Zoom out (−)"
        onClick={() => map.find()?.zoomOut()}
      >
        <MinusIcon />
      </button>
      <button
        type="button"
        aria-label={usePaneName("Whole event")}
        title="Show the whole event (0)"
        onClick={() => {
          showWholeEvent(viewer);
        }}
      >
        <WholeEventIcon />
      </button>
      <ToolButtons />
      {hasHiddenStory && (
        <button
          type="button"
          aria-label="Story of the pinned places"
          title="Show the story of the pinned places"
          onClick={() => {
            viewer.store.getState().setStoryOpen(true);
          }}
        >
          <ChartIcon />
        </button>
      )}
      {!isSideBySide && (
        <>
          <ExportButton />
          <BriefingButton />
        </>
      )}
    </div>
  );
}

/** One line, always in view: the disclosure of the data, then the sources of data and map. A button shows all of it. */
function MapCredits(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const attribution = useViewerState((state) => state.history.attribution);
  const disclosure = useViewerState((state) => state.history.disclosure);
  const overlays = useViewerState(overlayCredits);
  return (
    <footer className="map-credits" data-open={isOpen}>
      <MapScale />
      <div className="credit-line">
        <p className="caution">Not a warning source</p>
        <p className="disclosure">{disclosure}</p>
        <p className="attribution">
          {[attribution, overlays, basemapCredits].filter((part) => part !== "").join(" · ")}
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
