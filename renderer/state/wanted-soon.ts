// The revisions wanted soon: those that playback shows next, or those around a resting playhead. Pure.
import { prefetchAhead, prefetchAround } from "../platform/viewer-limits.ts";
import { loopOrder, playOrderAfter } from "./loop.ts";
import { inPlayOrder, toPlace } from "./play-order.ts";
import { findRevision, type Revision } from "./revisions.ts";
import type { ViewerState } from "./store.ts";

/** Returns the most urgent first. */
export function wantedSoon(state: ViewerState, wanted: Revision): Revision[] {
  const { revisions } = state.history;
  const place = toPlace(revisions, state.playOrder, wanted.sequence);
  if (state.playhead.mode === "held" && state.playhead.playing) {
    const order = loopOrder(revisions, state.loop, state.playOrder);
    const next = playOrderAfter(order, place ?? wanted.sequence).slice(0, prefetchAhead);
    return next.flatMap((sequence) => findRevision(revisions, sequence) ?? []);
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
