// The part of a long event that the timeline draws: at most 360 places, which are revisions in order of publication and
// observation windows in order of observation. Pure.
import type { PlayOrder } from "../../../state/timeline/play-order.ts";
import { indexFrom, perList, type Revision } from "../../../state/timeline/revisions.ts";

/** First and last place, both included; nothing if `last` is below `first`. */
export interface Part {
  readonly first: number;
  readonly last: number;
}

export const mostPlaces = 360;

/** Returns the places of the whole event: indices of revisions, or numbers of windows. */
export function toWhole(revisions: readonly Revision[], order: PlayOrder): Part {
  return order === "published" ? { first: 0, last: revisions.length - 1 } : windowsOf(revisions);
}

const windowsOf = perList((revisions): Part => {
  let [first, last] = [Infinity, -Infinity];
  for (const { window } of revisions) {
    first = Math.min(first, window);
    last = Math.max(last, window);
  }
  return revisions.length === 0 ? { first: 0, last: -1 } : { first, last };
});

/** Returns the place of a revision in the whole event. */
export function placeOf(revisions: readonly Revision[], order: PlayOrder, revision: Revision): number {
  return order === "published" ? indexFrom(revisions, revision.sequence) : revision.window;
}

/** Returns the part that begins at `first`, or the end of the event; shifted so that it lies within the whole. */
export function toPart(whole: Part, first: number | undefined): Part {
  const lastFirst = Math.max(whole.first, whole.last - mostPlaces + 1);
  const start = Math.min(Math.max(first ?? lastFirst, whole.first), lastFirst);
  return { first: start, last: Math.min(whole.last, start + mostPlaces - 1) };
}

/** Returns where a part begins that has `place` in its middle. */
export function startAround(place: number): number {
  return place - mostPlaces / 2;
}

export function isWithin({ first, last }: Part, place: number): boolean {
  return place >= first && place <= last;
}
