// Place search: a combobox whose results are in place-results.tsx. A link to a view that is pasted there is opened.
import { useId, useState, type KeyboardEvent, type ReactNode } from "react";
import type { Place } from "../../../shared/contract/index.ts";
import { isViewLink } from "../../../shared/views/view-link.ts";
import { openViewText } from "../../state/views/open-view-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { CloseIcon, PlaceIcon, SearchIcon } from "../controls/icons.tsx";
import { toMapRegionId } from "../map/storm-map-region.tsx";
import { PlaceResults, placeOptionId } from "./place-results.tsx";
import { useShortcut } from "../hooks/use-shortcut.ts";

export const searchInputId = "place-search";
/** Zoom for a place without bounds. */
const placeZoom = 9;

export function PlaceSearch(): ReactNode {
  const viewer = useViewer();
  const { session, map, store, letter } = viewer;
  const { choosePlace, pinPlace, setPinsNextPlace } = store.getState();
  const pinsNextPlace = useViewerState((state) => state.pinsNextPlace);
  const marked = useViewerState((state) => state.chosenPlace);
  const search = useViewerState((state) => state.placeSearch);
  const [query, setQuery] = useState("");
  const [isOpen, setOpen] = useState(false);
  /** Index of the option that the arrow keys reached; while undefined, Enter takes the best. */
  const [active, setActive] = useState<number>();
  const listId = useId();
  const places = search.kind === "found" ? search.places : [];
  const isShown = isOpen && search.kind !== "idle";

  function leave(text: string): void {
    setQuery(text);
    setOpen(false);
    setActive(undefined);
    session.clearPlaces();
  }

  function choose(place: Place): void {
    leave(place.label);
    choosePlace(place);
    if (pinsNextPlace) pinPlace(place);
    findInput()?.blur();
    if (place.bounds) map.find()?.fitBounds([...place.bounds[0], ...place.bounds[1]]);
    else map.find()?.flyTo(place.coordinate, placeZoom);
  }

  /** Empties the box and removes the mark from the map. */
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
    } else if (event.key === "Enter" && isShown && chosen) {
      event.preventDefault();
      choose(chosen);
      // Keyboard focus moves to the map, whose crosshair reads the place at once.
      document.getElementById(toMapRegionId(letter))?.focus();
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (query === "") findInput()?.blur();
      clear();
    }
  }

  return (
    <div className="search" role="search">
      <SearchIcon />
      <input
        id={searchInputId}
        type="text"
        role="combobox"
        aria-label="Search places"
        aria-expanded={isShown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={
          isShown && active !== undefined && active < places.length
            ? placeOptionId(listId, active)
            : undefined
        }
        autoComplete="off"
        spellCheck={false}
        placeholder={
          pinsNextPlace ? "Place to pin: city, ZIP, KTLX or 35.2 -97.4" : "City, ZIP, OKC, KTLX or 35.2 -97.4"
        }
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(undefined);
          setOpen(true);
          session.searchPlaces(event.target.value);
        }}
        onPaste={(event) => {
          const text = event.clipboardData.getData("text");
          if (!isViewLink(text)) return;
          event.preventDefault();
          void openViewText(viewer, text);
        }}
        onFocus={() => {
          setOpen(true);
        }}
        onBlur={() => {
          setOpen(false);
          setPinsNextPlace(false);
        }}
        onKeyDown={press}
      />
      {marked && (
        <Button
          className="search-pin"
          name={`Pin ${marked.label}: its story`}
          onPress={() => {
            pinPlace(marked);
          }}
        >
          <PlaceIcon />
        </Button>
      )}
      {query !== "" || marked ? (
        <button
          type="button"
          className="search-clear"
          aria-label="Clear the search"
          onClick={() => {
            clear();
            findInput()?.focus();
          }}
        >
          <CloseIcon />
        </button>
      ) : (
        <SearchKey />
      )}
      <PlaceResults listId={listId} isShown={isShown} active={active} onChoose={choose} />
    </div>
  );
}

function findInput(): HTMLElement | null {
  return document.getElementById(searchInputId);
}

/** Wraps around the list, entering it at the near end. */
function nextOption(active: number | undefined, count: number, step: 1 | -1): number | undefined {
  if (count === 0) return undefined;
  if (active === undefined) return step === 1 ? 0 : count - 1;
  return (active + step + count) % count;
}

function SearchKey(): ReactNode {
  const { label } = useShortcut("search");
  return label !== undefined && <kbd aria-hidden="true">{label}</kbd>;
}
