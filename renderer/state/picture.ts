// What is really on the map, which frames are at hand, and what does the person point at?
import type { StateCreator } from "zustand";
import type { CacheUse, DrawnPicture, FrameState, MapPointer, MapView, ProbeReading } from "../map/scene.ts";
import type { ViewerState } from "./store.ts";

export interface Probe {
  readonly pointer: MapPointer;
  readonly readings: readonly ProbeReading[];
}

export interface PictureState {
  /** Undefined while nothing is drawn. */
  readonly drawn: DrawnPicture | undefined;
  /** By image address; a frame that was never asked for is absent. */
  readonly frames: Readonly<Record<string, FrameState>>;
  readonly probe: Probe | undefined;
}

export interface PictureSlice {
  readonly picture: PictureState;
  readonly cache: CacheUse | undefined;
  readonly view: MapView | undefined;
  /** The map's own trouble, in a sentence. */
  readonly mapProblem: string | undefined;
  readonly crosshair: boolean;
  readonly receiveDrawn: (drawn: DrawnPicture | undefined) => void;
  readonly receiveFrameStates: (states: Readonly<Record<string, FrameState>>) => void;
  readonly setProbe: (probe: Probe | undefined) => void;
  readonly receiveCache: (cache: CacheUse) => void;
  readonly receiveView: (view: MapView) => void;
  readonly failMap: (message: string) => void;
  readonly setCrosshair: (shown: boolean) => void;
}

export const emptyPicture: PictureState = { drawn: undefined, frames: {}, probe: undefined };

export const createPictureSlice: StateCreator<ViewerState, [], [], PictureSlice> = (set, get) => ({
  picture: emptyPicture,
  cache: undefined,
  view: undefined,
  mapProblem: undefined,
  crosshair: false,

  receiveDrawn: (drawn) => {
    // A report about the event that was just left says nothing about the one that is chosen now.
    if (drawn && drawn.eventId !== get().selectedEventId) return;
    set(({ picture }) => ({ picture: { ...picture, drawn } }));
  },

  receiveFrameStates: (states) => {
    set(({ picture }) => ({ picture: { ...picture, frames: { ...picture.frames, ...states } } }));
  },

  setProbe: (probe) => {
    if (probe === undefined && get().picture.probe === undefined) return;
    set(({ picture }) => ({ picture: { ...picture, probe } }));
  },

  receiveCache: (cache) => {
    set({ cache });
  },

  receiveView: (view) => {
    set({ view });
  },

  failMap: (message) => {
    set({ mapProblem: message });
  },

  setCrosshair: (shown) => {
    if (get().crosshair !== shown) set({ crosshair: shown });
  },
});
