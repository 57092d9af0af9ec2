// The screen: top bar, events and layers at the left, map, playback and timeline at the bottom; and its keyboard
// shortcuts.
import { useEffect, type ReactNode } from "react";
import { findCommand, focusKindOf, type Command } from "./keyboard.ts";
import { showWholeEvent } from "./panels/events/event-area.ts";
import { EventBar } from "./panels/events/event-bar.tsx";
import { EventList } from "./panels/events/event-list.tsx";
import { LayerList } from "./panels/layers/layer-list.tsx";
import { MapArea } from "./panels/map/map-area.tsx";
import { searchInputId } from "./panels/places/place-search.tsx";
import { Timeline } from "./panels/timeline/timeline.tsx";
import { Transport } from "./panels/timeline/transport.tsx";
import { TopBar } from "./panels/top-bar/top-bar.tsx";
import { knownLayersOf, selectSelectedEvent, selectShownRevision, toLayerViews } from "./state/selectors.ts";
import type { ViewerState } from "./state/store.ts";
import { useViewer, useViewerState, type Viewer } from "./viewer-context.ts";

export function App(): ReactNode {
  const viewer = useViewer();
  const leftPanelOpen = useViewerState((state) => state.leftPanelOpen);
  const label = useViewerState((state) => selectSelectedEvent(state)?.label);

  useEffect(() => {
    document.title = label === undefined ? "Echotop" : `${label} · Echotop`;
  }, [label]);

  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const command = findCommand(
        event,
        focusKindOf(document.activeElement),
        viewer.store.getState().characterKeys,
      );
      if (!command) return;
      event.preventDefault();
      commandActions[command](viewer, viewer.store.getState());
    };
    window.addEventListener("keydown", press);
    return () => {
      window.removeEventListener("keydown", press);
    };
  }, [viewer]);

  useEffect(() => {
    const pressPointer = ({ target }: PointerEvent): void => {
      const inFlyout = target instanceof Element && target.closest(".flyout-anchor") !== null;
      if (!inFlyout) viewer.store.getState().closeFlyout();
    };
    window.addEventListener("pointerdown", pressPointer);
    return () => {
      window.removeEventListener("pointerdown", pressPointer);
    };
  }, [viewer]);

  return (
    <div className="screen" data-left-panel={leftPanelOpen ? "open" : "closed"}>
      <TopBar />
      <aside className="left-panel" aria-label="Events and layers" hidden={!leftPanelOpen}>
        <EventList />
        <EventBar />
        <LayerList />
      </aside>
      <MapArea />
      <section className="bottom-bar" aria-label="Revisions">
        <Transport />
        <Timeline />
      </section>
    </div>
  );
}

/** The action of each keyboard command. */
const commandActions: Readonly<Record<Command, (viewer: Viewer, state: ViewerState) => void>> = {
  "play-or-pause": (_viewer, { playhead, pause, play }) => {
    if (playhead.mode === "held" && playhead.playing) pause();
    else play();
  },
  previous: (_viewer, state) => state.step(-1),
  next: (_viewer, state) => state.step(1),
  "ten-back": (_viewer, state) => state.step(-10),
  "ten-forward": (_viewer, state) => state.step(10),
  first: (_viewer, state) => state.goToFirst(),
  last: (_viewer, state) => state.goToLast(),
  newest: (_viewer, state) => state.pinNewest(),
  layers: (_viewer, state) => {
    state.setLeftPanelOpen(true);
    focusSoon(".layer-card input[type=checkbox]");
  },
  "layer-1": (_viewer, state) => toggleLayer(state, 0),
  "layer-2": (_viewer, state) => toggleLayer(state, 1),
  search: () => focusSoon(`#${searchInputId}`),
  "zoom-in": ({ map }) => map.find()?.zoomIn(),
  "zoom-out": ({ map }) => map.find()?.zoomOut(),
  "whole-event": showWholeEvent,
  keys: (_viewer, state) => state.toggleFlyout("keys"),
  close: (_viewer, state) => {
    state.closeFlyout();
    state.setCrosshair(false);
  },
};

/** Waits for the repaint, which may show the element first. */
function focusSoon(selector: string): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>(selector)?.focus();
  });
}

function toggleLayer(state: ViewerState, index: number): void {
  const views = toLayerViews(
    knownLayersOf(state.history.revisions),
    selectShownRevision(state),
    state.layerPreferences,
  );
  const view = views[index];
  if (view) state.setLayerVisible(view.layer.id, !view.visible);
}
