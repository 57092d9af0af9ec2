// The loop: which revisions playback repeats, and in which order.
import type { Revision } from "./revisions.ts";

/** `"all"`, or what was observed in the last so many minutes of the event. */
export const loopChoices = ["all", 60, 30] as const;
export type LoopChoice = (typeof loopChoices)[number];

/** What lies between two revisions in publication order, both among it; undefined is open, and goes on to what there is. */
export interface LoopSpan {
  readonly first: number | undefined;
  readonly last: number | undefined;
}
export type Loop = LoopChoice | LoopSpan;

/** Sequences of the loop, in publication order; all of them where what was chosen holds but one, which is no loop. */
export function loopOrder(revisions: readonly Revision[], loop: Loop): number[] {
  const chosen = revisions.filter(inLoop(revisions, loop));
  return (chosen.length > 1 ? chosen : revisions).map((revision) => revision.sequence);
}

function inLoop(revisions: readonly Revision[], loop: Loop): (revision: Revision) => boolean {
  if (typeof loop === "object") {
    const { first = -Infinity, last = Infinity } = loop;
    return ({ sequence }) => sequence >= first && sequence <= last;
  }
  if (loop === "all") return () => true;
  const newestMs = Math.max(...revisions.map((revision) => revision.observedMs));
  return ({ observedMs }) => observedMs >= newestMs - loop * 60_000;
}

/** Indices of the revisions at both ends of the loop; undefined where there is nothing to loop over. */
export function findLoopEnds(
  revisions: readonly Revision[],
  loop: Loop,
): { readonly first: number; readonly last: number } | undefined {
  if (revisions.length < 2) return undefined;
  const order = loopOrder(revisions, loop);
  return {
    first: revisions.findIndex(({ sequence }) => sequence === order[0]),
    last: revisions.findIndex(({ sequence }) => sequence === order.at(-1)),
  };
}

/** The loop between two revisions, given by their indices. At an end of the list it stays open, to what is published later. */
export function toLoop(
  revisions: readonly Revision[],
  { first, last }: { readonly first: number; readonly last: number },
): Loop {
  const span = {
    first: first <= 0 ? undefined : revisions[first]?.sequence,
    last: last >= revisions.length - 1 ? undefined : revisions[last]?.sequence,
  };
  return span.first === undefined && span.last === undefined ? "all" : span;
}

/** The loop from just after `current` round to just before it; from the start where `current` is no part of it. */
export function playOrderAfter(order: readonly number[], current: number): number[] {
  const index = order.indexOf(current);
  if (index < 0) return [...order];
  return [...order.slice(index + 1), ...order.slice(0, index)];
}
