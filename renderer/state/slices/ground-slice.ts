// The person's choices for the ground under the storm: its parts, the theme, and a map file.
import type { StateCreator } from "zustand";
import {
  defaultGround,
  type GroundPart,
  type GroundShown,
  type MapTheme,
} from "../../basemap/ground-parts.ts";

export interface GroundSlice {
  readonly theme: MapTheme;
  readonly ground: GroundShown;
  /** A PMTiles file of this visit: a page may not open it again by itself. */
  readonly userMap: File | undefined;
  /** Why the file is not shown, in a sentence for a person. */
  readonly userMapProblem: string | undefined;
  readonly setTheme: (theme: MapTheme) => void;
  readonly setGroundPart: (part: GroundPart, shown: boolean) => void;
  readonly setUserMap: (file: File | undefined) => void;
  readonly receiveUserMapProblem: (problem: string | undefined) => void;
}

export const createGroundSlice: StateCreator<GroundSlice, [], [], GroundSlice> = (set) => ({
  theme: "dark",
  ground: defaultGround,
  userMap: undefined,
  userMapProblem: undefined,

  setTheme: (theme) => {
    set({ theme });
  },

  setGroundPart: (part, shown) => {
    set(({ ground }) => ({ ground: { ...ground, [part]: shown } }));
  },

  setUserMap: (userMap) => {
    set({ userMap, userMapProblem: undefined });
  },

  receiveUserMapProblem: (userMapProblem) => {
    set({ userMapProblem });
  },
});
