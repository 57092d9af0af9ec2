// A place of the gazetteer as the search sees it.

/** Folded names of county, state and country. */
export interface Surroundings {
  readonly words: readonly string[];
  /** State name and postal code: typed in full, they match better than a word's beginning. */
  readonly state: readonly string[];
}

export interface Entry {
  /** Rank among places that match equally well. */
  readonly prominence: number;
  readonly forms: readonly string[];
  readonly surroundings: Surroundings;
  readonly kind: "state" | "county" | "city" | "airport" | "radar";
  /** Index in the gazetteer's list of its kind. */
  readonly at: number;
}
