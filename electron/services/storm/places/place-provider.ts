// What the service needs of a place search, whoever does it.
import type { Place } from "../../../../shared/contract/place.ts";

export type FoundPlace = Omit<Place, "provider">;

export interface FoundPlaces {
  /** Whom to credit for the results. */
  readonly attribution: string;
  /** Best first. */
  readonly results: readonly FoundPlace[];
}

export interface PlaceProvider {
  /**
   * U.S. places for what a person typed, a few at most. Throws `upstream-rate-limited` or `upstream-unavailable` where an
   * upstream is asked.
   */
  search(query: string): Promise<FoundPlaces>;
  /** Ends what is under way. Idempotent. */
  close(): Promise<void>;
}
