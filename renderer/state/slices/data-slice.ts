// Which file of data is being written, how far is it, and what became of the last one?
import type { StateCreator } from "zustand";

export interface DataSaving {
  readonly fileName: string;
  /** Frames read, and to read. */
  readonly done: number;
  readonly total: number;
}

export type DataOutcome =
  | { readonly kind: "saved"; readonly fileName: string }
  | { readonly kind: "failed"; readonly problem: string };

export interface DataSlice {
  readonly dataSaving: DataSaving | undefined;
  /** Undefined while a file is being written. */
  readonly dataOutcome: DataOutcome | undefined;
  readonly setDataSaving: (saving: DataSaving | undefined) => void;
  readonly setDataOutcome: (outcome: DataOutcome | undefined) => void;
}

export const createDataSlice: StateCreator<DataSlice, [], [], DataSlice> = (set) => ({
  dataSaving: undefined,
  dataOutcome: undefined,

  setDataSaving: (dataSaving) => {
    set({ dataSaving });
  },

  setDataOutcome: (dataOutcome) => {
    set({ dataOutcome });
  },
});
