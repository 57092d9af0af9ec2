// Defaults, limits and budgets of briefings.

/** Revisions of a briefing that names none: the newest. */
export const defaultRevisions = 12;
/** A briefing with more revisions is a mistake. */
export const mostRevisions = 500;
/** Revisions read before the first chosen one, to recognize corrections. */
export const mostRevisionsLookedBack = 720;
/** Sequences that an error message lists. */
export const mostSequencesNamed = 12;
/** Two leave the machine enough power to show a storm meanwhile. */
export const mostStillsAtOnce = 2;
/** Places that describe where an event is. */
export const mostEventPlaces = 6;
/** Staging folders and files unchanged for this long are leftovers. */
export const abandonedAfterMs = 3_600_000;
