// The person's habits: keys, clock, units, size of text, and how the viewer starts.
import type { StateCreator } from "zustand";
import { rowOf, type Command, type OwnKeys } from "../../keyboard.ts";

export const clockZones = ["utc", "local", "place"] as const;
export type ClockZone = (typeof clockZones)[number];

export const clockHours = [24, 12] as const;
export type ClockHours = (typeof clockHours)[number];

/** Percent of the usual size. */
export const textSizes = [100, 112, 125] as const;
export type TextSize = (typeof textSizes)[number];

export interface SettingsSlice {
  readonly ownKeys: OwnKeys;
  /** The zone that stands first wherever a time stands; `place` is the one of the pinned place or the event. */
  readonly clockZone: ClockZone;
  readonly clockHours: ClockHours;
  readonly textSize: TextSize;
  /** False starts with the newest event and an ordinary screen; the habits stay. */
  readonly startsWhereLeft: boolean;
  /** Gives a command these keys; undefined gives it its first ones again. */
  readonly setKeys: (command: Command, keys: readonly string[] | undefined) => void;
  readonly setOwnKeys: (ownKeys: OwnKeys) => void;
  readonly setClockZone: (zone: ClockZone) => void;
  readonly setClockHours: (hours: ClockHours) => void;
  readonly setTextSize: (size: TextSize) => void;
  readonly setStartsWhereLeft: (on: boolean) => void;
}

export const createSettingsSlice: StateCreator<SettingsSlice, [], [], SettingsSlice> = (set) => ({
  ownKeys: {},
  clockZone: "utc",
  clockHours: 24,
  textSize: 100,
  startsWhereLeft: true,

  setKeys: (command, keys) => {
    const isFirst = keys === undefined || isSame(keys, rowOf(command).keys);
    set(({ ownKeys }) => {
      const others = Object.fromEntries(Object.entries(ownKeys).filter(([other]) => other !== command));
      return { ownKeys: isFirst ? others : { ...others, [command]: keys } };
    });
  },

  setOwnKeys: (ownKeys) => {
    set({ ownKeys });
  },

  setClockZone: (clockZone) => {
    set({ clockZone });
  },

  setClockHours: (hours) => {
    set({ clockHours: hours });
  },

  setTextSize: (textSize) => {
    set({ textSize });
  },

  setStartsWhereLeft: (startsWhereLeft) => {
    set({ startsWhereLeft });
  },
});

function isSame(keys: readonly string[], others: readonly string[]): boolean {
  return keys.length === others.length && keys.every((key, index) => key === others[index]);
}
