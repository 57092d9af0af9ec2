// Words of the dialog "Settings".
import type { DistanceUnit } from "../../shared/geo/distance-words.ts";
import { rowOf, toKeyLabel, type Command, type CommandGroup } from "../keyboard.ts";
import type { ClockZone } from "../state/settings/settings-slice.ts";

export const groupNames: Readonly<Record<CommandGroup, string>> = {
  Time: "Time and playback",
  Corrections: "Corrections",
  Layers: "Layers",
  Map: "Map",
  Panes: "Panes",
  Panels: "Panels and files",
};

export const zoneWords: Readonly<Record<ClockZone, { readonly label: string; readonly hint: string }>> = {
  utc: { label: "UTC", hint: "UTC first, the time of this computer beside it" },
  local: { label: "Local", hint: "The time of this computer first, UTC beside it" },
  place: {
    label: "Place",
    hint: "The time of the pinned place, else of the event’s middle, first; UTC beside it",
  },
};

export const distanceWords: Readonly<
  Record<DistanceUnit, { readonly label: string; readonly hint: string }>
> = {
  mi: { label: "mi", hint: "Miles first" },
  nmi: { label: "nmi", hint: "Nautical miles first" },
  km: { label: "km", hint: "Kilometers first" },
};

/** `N is the key of “Newest frame, and follow it”.` */
export function conflictWords(key: string, owner: Command): string {
  return `${toKeyLabel(key)} is the key of “${rowOf(owner).does}”.`;
}

/** `Enter stays with buttons and fields.` */
export function reservedWords(key: string): string {
  return `${toKeyLabel(key)} stays with buttons, fields and dialogs.`;
}

/** `spotter.json was not imported: it is not JSON. Nothing was changed.` */
export function refusedWords(fileName: string, problem: string): string {
  return `${fileName} was not imported: ${problem} Nothing was changed.`;
}
