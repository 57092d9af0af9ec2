// The results of a place search, or the reason why there are none, below the search box.
import type { ReactNode } from "react";
import type { Place } from "../../../shared/contract/index.ts";
import type { PlaceSearch } from "../../state/slices/places-slice.ts";
import { counted } from "../../text/format.ts";
import { placeProblemWords } from "../../text/state-text.ts";
import { useViewerState } from "../../viewer-context.ts";
import { PlaceIcon } from "../controls/icons.tsx";

export function placeOptionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

export interface PlaceResultsProps {
  readonly listId: string;
  readonly isShown: boolean;
  /** Index of the option that the arrow keys reached. */
  readonly active: number | undefined;
  readonly onChoose: (place: Place) => void;
}

export function PlaceResults({ listId, isShown, active, onChoose }: PlaceResultsProps): ReactNode {
  const search = useViewerState((state) => state.placeSearch);
  const places = search.kind === "found" ? search.places : [];
  const words = wordsOf(search);
  return (
    <>
      <p className="unseen" aria-live="polite">
        {isShown ? words || `${counted(places.length, "place", "places")} found` : ""}
      </p>
      <div className="search-results" hidden={!isShown}>
        <ul id={listId} role="listbox" aria-label="Places found">
          {places.map((place, index) => (
            <li
              key={place.id}
              id={placeOptionId(listId, index)}
              role="option"
              aria-selected={index === active}
              className="place-option"
              // Keeps the focus in the box: otherwise the list would close before the click arrives.
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

function wordsOf(search: PlaceSearch): string {
  switch (search.kind) {
    case "idle":
      return "";
    case "too-short":
      return "Type at least two characters";
    case "too-long":
      return "Search text is limited to 160 characters";
    case "searching":
      return "Searching…";
    case "found":
      return search.places.length === 0 ? "No matching places" : "";
    case "failed":
      return placeProblemWords[search.problem];
  }
}
