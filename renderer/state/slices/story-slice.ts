// Which places does the person follow through the event, and what was read there?
import type { StateCreator } from "zustand";
import type { PlaceReadings } from "../../frames/places/read-places.ts";
import type { Coordinate } from "../../../shared/contract/index.ts";
import { dropOldest } from "../../platform/drop-oldest.ts";
import { mostPins, mostPlacesRead, mostReadingsOfPlace } from "../../platform/viewer-limits.ts";
import type { ScreenSlice } from "./screen-slice.ts";

/** A place that the person follows. Two pins are never at the same coordinate. */
export interface PlacePin {
  readonly label: string;
  readonly coordinate: Coordinate;
}

/** The cell at the place alone, or the largest of the cells within 5 km. */
export const storyReaches = ["cell", "nearby"] as const;
export type StoryReach = (typeof storyReaches)[number];

/** A frame's answer at a place, or why it cannot be read, in a sentence for a person. */
export type FrameReading = PlaceReadings | { readonly problem: string };

/** By image URL. */
export type ReadingsOfPlace = ReadonlyMap<string, FrameReading>;

/** Answer of one frame at one place. */
export interface NewReading {
  readonly coordinate: Coordinate;
  readonly imageUrl: string;
  readonly reading: FrameReading;
}

export interface StorySlice {
  /** In the order of their numbers, from 1. */
  readonly pins: readonly PlacePin[];
  /** Index of the pin whose story is shown; 0 without pins. */
  readonly chosenPin: number;
  readonly storyOpen: boolean;
  readonly storyReach: StoryReach;
  /** True while the next place found by search is pinned. */
  readonly pinsNextPlace: boolean;
  /** True after a pin too many, until a pin is removed or chosen. */
  readonly pinsAreFull: boolean;
  /** By `placeKey`, what was read last at the end. Frames never change, so a reading stays true. */
  readonly readings: ReadonlyMap<string, ReadingsOfPlace>;
  /** Times that the person asked to read failed frames again. */
  readonly storyRetries: number;
  /** Pins a place and shows its story; a pinned one is only chosen. */
  readonly pinPlace: (pin: PlacePin) => void;
  readonly removePin: (index: number) => void;
  readonly choosePin: (index: number) => void;
  /** Opens the story over the timeline in order of observation; closing it gives the earlier order back. */
  readonly setStoryOpen: (open: boolean) => void;
  readonly setStoryReach: (reach: StoryReach) => void;
  readonly setPinsNextPlace: (on: boolean) => void;
  readonly receiveReadings: (news: readonly NewReading[]) => void;
  readonly retryStory: () => void;
}

export function placeKey(coordinate: Coordinate): string {
  return coordinate.join(",");
}

export const createStorySlice: StateCreator<StorySlice & ScreenSlice, [], [], StorySlice> = (set, get) => ({
  pins: [],
  chosenPin: 0,
  storyOpen: false,
  storyReach: "cell",
  pinsNextPlace: false,
  pinsAreFull: false,
  readings: new Map(),
  storyRetries: 0,

  pinPlace: (pin) => {
    const { pins } = get();
    const known = pins.findIndex(({ coordinate }) => placeKey(coordinate) === placeKey(pin.coordinate));
    get().setStoryOpen(true);
    if (known >= 0) get().choosePin(known);
    else if (pins.length === mostPins) set({ pinsAreFull: true });
    else {
      const { label, coordinate } = pin;
      set({ pins: [...pins, { label, coordinate }], chosenPin: pins.length });
    }
  },

  removePin: (index) => {
    const pins = get().pins.filter((_, place) => place !== index);
    const chosen = get().chosenPin;
    const chosenPin = Math.max(0, Math.min(index < chosen ? chosen - 1 : chosen, pins.length - 1));
    set({ pins, chosenPin, pinsAreFull: false });
    if (pins.length === 0) get().setStoryOpen(false);
  },

  choosePin: (chosenPin) => {
    set({ chosenPin, pinsAreFull: false });
  },

  setStoryOpen: (storyOpen) => {
    const { storyOpen: wasOpen, timelineOrder, orderBeforeStory } = get();
    set({ storyOpen, pinsAreFull: false });
    if (storyOpen && !wasOpen) set({ timelineOrder: "observed", orderBeforeStory: timelineOrder });
    if (!storyOpen && orderBeforeStory) set({ timelineOrder: orderBeforeStory, orderBeforeStory: undefined });
  },

  setStoryReach: (storyReach) => {
    set({ storyReach });
  },

  setPinsNextPlace: (pinsNextPlace) => {
    set({ pinsNextPlace });
  },

  receiveReadings: (news) => {
    const readings = new Map(get().readings);
    for (const [key, ofPlace] of Map.groupBy(news, ({ coordinate }) => placeKey(coordinate))) {
      const all = new Map(readings.get(key));
      for (const { imageUrl, reading } of ofPlace) {
        all.delete(imageUrl);
        all.set(imageUrl, reading);
      }
      dropOldest(all, mostReadingsOfPlace);
      readings.delete(key);
      readings.set(key, all);
    }
    dropOldest(readings, mostPlacesRead);
    set({ readings });
  },

  retryStory: () => {
    set(({ storyRetries }) => ({ storyRetries: storyRetries + 1 }));
  },
});
