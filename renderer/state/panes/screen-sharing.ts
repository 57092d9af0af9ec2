// The state of the whole screen, which every pane has from pane A: it flows one way, and a setting changed in any pane
// is changed in A.
import type { ViewerState, ViewerStore } from "../store.ts";

const sharedFacts = [
  ...(["events", "nowMs", "silentSinceMs", "sources", "feeds"] as const),
  ...(["access", "tasks", "live", "chosenPlace", "pins", "chosenPin"] as const),
  ...(["palette", "ownTables", "theme", "ground", "userMap", "hailUnits"] as const),
  ...(["speed", "playOrder", "frameLimitMib", "characterKeys", "overlays"] as const),
  ...(["lengthUnit", "cursorNotation"] as const),
  ...(["ownKeys", "clockZone", "clockHours", "textSize"] as const),
] satisfies (keyof ViewerState)[];

const sharedActions = [
  ...(["setPalette", "setTheme", "setGroundPart", "setUserMap", "setHailUnits"] as const),
  ...(["setSpeed", "setPlayOrder", "setFrameLimitMib", "choosePlace"] as const),
  ...(["setLengthUnit", "setCursorNotation", "addOwnTable", "removeOwnTable"] as const),
  ...(["pinPlace", "choosePin", "setStoryOpen"] as const),
  ...(["putOverlay", "chooseForOverlay", "moveOverlay", "removeOverlay"] as const),
] satisfies (keyof ViewerState)[];

function pick(state: ViewerState, keys: readonly (keyof ViewerState)[]): Partial<ViewerState> {
  return Object.fromEntries(keys.map((key) => [key, state[key]]));
}

/** Returns the part of a pane's initial state that it shares with pane A. */
export function toSharedState(main: ViewerState): Partial<ViewerState> {
  return pick(main, [...sharedFacts, ...sharedActions]);
}

/** Passes changes of pane A on to another pane until the returned function is called. */
export function shareScreen(main: ViewerStore, pane: ViewerStore): () => void {
  return main.subscribe((state, previous) => {
    const changed = sharedFacts.filter((key) => state[key] !== previous[key]);
    if (changed.length > 0) pane.setState(pick(state, changed));
  });
}
