// The top edge of the screen: brand, place search, connection status, clock, keyboard help.
import type { ReactNode } from "react";
import { selectActivePane } from "../../state/panes/pane-store.ts";
import { otherTime, timeWithZone } from "../../text/format.ts";
import {
  toPaneViewer,
  useIsSideBySide,
  usePanes,
  useViewer,
  useViewerState,
  ViewerContext,
} from "../../viewer-context.ts";
import { Flyout } from "../controls/flyout.tsx";
import { BrandIcon, KeyboardIcon, PanelIcon, TwoPanesIcon } from "../controls/icons.tsx";
import { OverlaysButton } from "../overlays/overlays-button.tsx";
import { PlaceSearch } from "../places/place-search.tsx";
import { findMessage } from "../map/map-message.tsx";
import { ConnectionStatus } from "../status/connection-status.tsx";
import { GoLive } from "../status/go-live.tsx";
import { KeyboardHelp } from "./keyboard-help.tsx";
import { UpdateNotice } from "./update-notice.tsx";
import { useShortcut } from "../hooks/use-shortcut.ts";
import { WatchButtons } from "../watch/watch-buttons.tsx";
import { SettingsButton } from "../settings/settings-dialog.tsx";

export function TopBar(): ReactNode {
  const viewer = useViewer();
  // A place that is searched for is shown in the active pane.
  const active = toPaneViewer(viewer, usePanes(selectActivePane));
  const keys = useShortcut("keys");
  // An empty map offers it in the middle instead.
  const isGoLiveInMap = useViewerState((state) => findMessage(state)?.canGoLive === true);
  return (
    <header className="top-bar">
      <div className="brand">
        <BrandIcon />
        <h1>Echotop</h1>
        <SideBySide />
        <LeftPanelButton />
        <OverlaysButton />
      </div>
      <ViewerContext value={{ ...viewer, map: active.map, letter: active.letter }}>
        <PlaceSearch />
      </ViewerContext>
      <div className="top-right">
        <UpdateNotice />
        {!isGoLiveInMap && <GoLive />}
        <ConnectionStatus />
        <Clock />
        <WatchButtons />
        <Flyout
          id="keys"
          name="Keyboard"
          tooltip={keys.after("Keyboard")}
          title="Keyboard shortcuts"
          label={<KeyboardIcon />}
          panelClass="keyboard-help"
        >
          <KeyboardHelp />
        </Flyout>
        <SettingsButton />
      </div>
    </header>
  );
}

/** Opens and closes the left panel: of events and layers, or of the active pane's layers. */
function LeftPanelButton(): ReactNode {
  const { store, panes } = useViewer();
  const isSideBySide = useIsSideBySide();
  const layersOpen = usePanes((state) => state.layersOpen);
  const leftPanelOpen = useViewerState((state) => state.leftPanelOpen);
  const isOpen = isSideBySide ? layersOpen : leftPanelOpen;
  const words = isSideBySide ? "layers of the active pane" : "events and layers";
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={isSideBySide ? "Layers of the active pane" : "Events and layers"}
      aria-expanded={isOpen}
      title={`${isOpen ? "Hide" : "Show"} ${words}`}
      onClick={() => {
        if (isSideBySide) panes.store.setState({ layersOpen: !isOpen });
        else store.getState().setLeftPanelOpen(!isOpen);
      }}
    >
      <PanelIcon />
    </button>
  );
}

/** Opens two panes, or returns to one. */
function SideBySide(): ReactNode {
  const { after, aria } = useShortcut("pane-count");
  const { panes } = useViewer();
  const isSideBySide = useIsSideBySide();
  return (
    <button
      type="button"
      className="icon-button"
      aria-label="Side by side"
      aria-pressed={isSideBySide}
      title={after("Side by side: two or four storms, or one storm in versions")}
      aria-keyshortcuts={aria}
      onClick={() => {
        panes.setCount(isSideBySide ? 1 : 2);
      }}
    >
      <TwoPanesIcon />
    </button>
  );
}

/** The first clock, and the other one next to it. */
function Clock(): ReactNode {
  const nowMs = useViewerState((state) => state.nowMs);
  const other = otherTime(nowMs);
  return (
    <div className="clock box" role="group" aria-label="Clock">
      <time dateTime={new Date(nowMs).toISOString()}>{timeWithZone(nowMs)}</time>
      {other !== undefined && <span className="quiet">{other}</span>}
    </div>
  );
}
