// Searches places as the person types: waits for a pause, and aborts a search that a newer one replaces. A coordinate
// needs no search.
import type { StormClient } from "../../api/client.ts";
import { isApiError } from "../../api/service-errors.ts";
import { searchPauseMs } from "../../platform/viewer-limits.ts";
import { judgeQuery } from "../slices/places-slice.ts";
import type { ViewerStore } from "../store.ts";
import { toTypedPlace, parseTypedCoordinate } from "../forms/typed-coordinate.ts";

export interface PlaceSearcher {
  readonly searchPlaces: (query: string) => void;
  /** Clears the results and aborts the search. */
  readonly clearPlaces: () => void;
}

export function createPlaceSearch(
  store: ViewerStore,
  client: Pick<StormClient, "searchPlaces">,
): PlaceSearcher {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let controller: AbortController | undefined;

  function giveUp(): void {
    clearTimeout(timer);
    controller?.abort();
    controller = undefined;
  }

  async function ask(query: string): Promise<void> {
    const { signal } = (controller = new AbortController());
    const { setPlaceSearch } = store.getState();
    try {
      const { results, attribution } = await client.searchPlaces(query, signal);
      if (!signal.aborted) setPlaceSearch({ kind: "found", places: results, attribution });
    } catch (error) {
      if (signal.aborted) return;
      if (!isApiError(error)) throw error;
      setPlaceSearch({ kind: "failed", problem: error.code });
    }
  }

  return {
    searchPlaces: (query) => {
      giveUp();
      const coordinate = parseTypedCoordinate(query);
      if (coordinate) {
        const places = [toTypedPlace(coordinate)];
        store.getState().setPlaceSearch({ kind: "found", places, attribution: "" });
        return;
      }
      const verdict = judgeQuery(query);
      if (verdict) {
        store.getState().setPlaceSearch(verdict);
        return;
      }
      // Results stay on screen until the next answer; otherwise the list would flicker between letters.
      if (store.getState().placeSearch.kind !== "found")
        store.getState().setPlaceSearch({ kind: "searching" });
      timer = setTimeout(() => {
        void ask(query);
      }, searchPauseMs);
    },
    clearPlaces: () => {
      giveUp();
      store.getState().setPlaceSearch({ kind: "idle" });
    },
  };
}
