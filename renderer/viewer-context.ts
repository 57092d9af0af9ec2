// The context through which panels reach the store, the sessions and the map, and its hooks.
import { createContext, use } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import type { AnalysisClient } from "./frames/analysis-client.ts";
import type { StormMapEvents } from "./map/scene.ts";
import type { StormMap } from "./map/storm-map.ts";
import type { ViewerActions } from "./state/acting/action-session.ts";
import type { BriefingSession } from "./state/briefing/briefing-session.ts";
import type { BriefingState } from "./state/briefing/briefing-store.ts";
import type { HostOverlays } from "./state/overlays/host-overlays.ts";
import type { OverlaySession } from "./state/overlays/overlay-session.ts";
import type { PaneSession } from "./state/panes/pane-session.ts";
import type { Pane, PaneLetter, PanesState } from "./state/panes/pane-store.ts";
import type { SavedView } from "./state/saved-view.ts";
import type { ViewerSession } from "./state/reading/session.ts";
import type { ViewerState, ViewerStore } from "./state/store.ts";

export interface Viewer {
  readonly store: ViewerStore;
  readonly session: ViewerSession;
  readonly actions: ViewerActions;
  readonly analysis: AnalysisClient;
  /** The map's view at the end of the last visit. */
  readonly savedCamera: SavedView["camera"];
  readonly map: MapHandle;
  readonly panes: PaneSession;
  readonly briefing: BriefingSession;
  readonly overlays: OverlaySession;
  readonly hostOverlays: HostOverlays;
  /** The pane that this viewer is. */
  readonly letter: PaneLetter;
}

/** Finds the map while it is on the page. */
export interface MapHandle {
  readonly attach: (map: StormMap, container: HTMLElement) => void;
  readonly detach: () => void;
  readonly find: () => StormMap | undefined;
  /** Size of the map in CSS pixels; 0 while there is none. */
  readonly sizePx: () => { readonly widthPx: number; readonly heightPx: number };
  /** Tells that the map moves. */
  readonly moved: StormMapEvents["onMove"];
  /** Calls back during each movement until the returned function is called. */
  readonly onMoved: (listener: StormMapEvents["onMove"]) => () => void;
}

export function createMapHandle(): MapHandle {
  let attached: { readonly map: StormMap; readonly container: HTMLElement } | undefined;
  const listeners = new Set<StormMapEvents["onMove"]>();
  return {
    moved: (view, isByHand) => {
      for (const listener of listeners) listener(view, isByHand);
    },
    onMoved: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    attach: (map, container) => {
      attached = { map, container };
    },
    detach: () => {
      attached = undefined;
    },
    find: () => attached?.map,
    sizePx: () => ({
      widthPx: attached?.container.clientWidth ?? 0,
      heightPx: attached?.container.clientHeight ?? 0,
    }),
  };
}

export const ViewerContext = createContext<Viewer | undefined>(undefined);

export function useViewer(): Viewer {
  const viewer = use(ViewerContext);
  if (!viewer) throw new Error("A panel is outside the viewer's context.");
  return viewer;
}

const paneViewers = new WeakMap<Pane, Viewer>();

/** Returns the viewer of a pane: the same one each time. */
export function toPaneViewer(main: Viewer, pane: Pane): Viewer {
  if (pane.store === main.store) return main;
  let viewer = paneViewers.get(pane);
  if (!viewer) {
    const { selectedEventId: eventId, view } = main.store.getState();
    viewer = {
      ...main,
      letter: pane.letter,
      store: pane.store,
      session: { ...main.session, followPublished: pane.followPublished, retry: pane.retry },
      savedCamera: eventId !== undefined && view ? { eventId, ...view } : undefined,
      map: createMapHandle(),
    };
    paneViewers.set(pane, viewer);
  }
  return viewer;
}

/** Selects from what the panes have in common, compared like `useViewerState`. */
export function usePanes<T>(select: (panes: PanesState) => T): T {
  return useStore(useViewer().panes.store, useShallow(select));
}

/** Selects from briefing mode, compared like `useViewerState`. */
export function useBriefing<T>(select: (briefing: BriefingState) => T): T {
  return useStore(useViewer().briefing.store, useShallow(select));
}

/** Returns true while the picture is on a projector. */
export function useIsShow(): boolean {
  return useBriefing(({ show }) => show !== undefined);
}

/** Returns true while panes are side by side. */
export function useIsSideBySide(): boolean {
  return usePanes(({ count }) => count > 1);
}

/** Returns a name that is unique among the panes: `Storm map, pane A` while there are several. */
export function usePaneName(name: string): string {
  const { letter } = useViewer();
  return useIsSideBySide() ? `${name}, pane ${letter}` : name;
}

/** Selects from the store. Results are compared one level deep, so `select` may return a new object each time. */
export function useViewerState<T>(select: (state: ViewerState) => T): T {
  return useStore(useViewer().store, useShallow(select));
}
