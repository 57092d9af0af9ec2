// Puts on a map what is shown of the overlays at a moment, in the colors and words of the person's choice.
import type { MapOverlay } from "../../map/overlays/map-overlay.ts";
import type { StormMap } from "../../map/storm-map.ts";
import type { OverlayColor } from "../../state/overlays/held-overlay.ts";
import {
  OverlayShower,
  selectShownOverlays,
  type ShownOverlay,
} from "../../state/overlays/shown-overlays.ts";
import type { ViewerState } from "../../state/store.ts";
import { shapeWords } from "../../text/overlay-text.ts";
import type { HailUnits } from "../../text/format.ts";
import type { Follower } from "./follow-look.ts";

/** They differ from the colors of warnings and from the lines of the ground, on dark echo and on bright. */
export const overlayColorValues: Readonly<Record<OverlayColor, string>> = {
  teal: "#6fe3c4",
  pink: "#ff9be0",
  orange: "#ffb878",
  blue: "#9ecbff",
  lime: "#c9f26b",
  white: "#f4f8fb",
};

/** Follows the picture on screen. */
export function followOverlays(map: StormMap): Follower {
  let last: readonly ShownOverlay[] | undefined;
  let lastUnits: HailUnits | undefined;
  return (state) => {
    const shown = selectShownOverlays(state);
    if (shown === last && state.hailUnits === lastUnits) return;
    last = shown;
    lastUnits = state.hailUnits;
    map.setOverlays(toMapOverlays(shown, state.hailUnits));
  };
}

/** Returns a function that puts on a map what belongs to a revision of a state, also one that is not on screen. */
export function createOverlaySetter(
  map: StormMap,
): (state: ViewerState, sequence: number | undefined) => void {
  const shower = new OverlayShower();
  return (state, sequence) => {
    const shown = shower.show(state, sequence);
    map.setOverlays(toMapOverlays(shown, state.hailUnits));
  };
}

function toMapOverlays(shown: readonly ShownOverlay[], units: HailUnits): MapOverlay[] {
  return shown
    .filter(({ overlay, unfit }) => overlay.isOn && overlay.content && !unfit)
    .map(({ overlay: { id, color, hasFileColors, origin }, shapes }) => ({
      ...{ id, shapes, hasFileColors },
      color: overlayColorValues[color],
      words: shapeWords(units, origin === "synthetic"),
    }));
}
