// The interface of a place search.
import type { Place } from "../../../../shared/contract/place.ts";

export type FoundPlace = Omit<Place, "provider">;

export interface FoundPlaces {
  /** Credit for the results. */
  readonly attribution: string;
  /** Best first. */
  readonly results: readonly FoundPlace[];
}

export interface PlaceProvider {
  /** Returns a few U.S. places. Throws `upstream-rate-limited` or `upstream-unavailable` if there is an upstream. */
  search(query: string): Promise<FoundPlaces>;
  /** Cancels running searches. Idempotent. */
  close(): Promise<void>;
}
