// How does the person want the layers shown? Settings that they never changed follow the manifest.
import type { StateCreator } from "zustand";
import type { ProductId } from "../../../shared/contract/index.ts";
import { defaultPalette, type PaletteId } from "../../../shared/products/palettes.ts";

export interface LayerPreference {
  readonly visible?: boolean | undefined;
  /** 0 to 1. */
  readonly opacity?: number | undefined;
  /** Lower edge of the first class shown, in the product's unit; the first edge shows all. */
  readonly showFrom?: number | undefined;
}

export interface LayersSlice {
  readonly layerPreferences: Readonly<Partial<Record<ProductId, LayerPreference>>>;
  readonly palette: PaletteId;
  readonly setLayerVisible: (id: ProductId, visible: boolean) => void;
  readonly setLayerOpacity: (id: ProductId, opacity: number) => void;
  readonly setLayerShowFrom: (id: ProductId, showFrom: number) => void;
  readonly setPalette: (palette: PaletteId) => void;
}

export const createLayersSlice: StateCreator<LayersSlice, [], [], LayersSlice> = (set) => {
  function change(id: ProductId, preference: LayerPreference): void {
    set(({ layerPreferences }) => ({
      layerPreferences: { ...layerPreferences, [id]: { ...layerPreferences[id], ...preference } },
    }));
  }

  return {
    layerPreferences: {},
    palette: defaultPalette,

    setLayerVisible: (id, visible) => {
      change(id, { visible });
    },

    setLayerOpacity: (id, opacity) => {
      change(id, { opacity: Math.min(1, Math.max(0, opacity)) });
    },

    setLayerShowFrom: (id, showFrom) => {
      change(id, { showFrom });
    },

    setPalette: (palette) => {
      set({ palette });
    },
  };
};
