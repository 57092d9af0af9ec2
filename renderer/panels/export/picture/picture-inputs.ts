// Parts of the state that a picture depends on. Others, such as the clock and the pointer, change nothing in it.
import type { ViewerState } from "../../../state/store.ts";

const inputs = [
  "selectedEventId",
  "events",
  "history",
  "publishedAt",
  "knownAt",
  "playhead",
  "loop",
  "layerPreferences",
  "palette",
  "ownTables",
  "hailUnits",
  "theme",
  "ground",
  "userMap",
  "overlays",
  "pins",
  "chosenPin",
  "chosenPlace",
  "measuring",
  "motion",
  "lengthUnit",
  "view",
  "isSoFarOn",
  "soFarProduct",
  "soFarOpacity",
  "soFarMade",
  "isComparing",
  "comparedSide",
  "swipeAt",
  "changeThresholds",
  "sheetSize",
  "sheetIncludes",
] as const satisfies (keyof ViewerState)[];

/** Two states with equal lists give the same picture. */
export function pictureInputsOf(state: ViewerState): readonly unknown[] {
  return [...inputs.map((key) => state[key]), state.picture.drawn];
}

export function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
