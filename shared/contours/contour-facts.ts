// The facts about a swath in every file of its contours.
import type { Instant } from "../contract/primitives.ts";
import type { EventNature } from "../revisions/event-origin.ts";

export interface ContourFacts {
  readonly event: { readonly id: string; readonly label: string; readonly nature: EventNature };
  /** The revisions whose frames are in the swath, by ascending time of observation. */
  readonly revisionIds: readonly string[];
  /** First and last time of observation. */
  readonly observed: { readonly from: Instant; readonly to: Instant };
  readonly attribution: string;
  readonly disclosure: string;
}
