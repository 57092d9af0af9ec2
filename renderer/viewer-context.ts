// The context through which panels reach the store, the sessions and the map, and its hooks.
import { createContext, use } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import type { AnalysisClient } from "./frames/analysis-client.ts";
import type { StormMap } from "./map/storm-map.ts";
import type { ViewerActions } from "./state/action-session.ts";
import type { SavedView } from "./state/saved-view.ts";
import type { ViewerSession } from "./state/session.ts";
import type { ViewerState, ViewerStore } from "./state/store.ts";

export interface Viewer {
  readonly store: ViewerStore;
  readonly session: ViewerSession;
  readonly actions: ViewerActions;
  readonly analysis: AnalysisClient;
  /** IANA name of the machine's time zone. */
  readonly timeZone: string;
  /** The map's view at the end of the last visit. */
  readonly savedCamera: SavedView["camera"];
  readonly map: MapHandle;
}

/** Finds the map while it is on the page. */
export interface MapHandle {
  readonly attach: (map: StormMap, container: HTMLElement) => void;
  readonly detach: () => void;
  readonly find: () => StormMap | undefined;
  /** Height of the map in CSS pixels; 0 while there is none. */
  readonly heightPx: () => number;
}

export function createMapHandle(): MapHandle {
  let attached: { readonly map: StormMap; readonly container: HTMLElement } | undefined;
  return {
    attach: (map, container) => {
      attached = { map, container };
    },
    detach: () => {
      attached = undefined;
    },
    find: () => attached?.map,
    heightPx: () => attached?.container.clientHeight ?? 0,
  };
}

export const ViewerContext = createContext<Viewer | undefined>(undefined);

export function useViewer(): Viewer {
  const viewer = use(ViewerContext);
  if (!viewer) throw new Error("A panel is outside the viewer's context.");
  return viewer;
}

/** Selects from the store. Results are compared one level deep, so `select` may return a new object each time. */
export function useViewerState<T>(select: (state: ViewerState) => T): T {
  return useStore(useViewer().store, useShallow(select));
}
