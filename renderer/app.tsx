// The screen: top bar, events and layers at the left, map, playback and timeline at the bottom; and its keyboard
// shortcuts.
import { useEffect, useLayoutEffect, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { findCommand, focusKindOf, keysOf, toKeyName, type Command } from "./keyboard.ts";
import { showWholeEvent } from "./panels/events/event-area.ts";
import { BriefingScreen } from "./panels/briefing/briefing-screen.tsx";
import { StepsPanel } from "./panels/briefing/steps-panel.tsx";
import { EventBar } from "./panels/events/event-bar.tsx";
import { EventList } from "./panels/events/event-list.tsx";
import { LayerList } from "./panels/layers/layer-list.tsx";
import { ExportDialog } from "./panels/export/export-dialog.tsx";
import { ExportStatus } from "./panels/export/export-status.tsx";
import { copyPicture, savePicture } from "./panels/export/picture/save-picture.ts";
import { LoopTask } from "./panels/export/loop-progress.tsx";
import { toMapRegionId } from "./panels/map/storm-map-region.tsx";
import { OverlayList } from "./panels/overlays/overlay-list.tsx";
import { SettingsDialog } from "./panels/settings/settings-dialog.tsx";
import { useClock } from "./panels/hooks/use-clock.ts";
import { PaneBar } from "./panels/panes/pane-bar.tsx";
import { PaneGrid } from "./panels/panes/pane-grid.tsx";
import { PaneRows } from "./panels/panes/pane-rows.tsx";
import { pinHere } from "./panels/story/pin-here.ts";
import { StoryStrip } from "./panels/story/story-strip.tsx";
import { ReportsButton } from "./panels/reports/reports-button.tsx";
import { ReportsPanel } from "./panels/reports/reports-panel.tsx";
import { searchInputId } from "./panels/places/place-search.tsx";
import { focusKnownAtHandle } from "./panels/timeline/known-at/handle-focus.ts";
import { isTimelineFolded, TimelineFold, useTimelineFolded } from "./panels/timeline/timeline-fold.tsx";
import { Timeline } from "./panels/timeline/timeline.tsx";
import { Transport } from "./panels/timeline/transport/transport.tsx";
import { TopBar } from "./panels/top-bar/top-bar.tsx";
import { OpenedViewNote } from "./panels/views/opened-view-note.tsx";
import { useDroppedFiles } from "./panels/views/view-files.ts";
import { readStorm } from "./panels/watch/read-storm.ts";
import { StormNote } from "./panels/watch/watch-buttons.tsx";
import { WatchDialog } from "./panels/watch/watch-dialog.tsx";
import { selectNextCorrection, selectOtherVersion } from "./state/timeline/standing.ts";
import { knownLayersOf, selectSelectedEvent, selectShownRevision, toLayerViews } from "./state/selectors.ts";
import { locks } from "./state/panes/lock.ts";
import { paneCounts, selectActivePane } from "./state/panes/pane-store.ts";
import type { Flyout } from "./state/slices/screen-slice.ts";
import type { ViewerState } from "./state/store.ts";
import type { Tool } from "./state/tools/tools-slice.ts";
import {
  toPaneViewer,
  useBriefing,
  useIsShow,
  useIsSideBySide,
  usePanes,
  useViewer,
  useViewerState,
  ViewerContext,
  type Viewer,
} from "./viewer-context.ts";

export function App(): ReactNode {
  const viewer = useViewer();
  const leftPanelOpen = useViewerState((state) => state.leftPanelOpen);
  const isFolded = useTimelineFolded();
  const count = usePanes((state) => state.count);
  const layersOpen = usePanes((state) => state.layersOpen);
  const isLeftOpen = count > 1 ? layersOpen : leftPanelOpen;
  const activeViewer = toPaneViewer(viewer, usePanes(selectActivePane));
  const label = useViewerState((state) => selectSelectedEvent(state)?.label);
  const isReportsOpen = useViewerState((state) => state.isReportsOpen);
  const isShow = useIsShow();
  const hasSteps = useBriefing(({ isOpen }) => isOpen) && !isShow;

  const theme = useViewerState((state) => state.theme);
  useDroppedFiles();
  const textSize = useViewerState((state) => state.textSize);
  useClock();

  // Before the first paint, so that no other theme flashes.
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
    // Pictures that leave the viewer keep the size of the style sheets: this is not in them.
    document.documentElement.style.fontSize = `${textSize}%`;
    document.documentElement.dataset.text = String(textSize);
  }, [theme, textSize]);

  useEffect(() => {
    if (!isShow) document.title = label === undefined ? "Echotop" : `${label} · Echotop`;
  }, [label, isShow]);

  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      // On a projector only the keys of the show have a meaning.
      if (event.defaultPrevented || viewer.briefing.findProjector()) return;
      const command = findCommand(event, focusKindOf(document.activeElement), viewer.store.getState());
      // With one pane the browser keeps the key that goes round the parts of its window.
      if (!command || (command === "next-pane" && viewer.panes.store.getState().count === 1)) return;
      event.preventDefault();
      toCommandActions(viewer)[command]();
    };
    const release = (event: KeyboardEvent | FocusEvent): void => {
      if ("key" in event && !keysOf("hold-before", viewer.store.getState()).includes(toKeyName(event)))
        return;
      // Another pane may have taken the lead while the key was held.
      for (const { store } of viewer.panes.store.getState().panes) store.getState().setHoldsBefore(false);
    };
    window.addEventListener("keydown", press);
    window.addEventListener("keyup", release);
    window.addEventListener("blur", release);
    return () => {
      window.removeEventListener("keydown", press);
      window.removeEventListener("keyup", release);
      window.removeEventListener("blur", release);
    };
  }, [viewer]);

  useEffect(() => {
    const pressPointer = ({ target }: PointerEvent): void => {
      const inFlyout = target instanceof Element && target.closest(".flyout-anchor") !== null;
      if (inFlyout) return;
      for (const { store } of viewer.panes.store.getState().panes) {
        const { flyout, closeFlyout } = store.getState();
        // A dialog stays open while the person goes to another revision or moves the map.
        if (!dialogs.includes(flyout)) closeFlyout();
      }
    };
    window.addEventListener("pointerdown", pressPointer);
    return () => {
      window.removeEventListener("pointerdown", pressPointer);
    };
  }, [viewer]);

  return (
    <div
      className="screen"
      data-left-panel={isLeftOpen ? "open" : "closed"}
      data-timeline={isFolded && count === 1 ? "folded" : "open"}
      data-panes={count}
      data-steps={hasSteps}
      data-show={isShow}
    >
      {!isShow && (
        <>
          <TopBar />
          {count > 1 && <PaneBar />}
          <LeftPanel activeViewer={activeViewer} isOpen={isLeftOpen} />
        </>
      )}
      <PaneGrid />
      {isShow ? (
        <BriefingScreen />
      ) : (
        <>
          <ExportDialog />
          <SettingsDialog />
          <WatchDialog />
          <StormNote />
          <OpenedViewNote />
          <ExportStatus />
          {hasSteps && <StepsPanel />}
          {count === 1 && (isReportsOpen ? <ReportsPanel /> : <StoryStrip />)}
          <BottomBar activeViewer={activeViewer} />
        </>
      )}
    </div>
  );
}

const dialogs: readonly (Flyout | undefined)[] = ["export", "settings", "watch"];

interface PartProps {
  readonly activeViewer: Viewer;
}

function LeftPanel({ activeViewer, isOpen }: PartProps & { readonly isOpen: boolean }): ReactNode {
  const isSideBySide = useIsSideBySide();
  return (
    <aside
      className="left-panel"
      aria-label={isSideBySide ? `Pane ${activeViewer.letter}` : "Events and layers"}
      hidden={!isOpen}
    >
      {!isSideBySide && (
        <>
          <EventList />
          <EventBar />
        </>
      )}
      <LoopTask />
      <ViewerContext value={activeViewer}>
        <LayerList />
        <OverlayList />
      </ViewerContext>
      {!isSideBySide && <ReportsButton />}
    </aside>
  );
}

function BottomBar({ activeViewer }: PartProps): ReactNode {
  const viewer = useViewer();
  return (
    <section className="bottom-bar" aria-label="Revisions">
      {useIsSideBySide() ? (
        <>
          <ViewerContext value={activeViewer}>
            <Transport />
          </ViewerContext>
          <PaneRows main={viewer} />
        </>
      ) : (
        <>
          <Transport />
          <Timeline />
          <TimelineFold />
        </>
      )}
    </section>
  );
}

/** Returns the action of each keyboard command, for the present state of the active pane. */
function toCommandActions(main: Viewer): Readonly<Record<Command, () => void>> {
  const panes = main.panes.store.getState();
  const viewer = toPaneViewer(main, selectActivePane(panes));
  const { store, map } = viewer;
  const state = store.getState();
  const screen = main.store.getState();
  const isPlaying = state.playhead.mode === "held" && state.playhead.playing;
  const stepBy = (count: number) => () => {
    state.step(count);
  };
  /** Side by side there is no timeline to see it on. */
  const onTimeline = (act: () => void) => () => {
    if (panes.count === 1) act();
  };
  const correct = (direction: 1 | -1) => () => {
    const correction = selectNextCorrection(state, direction);
    if (correction) state.goTo(correction.sequence);
  };
  const toggle = (index: number) => () => {
    toggleLayer(state, index);
  };
  const startTool = (tool: Tool) => () => {
    state.toggleTool(tool, state.selectedEventId);
    if (store.getState().toolTaking === tool) focus(`#${toMapRegionId(viewer.letter)}`);
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
    "what-changed": () => {
      state.setComparing(!state.isComparing);
    },
    "hold-before": () => {
      state.setHoldsBefore(state.isComparing);
    },
    "view-changes": onTimeline(() => {
      state.setOnlyViewChanges(!state.onlyViewChanges);
    }),
    "pin-place": () => {
      const point = state.picture.probe?.pointer.coordinate ?? state.pinnedPlace;
      if (point) void pinHere(main, point);
    },
    measure: startTool("measure"),
    "storm-motion": startTool("motion"),
    "take-back": state.takeBackToolPoint,
    layers: () => {
      flushSync(() => {
        if (panes.count > 1) main.panes.store.setState({ layersOpen: true });
        else screen.setLeftPanelOpen(true);
      });
      focus(".layer-card input[type=checkbox]");
    },
    "fold-timeline": onTimeline(() => {
      screen.setTimelineFolded(!isTimelineFolded(screen));
    }),
    "pane-count": () => {
      main.panes.setCount(toNext(paneCounts, panes.count));
    },
    "next-pane": () => {
      const next = toNext(panes.panes, selectActivePane(panes));
      flushSync(() => {
        main.panes.activate(next.letter);
      });
      focus(`#${toMapRegionId(next.letter)}`);
    },
    "next-lock": () => {
      if (panes.count > 1) main.panes.store.setState({ lock: toNext(locks, panes.lock) });
    },
    "timeline-order": onTimeline(() => {
      state.setTimelineOrder(state.timelineOrder === "published" ? "observed" : "published");
    }),
    "known-at": () => {
      if (panes.count > 1) {
        focusPaneKnownAt();
        return;
      }
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
    "save-picture": () => void savePicture(main),
    "copy-picture": () => void copyPicture(main),
    export: () => {
      screen.toggleFlyout("export");
    },
    "read-storm": () => void readStorm(main, viewer),
    "watch-rules": () => {
      screen.toggleFlyout("watch");
    },
    settings: () => {
      screen.toggleFlyout("settings");
    },
    keys: () => {
      screen.toggleFlyout("keys");
    },
    close: () => {
      if (state.toolTaking) {
        state.endTool();
        return;
      }
      screen.closeFlyout();
      state.unpin();
      state.setCrosshair(false);
    },
  };
}

/** Returns the one after `current`, or the first after the last. */
function toNext<T>(list: readonly T[], current: T): T {
  return list[(list.indexOf(current) + 1) % list.length]!;
}

/** Opens the slider of the active pane, and leads to it. */
function focusPaneKnownAt(): void {
  const pane = '.map-area[data-active="true"] .pane-known';
  flushSync(() => {
    document.querySelector<HTMLElement>(`${pane} > [aria-expanded="false"]`)?.click();
  });
  focus(`${pane} input`);
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
