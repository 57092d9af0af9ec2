// The top edge of the screen: whose it is, place search, connection and freshness, the clock.
import type { ReactNode } from "react";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Clock } from "./clock.tsx";
import { ConnectionStatus } from "./connection-status.tsx";
import { BrandIcon, KeysIcon, PanelIcon } from "../controls/icons.tsx";
import { KeysFlyout } from "./keys-flyout.tsx";
import { PlaceSearchBox } from "../places/place-search-box.tsx";

export function TopBar(): ReactNode {
  const { store } = useViewer();
  const { leftPanelOpen, flyout } = useViewerState(({ leftPanelOpen, flyout }) => ({
    leftPanelOpen,
    flyout,
  }));
  return (
    <header className="top-bar">
      <div className="brand">
        <BrandIcon />
        <h1>Echotop</h1>
        <button
          type="button"
          className="icon-button"
          aria-label="Events and layers"
          aria-expanded={leftPanelOpen}
          title={leftPanelOpen ? "Hide events and layers" : "Show events and layers"}
          onClick={() => {
            store.getState().setLeftPanelOpen(!leftPanelOpen);
          }}
        >
          <PanelIcon />
        </button>
      </div>
      <PlaceSearchBox />
      <div className="top-right">
        <ConnectionStatus />
        <Clock />
        <div className="flyout-anchor">
          <button
            type="button"
            className="icon-button"
            aria-label="Keyboard"
            aria-expanded={flyout === "keys"}
            title="Keyboard (?)"
            onClick={() => {
              store.getState().toggleFlyout("keys");
            }}
          >
            <KeysIcon />
          </button>
          {flyout === "keys" && <KeysFlyout />}
        </div>
      </div>
    </header>
  );
}
