// Applies the state to what is on a map besides its frames: the ground, the marks of places, and words on the storm.
import type { MapPins } from "../../map/pin-markers.ts";
import type { StormMap } from "../../map/storm-map.ts";
import type { SwathLabel } from "../../map/swath-labels.ts";
import { memoizeSelector, selectDrawn } from "../../state/selectors.ts";
import { selectDrawnSoFar } from "../../state/so-far/so-far.ts";
import type { ViewerState } from "../../state/store.ts";
import { createToolMarksSelector } from "../../text/tool-marks.ts";
import { toSwathLabels } from "../../text/so-far-text.ts";

export type Follower = (state: ViewerState) => void;

/** Parts that the person may leave out of a picture. */
export interface MarkedParts {
  readonly places: boolean;
  readonly pins: boolean;
}

/** Call each function with each state. */
export function followLook(
  map: StormMap,
  { places, pins }: MarkedParts = { places: true, pins: true },
): Follower[] {
  return [
    onChange(
      // A pin marks its place itself.
      ({ chosenPlace, pins: pinned }) =>
        !places || pinned.some(({ coordinate }) => coordinate.join() === chosenPlace?.coordinate.join())
          ? undefined
          : chosenPlace,
      (place) => {
        map.setPlace(place && { name: place.label, coordinate: place.coordinate });
      },
    ),
    onChange(createLabelsSelector(), (labels) => {
      map.setSwathLabels(labels);
    }),
    onChange(createToolMarksSelector(), (marks) => {
      map.setToolMarks(marks);
    }),
    onChange(createPinsSelector(pins), (shown) => {
      map.setPins(shown);
    }),
    onChange(
      ({ theme }) => theme,
      (theme) => {
        map.setTheme(theme);
      },
    ),
    onChange(createGroundSelector(places), (ground) => {
      map.setGround(ground);
    }),
  ];
}

/** Applies what `select` returns whenever it changes. */
export function onChange<T>(select: (state: ViewerState) => T, apply: (value: T) => void): Follower {
  let last: T | undefined;
  return (state) => {
    const next = select(state);
    if (next === last) return;
    last = next;
    apply(next);
  };
}

function createPinsSelector(isShown: boolean): (state: ViewerState) => MapPins {
  return memoizeSelector(
    ({ pins, chosenPin }) => [pins, chosenPin],
    ({ pins, chosenPin }) => ({
      places: (isShown ? pins : []).map(({ label, coordinate }) => ({ name: label, coordinate })),
      chosen: chosenPin,
    }),
  );
}

/** One list for all states without words: the same words again would have the map placed and drawn again. */
const noLabels: readonly SwathLabel[] = [];

function createLabelsSelector(): (state: ViewerState) => readonly SwathLabel[] {
  return memoizeSelector(
    (state) => [selectDrawnSoFar(state), selectDrawn(state)?.sequence, state.hailUnits],
    (state) => {
      const made = selectDrawnSoFar(state);
      return made ? toSwathLabels(made, state.hailUnits) : noLabels;
    },
  );
}

function createGroundSelector(hasPlaces: boolean): (state: ViewerState) => ViewerState["ground"] {
  return memoizeSelector(
    ({ ground }) => [ground],
    ({ ground }) => (hasPlaces ? ground : { ...ground, cities: false }),
  );
}
