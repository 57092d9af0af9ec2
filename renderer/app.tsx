// The screen: top bar, events and layers at the left, map, playback and timeline at the bottom; and its keyboard
// shortcuts.
import { useEffect, useLayoutEffect, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { findCommand, focusKindOf, type Command } from "./keyboard.ts";
import { showWholeEvent } from "./panels/events/event-area.ts";
import { EventBar } from "./panels/events/event-bar.tsx";
import { EventList } from "./panels/events/event-list.tsx";
import { LayerList } from "./panels/layers/layer-list.tsx";
import { MapArea } from "./panels/map/map-area.tsx";
import { searchInputId } from "./panels/places/place-search.tsx";
import { focusKnownAtHandle } from "./panels/timeline/known-at/handle-focus.ts";
import { isTimelineFolded, TimelineFold, useTimelineFolded } from "./panels/timeline/timeline-fold.tsx";
import { Timeline } from "./panels/timeline/timeline.tsx";
import { Transport } from "./panels/timeline/transport/transport.tsx";
import { TopBar } from "./panels/top-bar/top-bar.tsx";
import { selectNextCorrection, selectOtherVersion } from "./state/standing.ts";
import { knownLayersOf, selectSelectedEvent, selectShownRevision, toLayerViews } from "./state/selectors.ts";
import type { ViewerState } from "./state/store.ts";
import { useViewer, useViewerState, type Viewer } from "./viewer-context.ts";

export function App(): ReactNode {
  const viewer = useViewer();
  const leftPanelOpen = useViewerState((state) => state.leftPanelOpen);
  const isFolded = useTimelineFolded();
  const label = useViewerState((state) => selectSelectedEvent(state)?.label);

  const theme = useViewerState((state) => state.theme);

  // Before the first paint, so that no other theme flashes.
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);

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
      toCommandActions(viewer)[command]();
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
    <div
      className="screen"
      data-left-panel={leftPanelOpen ? "open" : "closed"}
      data-timeline={isFolded ? "folded" : "open"}
    >
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
        <TimelineFold />
      </section>
    </div>
  );
}

/** Returns the action of each keyboard command, for the viewer's present state. */
function toCommandActions(viewer: Viewer): Readonly<Record<Command, () => void>> {
  const { store, map } = viewer;
  const state = store.getState();
  const isPlaying = state.playhead.mode === "held" && state.playhead.playing;
  const stepBy = (count: number) => () => {
    state.step(count);
  };
  const correct = (direction: 1 | -1) => () => {
    const correction = selectNextCorrection(state, direction);
    if (correction) state.goTo(correction.sequence);
  };
  const toggle = (index: number) => () => {
    toggleLayer(state, index);
  };
  return {
    "play-or-pause": isPlaying ? state.pause : state.play,
    previous: stepBy(-1),
    next: stepBy(1),
    "ten-back": stepBy(-10),
    "ten-forward": stepBy(10),
    first: () => {
      state.goToFirst();
    },
    last: () => {
      state.goToLast();
    },
    newest: state.pinNewest,
    flip: () => {
      const other = selectOtherVersion(state);
      if (other) state.flipTo(other.sequence);
    },
    "previous-correction": correct(-1),
    "next-correction": correct(1),
    pin: () => {
      if (state.picture.probe) state.togglePin(state.picture.probe.pointer);
    },
    layers: () => {
      flushSync(() => {
        state.setLeftPanelOpen(true);
      });
      focus(".layer-card input[type=checkbox]");
    },
    "fold-timeline": () => {
      state.setTimelineFolded(!isTimelineFolded(state));
    },
    "timeline-order": () => {
      state.setTimelineOrder(state.timelineOrder === "published" ? "observed" : "published");
    },
    "known-at": () => {
      flushSync(() => {
        state.setTimelineFolded(false);
      });
      focusKnownAtHandle();
    },
    "so-far": state.toggleSoFar,
    "layer-1": toggle(0),
    "layer-2": toggle(1),
    search: () => {
      focus(`#${searchInputId}`);
    },
    "zoom-in": () => {
      map.find()?.zoomIn();
    },
    "zoom-out": () => {
      map.find()?.zoomOut();
    },
    "whole-event": () => {
      showWholeEvent(viewer);
    },
    keys: () => {
      state.toggleFlyout("keys");
    },
    close: () => {
      state.closeFlyout();
      state.unpin();
      state.setCrosshair(false);
    },
  };
}

/** Moves the focus at once, because the next key may already be on its way. */
function focus(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
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
