// State of the map: the picture drawn, the frames loaded, and the place that the person points at.
import type { StateCreator } from "zustand";
import type {
  CacheUse,
  DrawnPicture,
  FrameState,
  MapPointer,
  MapView,
  ProbeReading,
} from "../../map/scene.ts";

export interface Probe {
  readonly pointer: MapPointer;
  readonly readings: readonly ProbeReading[];
}

export interface PictureState {
  /** The picture on screen, of any event; selectDrawn returns only the chosen event's. */
  readonly drawn: DrawnPicture | undefined;
  /** The frames of all events that the map loads, holds or failed to load, by image URL. */
  readonly frames: Readonly<Record<string, FrameState>>;
  readonly probe: Probe | undefined;
}

export interface PictureSlice {
  readonly picture: PictureState;
  readonly cache: CacheUse | undefined;
  readonly view: MapView | undefined;
  /** The map's own problem, in a sentence. */
  readonly mapProblem: string | undefined;
  readonly crosshair: boolean;
  readonly receiveDrawn: (drawn: DrawnPicture | undefined) => void;
  readonly receiveFrameStates: (states: Readonly<Record<string, FrameState>>) => void;
  readonly setProbe: (probe: Probe | undefined) => void;
  readonly receiveCache: (cache: CacheUse) => void;
  readonly receiveView: (view: MapView) => void;
  /** Undefined when the person dismisses it. */
  readonly setMapProblem: (message: string | undefined) => void;
  readonly setCrosshair: (shown: boolean) => void;
}

export const createPictureSlice: StateCreator<PictureSlice, [], [], PictureSlice> = (set, get) => ({
  picture: { drawn: undefined, frames: {}, probe: undefined },
  cache: undefined,
  view: undefined,
  mapProblem: undefined,
  crosshair: false,

  receiveDrawn: (drawn) => {
    set(({ picture }) => ({ picture: { ...picture, drawn } }));
  },

  receiveFrameStates: (states) => {
    set(({ picture }) => {
      const all = { ...picture.frames, ...states };
      const held = Object.entries(all).filter(([, frame]) => frame.status !== "evicted");
      return { picture: { ...picture, frames: Object.fromEntries(held) } };
    });
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

  setMapProblem: (mapProblem) => {
    set({ mapProblem });
  },

  setCrosshair: (shown) => {
    if (get().crosshair !== shown) set({ crosshair: shown });
  },
});
