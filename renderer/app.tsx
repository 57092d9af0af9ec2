// The screen: top bar, events and layers at the left, map, playback and timeline at the bottom; and its keyboard shortcuts.
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
      run(command, viewer);
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

function run(command: Command, viewer: Viewer): void {
  const { store, map } = viewer;
  const state = store.getState();
  switch (command) {
    case "play-or-pause":
      if (state.playhead.mode === "held" && state.playhead.playing) state.pause();
      else state.play();
      return;
    case "previous":
      state.step(-1);
      return;
    case "next":
      state.step(1);
      return;
    case "ten-back":
      state.step(-10);
      return;
    case "ten-forward":
      state.step(10);
      return;
    case "first":
      state.goToFirst();
      return;
    case "last":
      state.goToLast();
      return;
    case "newest":
      state.pinNewest();
      return;
    case "layers":
      state.setLeftPanelOpen(true);
      focusSoon(".layer-card input[type=checkbox]");
      return;
    case "layer-1":
      toggleLayer(state, 0);
      return;
    case "layer-2":
      toggleLayer(state, 1);
      return;
    case "search":
      focusSoon(`#${searchInputId}`);
      return;
    case "zoom-in":
      map.find()?.zoomIn();
      return;
    case "zoom-out":
      map.find()?.zoomOut();
      return;
    case "whole-event":
      showWholeEvent(viewer);
      return;
    case "keys":
      state.toggleFlyout("keys");
      return;
    case "close":
      state.closeFlyout();
      state.setCrosshair(false);
      return;
  }
}

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
