// How does the person want the layers shown? Settings that they never changed follow the manifest.
import type { StateCreator } from "zustand";
import type { ProductId } from "../../../shared/contract/index.ts";
import type { OwnTables } from "../../../shared/products/color-tables/layer-colors.ts";
import type { OwnTable } from "../../../shared/products/color-tables/own-table.ts";
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
  /** Color tables of the person's own, each for its layer. */
  readonly ownTables: OwnTables;
  readonly setLayerVisible: (id: ProductId, visible: boolean) => void;
  readonly setLayerOpacity: (id: ProductId, opacity: number) => void;
  readonly setLayerShowFrom: (id: ProductId, showFrom: number) => void;
  readonly setPalette: (palette: PaletteId) => void;
  readonly addOwnTable: (table: OwnTable) => void;
  readonly removeOwnTable: (id: ProductId) => void;
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
    ownTables: {},

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

    addOwnTable: (table) => {
      set(({ ownTables }) => ({ ownTables: { ...ownTables, [table.product]: table } }));
    },

    removeOwnTable: (id) => {
      set(({ ownTables }) => ({ ownTables: { ...ownTables, [id]: undefined } }));
    },
  };
};
