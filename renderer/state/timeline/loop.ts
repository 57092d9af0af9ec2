// The loop: the revisions that playback repeats, in their order.
import { inPlayOrder, type PlayOrder } from "./play-order.ts";
import { toRestingList, type PlayheadView } from "./playhead.ts";
import { indexFrom, type Revision } from "./revisions.ts";

/** `"all"`, or the last minutes of the event by observation time. */
export const loopChoices = ["all", 60, 30] as const;
export type LoopChoice = (typeof loopChoices)[number];

/** First and last sequence, both included; undefined leaves that end open. */
export interface LoopSpan {
  readonly first: number | undefined;
  readonly last: number | undefined;
}
export type Loop = LoopChoice | LoopSpan;

/** Returns the sequences of the loop in playing order; all that are played if it would hold fewer than two. */
export function loopOrder(revisions: readonly Revision[], loop: Loop, order: PlayOrder): number[] {
  const played = inPlayOrder(revisions, order);
  const chosen = played.filter(inLoop(revisions, loop));
  return (chosen.length > 1 ? chosen : played).map((revision) => revision.sequence);
}

function inLoop(revisions: readonly Revision[], loop: Loop): (revision: Revision) => boolean {
  if (typeof loop === "object") {
    const { first = -Infinity, last = Infinity } = loop;
    return ({ sequence }) => sequence >= first && sequence <= last;
  }
  if (loop === "all") return () => true;
  const newestMs = revisions.reduce((newest, { observedMs }) => Math.max(newest, observedMs), -Infinity);
  return ({ observedMs }) => observedMs >= newestMs - loop * 60_000;
}

/**
 * Returns the indices of the ends of the loop on screen. While playback rests, the last minutes stay where they were:
 * arrivals move nothing.
 */
export function findShownLoopEnds(view: PlayheadView, loop: Loop): ReturnType<typeof findLoopEnds> {
  return findLoopEnds(typeof loop === "number" ? toRestingList(view) : view.history.revisions, loop);
}

/** Returns the indices of the revisions at both ends of the loop, or undefined with fewer than two revisions. */
export function findLoopEnds(
  revisions: readonly Revision[],
  loop: Loop,
): { readonly first: number; readonly last: number } | undefined {
  if (revisions.length < 2) return undefined;
  const order = loopOrder(revisions, loop, "published");
  return {
    first: indexFrom(revisions, order[0]!),
    last: indexFrom(revisions, order.at(-1)!),
  };
}

/** Returns the loop between two revision indices. An end of the list stays open and so includes later revisions. */
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

/** Returns the loop from after `current` round to the one before it, or all of it if `current` is outside. */
export function playOrderAfter(order: readonly number[], current: number): number[] {
  const index = order.indexOf(current);
  if (index < 0) return [...order];
  return [...order.slice(index + 1), ...order.slice(0, index)];
}
