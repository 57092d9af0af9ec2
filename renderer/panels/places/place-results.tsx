// What a place search has found, or in words why nothing is there, below the search box.
import type { ReactNode } from "react";
import type { Place } from "../../../shared/contract/index.ts";
import type { PlaceSearch } from "../../state/slices/places-slice.ts";
import { placeProblemWords } from "../../text/state-text.ts";
import { useViewerState } from "../../viewer-context.ts";
import { PlaceIcon } from "../controls/icons.tsx";

export function placeOptionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

export interface PlaceResultsProps {
  readonly listId: string;
  readonly shown: boolean;
  /** Index of the option that the arrows have reached. */
  readonly active: number | undefined;
  readonly onChoose: (place: Place) => void;
}

export function PlaceResults({ listId, shown, active, onChoose }: PlaceResultsProps): ReactNode {
  const search = useViewerState((state) => state.placeSearch);
  const places = search.kind === "found" ? search.places : [];
  const words = wordsOf(search);
  return (
    <>
      <p className="unseen" aria-live="polite">
        {shown ? words || countWords(places.length) : ""}
      </p>
      <div className="search-results" hidden={!shown}>
        <ul id={listId} role="listbox" aria-label="Places found">
          {places.map((place, index) => (
            <PlaceOption
              key={place.id}
              id={placeOptionId(listId, index)}
              place={place}
              active={index === active}
              onChoose={onChoose}
            />
          ))}
        </ul>
        {words !== "" && <p className="search-words">{words}</p>}
        {search.kind === "found" && search.attribution !== "" && places.length > 0 && (
          <p className="search-credit">{search.attribution}</p>
        )}
      </div>
    </>
  );
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
