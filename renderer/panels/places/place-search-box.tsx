// Place search: a combobox; what was found, or in words why nothing is there, is place-results.tsx.
import { useId, useState, type KeyboardEvent, type ReactNode } from "react";
import type { Place } from "../../../shared/contract/index.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ClearIcon, SearchIcon } from "../controls/icons.tsx";
import { PlaceResults, placeOptionId } from "./place-results.tsx";
import { mapRegionId } from "../map/storm-map-region.tsx";

export const searchInputId = "place-search";
/** How near the map goes to a place without bounds. */
const placeZoom = 9;

export function PlaceSearchBox(): ReactNode {
  const box = usePlaceSearchBox();
  const listId = useId();
  const { active } = box;
  return (
    <div className="search" role="search">
      <SearchIcon />
      <input
        id={searchInputId}
        type="text"
        role="combobox"
        aria-label="Search places"
        aria-expanded={box.shown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={
          box.shown && active !== undefined && active < box.places.length
            ? placeOptionId(listId, active)
            : undefined
        }
        autoComplete="off"
        spellCheck={false}
        placeholder="Search places"
        value={box.query}
        onChange={(event) => {
          box.change(event.target.value);
        }}
        onFocus={box.open}
        onBlur={box.close}
        onKeyDown={box.press}
      />
      {box.canClear ? (
        <button type="button" className="search-clear" aria-label="Clear the search" onClick={box.clear}>
          <ClearIcon />
        </button>
      ) : (
        <kbd aria-hidden="true">/</kbd>
      )}
      <PlaceResults listId={listId} shown={box.shown} active={active} onChoose={box.choose} />
    </div>
  );
}

interface SearchBox {
  readonly query: string;
  readonly places: readonly Place[];
  readonly shown: boolean;
  /** Index of the option that the arrows have reached; none at first, and then Enter takes the best. */
  readonly active: number | undefined;
  readonly canClear: boolean;
  readonly open: () => void;
  readonly close: () => void;
  /** Empties the box and takes the mark off the map. */
  readonly clear: () => void;
  readonly change: (text: string) => void;
  readonly choose: (place: Place) => void;
  readonly press: (event: KeyboardEvent) => void;
}

function usePlaceSearchBox(): SearchBox {
  const { session, map, store } = useViewer();
  const { choosePlace } = store.getState();
  const isMarked = useViewerState((state) => state.chosenPlace !== undefined);
  const search = useViewerState((state) => state.placeSearch);
  const [query, setQuery] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<number>();
  const places = search.kind === "found" ? search.places : [];
  const shown = isOpen && search.kind !== "idle";

  function leave(text: string): void {
    setQuery(text);
    setOpen(false);
    setActive(undefined);
    session.clearPlaces();
  }

  function choose(place: Place): void {
    leave(place.label);
    choosePlace(place);
    document.getElementById(searchInputId)?.blur();
    if (place.bounds) map.find()?.fitBounds([...place.bounds[0], ...place.bounds[1]]);
    else map.find()?.flyTo(place.coordinate, placeZoom);
  }

  function clear(): void {
    leave("");
    choosePlace(undefined);
  }

  function press(event: KeyboardEvent): void {
    const chosen = places[active ?? 0];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      setActive(nextOption(active, places.length, event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter" && shown && chosen) {
      event.preventDefault();
      choose(chosen);
      // From the keyboard one goes on to the map, whose crosshair reads the place at once.
      document.getElementById(mapRegionId)?.focus();
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (query === "") document.getElementById(searchInputId)?.blur();
      clear();
    }
  }

  return {
    query,
    places,
    shown,
    active,
    canClear: query !== "" || isMarked,
    clear: () => {
      clear();
      document.getElementById(searchInputId)?.focus();
    },
    open: () => {
      setOpen(true);
    },
    close: () => {
      setOpen(false);
    },
    change: (text) => {
      setQuery(text);
      setActive(undefined);
      setOpen(true);
      session.searchPlaces(text);
    },
    choose,
    press,
  };
}

/** Round the list, entering it at the near end. */
function nextOption(active: number | undefined, count: number, step: 1 | -1): number | undefined {
  if (count === 0) return undefined;
  if (active === undefined) return step === 1 ? 0 : count - 1;
  return (active + step + count) % count;
}
