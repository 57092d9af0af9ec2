// Is there a newer version of Echotop, and is it ready?
import type { StateCreator } from "zustand";
import type { UpdateState } from "../../../shared/contract/desktop.ts";

export interface DesktopSlice {
  /** `unknown` without a desktop. */
  readonly update: UpdateState;
  readonly receiveUpdate: (update: UpdateState) => void;
}

export const createDesktopSlice: StateCreator<DesktopSlice, [], [], DesktopSlice> = (set) => ({
  update: { step: "unknown" },

  receiveUpdate: (update) => {
    set({ update });
  },
});
