// Derives from the clicks of "Storm motion": the motion over the chosen event, the places whose arrival may be asked
// for, and how far the line goes. Pure.
import {
  toArrival,
  toStormMotion,
  type Arrival,
  type StormMotion,
} from "../../../shared/geo/storm-motion.ts";
import { selectShownRevision } from "../selectors.ts";
import type { PlacePin } from "../slices/story-slice.ts";
import type { ViewerState } from "../store.ts";
import type { Motion, ToolPoint } from "./tools-slice.ts";

/** The line goes this far, or to the place of the arrival. */
const lineMs = 3_600_000;

/** Returns the tool's clicks if they were made over the chosen event. */
export function selectMotion({
  motion,
  selectedEventId,
}: Pick<ViewerState, "motion" | "selectedEventId">): Motion | undefined {
  return motion?.eventId === selectedEventId ? motion : undefined;
}

/** Returns undefined until both positions are set. */
export function toMotionOf({ positions: [one, other] }: Motion): StormMotion | undefined {
  return one && other && toStormMotion(one, other);
}

/** Returns the point with the time of the picture on which it is set. */
export function toToolPoint(state: ViewerState, coordinate: ToolPoint["coordinate"]): ToolPoint {
  return { coordinate, observedMs: selectShownRevision(state)?.observedMs };
}

/** Returns the place found by search, and the pinned ones: each place once. */
export function toOwnPlaces({ chosenPlace, pins }: Pick<ViewerState, "chosenPlace" | "pins">): PlacePin[] {
  const found = chosenPlace && { label: chosenPlace.label, coordinate: chosenPlace.coordinate };
  const isPinned = pins.some(({ coordinate }) => coordinate.join() === found?.coordinate.join());
  return found && !isPinned ? [found, ...pins] : [...pins];
}

/** Returns the chosen place, or else the first one of the person's own that lies in the fan. */
export function findArrivalPlace(
  motion: StormMotion,
  chosen: PlacePin | undefined,
  places: readonly PlacePin[],
): PlacePin | undefined {
  return chosen ?? places.find(({ coordinate }) => isInFan(toArrival(motion, coordinate)));
}

export function isInFan(arrival: Arrival): boolean {
  return arrival.kind === "window" && arrival.isInFan;
}

/** Returns the time that the line goes on after the later position. */
export function toLineMs(motion: StormMotion, place: PlacePin | undefined): number {
  const arrival = place && toArrival(motion, place.coordinate);
  return arrival?.kind === "window" ? Math.max(lineMs, arrival.toMs - motion.last.observedMs) : lineMs;
}
