// The clock of the screen that follows from the person's settings.
import { findUsTimeZone } from "../../../shared/geo/us-time-zone.ts";
import type { Coordinate } from "../../../shared/contract/index.ts";
import { selectSelectedEvent } from "../selectors.ts";
import type { ViewerState } from "../store.ts";

/** Returns the zone of the pinned place, else of the event's middle, else of the map's; UTC far from the U.S. */
export function selectPlaceZone(state: ViewerState): string {
  const coordinate = state.pins[state.chosenPin]?.coordinate ?? middleOfEvent(state) ?? state.view?.center;
  return (coordinate && findUsTimeZone(coordinate)) ?? "UTC";
}

function middleOfEvent(state: ViewerState): Coordinate | undefined {
  const bounds = selectSelectedEvent(state)?.bounds ?? state.history.revisions.at(-1)?.layers[0]?.bounds;
  return bounds && [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2];
}

export interface ClockChoice {
  readonly timeZone: string;
  readonly otherZone: string;
  readonly hours: ViewerState["clockHours"];
}

/** Returns the clock; UTC stands beside any other. */
export function selectClock(state: ViewerState, localZone: string): ClockChoice {
  const zones = { utc: "UTC", local: localZone, place: selectPlaceZone(state) };
  const timeZone = zones[state.clockZone];
  return { timeZone, otherZone: timeZone === "UTC" ? localZone : "UTC", hours: state.clockHours };
}
