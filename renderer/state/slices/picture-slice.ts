// State of the map: the picture drawn, the frames loaded, and the place that the person points at.
import type { StateCreator } from "zustand";
import type { Coordinate } from "../../../shared/contract/index.ts";
import type { FrameRef } from "../../frames/frame-ref.ts";
import type { ShapeAtPoint } from "../../map/overlays/map-overlay.ts";
import type {
  CacheUse,
  DrawnPicture,
  FrameState,
  MapPointer,
  MapView,
  OverlayReading,
  ProbeReading,
} from "../../map/scene.ts";

export interface Probe {
  readonly pointer: MapPointer;
  readonly readings: readonly ProbeReading[];
  readonly overlays: readonly OverlayReading[];
  /** Shapes of overlays at the point. */
  readonly shapes: readonly ShapeAtPoint[];
}

export interface PictureState {
  /** The picture on screen, of any event; selectDrawn returns only the chosen event's. */
  readonly drawn: DrawnPicture | undefined;
  /** The frames of all events that the map loads, holds or failed to load, by image URL. */
  readonly frames: Readonly<Record<string, FrameState>>;
  readonly probe: Probe | undefined;
  /** The reading of the pinned place, where the map has it now. */
  readonly pin: Probe | undefined;
}

export interface PictureSlice {
  readonly picture: PictureState;
  readonly cache: CacheUse | undefined;
  readonly view: MapView | undefined;
  /** The map's own problem, in a sentence. */
  readonly mapProblem: string | undefined;
  readonly crosshair: boolean;
  /** Frames wanted soon, whatever is played: those of a briefing's next step. */
  readonly warmFrames: readonly FrameRef[];
  /** The place whose reading stays on screen. */
  readonly pinnedPlace: Coordinate | undefined;
  readonly receiveDrawn: (drawn: DrawnPicture | undefined) => void;
  /** Forgets what a map reported that is no longer on the page. */
  readonly forgetMap: () => void;
  readonly receiveFrameStates: (states: Readonly<Record<string, FrameState>>) => void;
  readonly setProbe: (probe: Probe | undefined) => void;
  readonly setPin: (pin: Probe | undefined) => void;
  /** Pins the reading of a point; unpins it if the point is the pinned one. */
  readonly togglePin: (point: MapPointer) => void;
  readonly pinReading: (place: Coordinate) => void;
  readonly unpin: () => void;
  readonly receiveCache: (cache: CacheUse) => void;
  readonly receiveView: (view: MapView) => void;
  /** Undefined when the person dismisses it. */
  readonly setMapProblem: (message: string | undefined) => void;
  readonly setCrosshair: (shown: boolean) => void;
  readonly setWarmFrames: (frames: readonly FrameRef[]) => void;
}

const emptyPicture: PictureState = { drawn: undefined, frames: {}, probe: undefined, pin: undefined };

export const createPictureSlice: StateCreator<PictureSlice, [], [], PictureSlice> = (set, get) => ({
  picture: emptyPicture,
  cache: undefined,
  view: undefined,
  mapProblem: undefined,
  crosshair: false,
  warmFrames: [],
  pinnedPlace: undefined,

  receiveDrawn: (drawn) => {
    set(({ picture }) => ({ picture: { ...picture, drawn } }));
  },

  forgetMap: () => {
    set({ picture: emptyPicture, cache: undefined });
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

  setPin: (pin) => {
    set(({ picture }) => ({ picture: { ...picture, pin } }));
  },

  togglePin: (point) => {
    const { pin } = get().picture;
    set({ pinnedPlace: pin && isSamePoint(pin.pointer, point) ? undefined : point.coordinate });
  },

  pinReading: (pinnedPlace) => {
    set({ pinnedPlace });
  },

  unpin: () => {
    set({ pinnedPlace: undefined });
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

  setWarmFrames: (warmFrames) => {
    const isSame =
      warmFrames.map(({ imageUrl }) => imageUrl).join() ===
      get()
        .warmFrames.map(({ imageUrl }) => imageUrl)
        .join();
    if (!isSame) set({ warmFrames });
  },
});

/** Distance within which two points of the screen are one to the person, in CSS pixels. */
const samePointPx = 10;

export function isSamePoint(first: MapPointer, second: MapPointer): boolean {
  return Math.hypot(first.xPx - second.xPx, first.yPx - second.yPx) <= samePointPx;
}
