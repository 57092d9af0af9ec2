// How panels reach the store, the session and the map: one context, and hooks that read from it.
import { createContext, use } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import type { StormMap } from "./map/storm-map.ts";
import type { ViewerActions } from "./state/action-session.ts";
import type { SavedView } from "./state/saved-view.ts";
import type { ViewerSession } from "./state/session.ts";
import type { ViewerState, ViewerStore } from "./state/store.ts";

export interface Viewer {
  readonly store: ViewerStore;
  readonly session: ViewerSession;
  readonly actions: ViewerActions;
  /** The machine's time zone, an IANA name. */
  readonly timeZone: string;
  /** What was in view when the person left. */
  readonly savedCamera: SavedView["camera"];
  readonly map: MapHandle;
}

/** Where the map is found while it is on the page. */
export interface MapHandle {
  readonly attach: (control: StormMap, container: HTMLElement) => void;
  readonly detach: () => void;
  readonly find: () => StormMap | undefined;
  /** The map's height in CSS pixels; 0 while there is none. */
  readonly heightPx: () => number;
}

export function createMapHandle(): MapHandle {
  let attached: { readonly control: StormMap; readonly container: HTMLElement } | undefined;
  return {
    attach: (control, container) => {
      attached = { control, container };
    },
    detach: () => {
      attached = undefined;
    },
    find: () => attached?.control,
    heightPx: () => attached?.container.clientHeight ?? 0,
  };
}

export const ViewerContext = createContext<Viewer | undefined>(undefined);

export function useViewer(): Viewer {
  const viewer = use(ViewerContext);
  if (!viewer) throw new Error("A panel stands outside the viewer's context.");
  return viewer;
}

/** A selection may be a new object each time: it is compared by what it holds, one level deep. */
export function useViewerState<T>(select: (state: ViewerState) => T): T {
  return useStore(useViewer().store, useShallow(select));
}
