// Which overlays has the person, and how are they wanted?
import type { StateCreator } from "zustand";
import { toOverlay, type Overlay, type OverlayChoice, type OverlayDraft } from "../overlays/held-overlay.ts";

export interface OverlaysSlice {
  /** In the order of the list; the first is drawn on top. */
  readonly overlays: readonly Overlay[];
  /** Adds an overlay at the end, or changes the one of this id. */
  readonly putOverlay: (draft: OverlayDraft) => void;
  readonly chooseForOverlay: (id: string, choice: OverlayChoice) => void;
  /** Moves an overlay up the list; down with 1. */
  readonly moveOverlay: (id: string, by: -1 | 1) => void;
  readonly removeOverlay: (id: string) => void;
}

export const createOverlaysSlice: StateCreator<OverlaysSlice, [], [], OverlaysSlice> = (set) => {
  const change = (edit: (overlays: readonly Overlay[]) => readonly Overlay[]): void => {
    set(({ overlays }) => ({ overlays: edit(overlays) }));
  };
  return {
    overlays: [],

    putOverlay: (draft) => {
      change((overlays) =>
        overlays.some(({ id }) => id === draft.id)
          ? overlays.map((overlay) => (overlay.id === draft.id ? { ...overlay, ...draft } : overlay))
          : [...overlays, toOverlay(draft, overlays)],
      );
    },

    chooseForOverlay: (id, choice) => {
      change((overlays) =>
        overlays.map((overlay) => (overlay.id === id ? { ...overlay, ...choice } : overlay)),
      );
    },

    moveOverlay: (id, by) => {
      change((overlays) => {
        const from = overlays.findIndex((overlay) => overlay.id === id);
        const to = from + by;
        return from < 0 || to < 0 || to >= overlays.length
          ? overlays
          : overlays.with(from, overlays[to]!).with(to, overlays[from]!);
      });
    },

    removeOverlay: (id) => {
      change((overlays) => overlays.filter((overlay) => overlay.id !== id));
    },
  };
};
