// Does the person want the largest values so far, of which layer, and what is known of those made? Not kept over a
// restart.
import type { StateCreator } from "zustand";
import type { ProductId } from "../../../shared/contract/index.ts";
import type { MadeSoFar } from "../so-far/so-far-windows.ts";
import type { PlayheadView } from "../timeline/playhead.ts";

export interface SoFarSlice {
  readonly isSoFarOn: boolean;
  readonly soFarProduct: ProductId;
  /** 0 to 1. */
  readonly soFarOpacity: number;
  /**
   * Highest sequence of the event when it was turned on or the event was first read, or when the person last dismissed
   * the note on arrivals; undefined until the event is read.
   */
  readonly soFarSeen: number | undefined;
  /** The newest swaths wanted, by the key of their picture. */
  readonly soFarMade: Readonly<Record<string, MadeSoFar>>;
  readonly toggleSoFar: () => void;
  readonly setSoFarProduct: (product: ProductId) => void;
  readonly setSoFarOpacity: (opacity: number) => void;
  readonly dismissSoFarArrivals: () => void;
  readonly learnSoFar: (key: string, made: MadeSoFar) => void;
}

/** More than the steps that are made ahead, so that the one on screen is always among them. */
const mostMade = 60;

export const createSoFarSlice: StateCreator<
  SoFarSlice & Pick<PlayheadView, "history">,
  [],
  [],
  SoFarSlice
> = (set, get) => {
  const newest = (): number | undefined => get().history.latestSequence;
  return {
    isSoFarOn: false,
    soFarProduct: "mrms-mesh",
    soFarOpacity: 0.85,
    soFarSeen: undefined,
    soFarMade: {},

    toggleSoFar: () => {
      set(({ isSoFarOn }) => ({ isSoFarOn: !isSoFarOn, soFarSeen: newest(), soFarMade: {} }));
    },

    setSoFarProduct: (soFarProduct) => {
      set({ soFarProduct });
    },

    setSoFarOpacity: (opacity) => {
      set({ soFarOpacity: Math.min(1, Math.max(0, opacity)) });
    },

    dismissSoFarArrivals: () => {
      set({ soFarSeen: newest() });
    },

    learnSoFar: (key, made) => {
      const { [key]: _known, ...others } = get().soFarMade;
      const newestMade = Object.entries(others).slice(1 - mostMade);
      set({ soFarMade: { ...Object.fromEntries(newestMade), [key]: made } });
    },
  };
};
