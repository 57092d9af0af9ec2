// The revisions wanted soon: those that playback shows next, or those around a resting playhead; of a
// pane that follows another, those that the lock shows next. Pure.
import { prefetchAhead, prefetchAround } from "../../platform/viewer-limits.ts";
import { loopOrder, playOrderAfter } from "./loop.ts";
import { inPlayOrder, toPlace } from "./play-order.ts";
import { findRevision, type Revision } from "./revisions.ts";
import type { ViewerState } from "../store.ts";

/** Returns the most urgent first. */
export function wantedSoon(state: ViewerState, wanted: Revision): Revision[] {
  const { revisions } = state.history;
  if (state.lockedSoon) return findRevisions(revisions, state.lockedSoon);
  const place = toPlace(revisions, state.playOrder, wanted.sequence);
  if (state.playhead.mode === "held" && state.playhead.playing) {
    const order = loopOrder(revisions, state.loop, state.playOrder);
    return findRevisions(revisions, playOrderAfter(order, place ?? wanted.sequence).slice(0, prefetchAhead));
  }
  const played = inPlayOrder(revisions, state.playOrder);
  const index = played.findIndex(({ sequence }) => sequence === place);
  const around: Revision[] = [];
  for (let distance = 1; distance <= prefetchAround; distance += 1) {
    const pair = [played[index + distance], played[index - distance]];
    around.push(...pair.filter((revision) => revision !== undefined));
  }
  return around;
}

function findRevisions(revisions: readonly Revision[], sequences: readonly number[]): Revision[] {
  return sequences.flatMap((sequence) => findRevision(revisions, sequence) ?? []);
}
