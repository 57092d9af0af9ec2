// Is a citable view open on this screen, what differs, and where does it want the map?
import type { StateCreator } from "zustand";
import type { FollowMode } from "../../../shared/views/citable-view.ts";
import type { ViewErrorCode } from "../../../shared/views/view-error.ts";
import type { ViewDifference } from "../../../shared/views/view-differences.ts";
import type { MapView } from "../../map/scene.ts";

/** A view that came from elsewhere, as the note on the map tells of it. */
export type OpenedView =
  | { readonly phase: "opening"; readonly label: string }
  | {
      readonly phase: "shown";
      readonly label: string;
      readonly follow: FollowMode;
      readonly differences: readonly ViewDifference[];
      /** False if none of its events is here, so that nothing was changed. */
      readonly isHere: boolean;
    }
  /** Nothing was changed; `message` is a sentence for a person. */
  | { readonly phase: "refused"; readonly code: ViewErrorCode; readonly message: string };

export interface ViewSlice {
  readonly openedView: OpenedView | undefined;
  /** True while the screen is a view of somebody's: nothing of it is kept for the next visit. */
  readonly isVisiting: boolean;
  /** Center and zoom at which the map shows this event; a new object moves it. */
  readonly wantedCamera: (Pick<MapView, "center" | "zoom"> & { readonly eventId: string }) | undefined;
  readonly tellOpenedView: (opened: OpenedView | undefined) => void;
  readonly setVisiting: (isVisiting: boolean) => void;
}

export const createViewSlice: StateCreator<ViewSlice, [], [], ViewSlice> = (set) => ({
  openedView: undefined,
  isVisiting: false,
  wantedCamera: undefined,

  tellOpenedView: (openedView) => {
    set({ openedView });
  },

  setVisiting: (isVisiting) => {
    set({ isVisiting });
  },
});
