// Place search: a combobox whose list tells what was found, or in words why nothing is there.
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { Place } from "../../shared/contract/index.ts";
import { placeProblemWords } from "../text.ts";
import type { PlaceSearch } from "../state/places.ts";
import { useViewer, useViewerState } from "../viewer-context.ts";
import { PlaceIcon, SearchIcon } from "./icons.tsx";
import { mapRegionId } from "./storm-map-region.tsx";

export const searchInputId = "place-search";
/** How near the map goes to a place without bounds. */
const placeZoom = 9;

export function PlaceSearchBox(): ReactNode {
  const { session, map } = useViewer();
  const search = useViewerState((state) => state.placeSearch);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const [open, setOpen] = useState(false);
  /** Index of the option that the arrows have reached; none at first, and then Enter takes the best. */
  const [active, setActive] = useState<number>();
  const places = search.kind === "found" ? search.places : [];
  const words = wordsOf(search);
  const shown = open && search.kind !== "idle";

  function change(text: string): void {
    setQuery(text);
    setActive(undefined);
    setOpen(true);
    session.searchPlaces(text);
  }

  function choose(place: Place): void {
    setQuery(place.label);
    setOpen(false);
    session.clearPlaces();
    input.current?.blur();
    if (place.bounds) {
      const [[west, south], [east, north]] = place.bounds;
      map.find()?.fitBounds([west, south, east, north]);
    } else {
      map.find()?.flyTo(place.coordinate, placeZoom);
    }
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
      if (query === "") input.current?.blur();
      setQuery("");
      setOpen(false);
      session.clearPlaces();
    }
  }

  return (
    <div className="search" role="search">
      <SearchIcon />
      <input
        ref={input}
        id={searchInputId}
        type="text"
        role="combobox"
        aria-label="Search places"
        aria-expanded={shown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={
          shown && active !== undefined && active < places.length ? `${listId}-${active}` : undefined
        }
        autoComplete="off"
        spellCheck={false}
        placeholder="Search places"
        value={query}
        onChange={(event) => {
          change(event.target.value);
        }}
        onFocus={() => {
          setOpen(true);
        }}
        onBlur={() => {
          setOpen(false);
        }}
        onKeyDown={press}
      />
      <kbd aria-hidden="true">/</kbd>
      <p className="unseen" aria-live="polite">
        {shown ? words || countWords(places.length) : ""}
      </p>
      <div className="search-results" hidden={!shown}>
        <ul id={listId} role="listbox" aria-label="Places found">
          {places.map((place, index) => (
            <PlaceOption
              key={place.id}
              id={`${listId}-${index}`}
              place={place}
              active={index === active}
              onChoose={choose}
            />
          ))}
        </ul>
        {words !== "" && <p className="search-words">{words}</p>}
        {search.kind === "found" && search.attribution !== "" && places.length > 0 && (
          <p className="search-credit">{search.attribution}</p>
        )}
      </div>
    </div>
  );
}

/** Round the list, entering it at the near end. */
function nextOption(active: number | undefined, count: number, step: 1 | -1): number | undefined {
  if (count === 0) return undefined;
  if (active === undefined) return step === 1 ? 0 : count - 1;
  return (active + step + count) % count;
}

function countWords(count: number): string {
  return `${count} ${count === 1 ? "place" : "places"} found.`;
}

function wordsOf(search: PlaceSearch): string {
  switch (search.kind) {
    case "idle":
      return "";
    case "too-short":
      return "Type at least two characters.";
    case "too-long":
      return "At most 160 characters can be searched for.";
    case "searching":
      return "Searching…";
    case "found":
      return search.places.length === 0 ? "No place of this name was found." : "";
    case "failed":
      return placeProblemWords[search.problem];
  }
}

interface PlaceOptionProps {
  readonly id: string;
  readonly place: Place;
  readonly active: boolean;
  readonly onChoose: (place: Place) => void;
}

function PlaceOption({ id, place, active, onChoose }: PlaceOptionProps): ReactNode {
  return (
    <li
      id={id}
      role="option"
      aria-selected={active}
      className="place-option"
      // Keeps the focus in the box, so that the list is not closed before the click arrives.
      onMouseDown={(event) => {
        event.preventDefault();
      }}
      onClick={() => {
        onChoose(place);
      }}
    >
      <PlaceIcon />
      <span className="place-label">{place.label}</span>
      <span className="unseen">, </span>
      <span className="quiet place-context">{place.context}</span>
    </li>
  );
}
