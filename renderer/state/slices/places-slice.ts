// Which places match the text that the person typed?
import type { StateCreator } from "zustand";
import { placeQueryLength, type Place } from "../../../shared/contract/index.ts";
import type { ApiErrorCode } from "../../api/service-errors.ts";

export type PlaceSearch =
  | { readonly kind: "idle" }
  | { readonly kind: "too-short" }
  | { readonly kind: "too-long" }
  | { readonly kind: "searching" }
  | { readonly kind: "found"; readonly places: readonly Place[]; readonly attribution: string }
  | { readonly kind: "failed"; readonly problem: ApiErrorCode };

export interface PlacesSlice {
  readonly placeSearch: PlaceSearch;
  /** The place chosen last, which the map marks until it is cleared. */
  readonly chosenPlace: Place | undefined;
  readonly setPlaceSearch: (search: PlaceSearch) => void;
  readonly choosePlace: (place: Place | undefined) => void;
}

export const createPlacesSlice: StateCreator<PlacesSlice, [], [], PlacesSlice> = (set) => ({
  placeSearch: { kind: "idle" },
  chosenPlace: undefined,

  setPlaceSearch: (placeSearch) => {
    set({ placeSearch });
  },

  choosePlace: (chosenPlace) => {
    set({ chosenPlace });
  },
});

/** Returns why a query is not sent, or undefined if it is. Counts code points, as the contract does. */
export function judgeQuery(query: string): PlaceSearch | undefined {
  const codePoints = Array.from(query).length;
  if (query.trim() === "") return { kind: "idle" };
  if (codePoints < placeQueryLength.min) return { kind: "too-short" };
  if (codePoints > placeQueryLength.max) return { kind: "too-long" };
  return undefined;
}
