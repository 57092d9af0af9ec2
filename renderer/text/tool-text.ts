// Words of the tools: lengths in three units, directions, the motion of a storm and its arrival.
import { kmPerMile, kmPerNauticalMile } from "../../shared/geo/sphere.ts";
import {
  farthestMs,
  positionErrorKm,
  type Arrival,
  type StormMotion,
} from "../../shared/geo/storm-motion.ts";
import type { ViewerState } from "../state/store.ts";
import { selectMotion, toMotionOf } from "../state/tools/motion-line.ts";
import { lengthUnits, type LengthUnit, type MotionRefusal } from "../state/tools/tools-slice.ts";
import { clockMinute, minuteWithZone } from "./format.ts";

export const kmPerUnit: Readonly<Record<LengthUnit, number>> = {
  nmi: kmPerNauticalMile,
  mi: kmPerMile,
  km: 1,
};

export const unitNames: Readonly<Record<LengthUnit, string>> = {
  nmi: "Nautical miles",
  mi: "Miles",
  km: "Kilometers",
};

/** Below this many units a tenth is told; above, the earth's shape, which is not a sphere, is more than a tenth. */
const tenthsBelow = 30;

/** `12.3 mi`, `204 km`; `less than 1 mi` within a cell of the grid. */
export function lengthWords(km: number, unit: LengthUnit): string {
  if (km < positionErrorKm) return `less than 1 ${unit}`;
  const count = km / kmPerUnit[unit];
  return `${count < tenthsBelow ? count.toFixed(1) : Math.round(count)} ${unit}`;
}

/** Returns the length in all three units, the chosen one first. */
export function lengthsWords(km: number, first: LengthUnit): string[] {
  return [first, ...lengthUnits.filter((unit) => unit !== first)].map((unit) => lengthWords(km, unit));
}

const compass = [
  ...(["north", "north-northeast", "northeast", "east-northeast"] as const),
  ...(["east", "east-southeast", "southeast", "south-southeast"] as const),
  ...(["south", "south-southwest", "southwest", "west-southwest"] as const),
  ...(["west", "west-northwest", "northwest", "north-northwest"] as const),
];

/** `east-northeast`, of sixteen. */
export function compassWords(bearing: number): string {
  return compass[Math.round(bearing / 22.5) % 16]!;
}

function threeDigits(bearing: number): string {
  return String(Math.round(bearing) % 360).padStart(3, "0");
}

/** `080°` */
export function bearingWords(bearing: number): string {
  return `${threeDigits(bearing)}°`;
}

/** `28 kt toward 080°` */
export function motionWords({ kmPerHour, towardDeg }: StormMotion): string {
  return `${Math.round(kmPerHour / kmPerNauticalMile)} kt toward ${bearingWords(towardDeg)}`;
}

/** `28 knots toward 080 degrees` */
export function spokenMotion({ kmPerHour, towardDeg }: StormMotion): string {
  const knots = Math.round(kmPerHour / kmPerNauticalMile);
  return `${knots} ${knots === 1 ? "knot" : "knots"} toward ${threeDigits(towardDeg)} degrees`;
}

/** `32 mph · 52 km/h · toward the east` */
export function otherMotionWords({ kmPerHour, towardDeg }: StormMotion): string {
  const speeds = `${Math.round(kmPerHour / kmPerMile)} mph · ${Math.round(kmPerHour)} km/h`;
  return `${speeds} · toward the ${compassWords(towardDeg)}`;
}

export function clicksWords({ first, last }: StormMotion): string {
  return `two clicks, at ${clockMinute(first.observedMs)} and ${minuteWithZone(last.observedMs)}`;
}

export const refusalWords: Readonly<Record<MotionRefusal, string>> = {
  "same-time": "Both clicks are at one time. Step to another time, then click the storm again.",
  "too-close": "The clicks are less than a cell apart. Click farther away, or step to a later time.",
  "no-picture": "There is no picture here yet, so the click has no time.",
};

export const fanWords = `The fan: each click may be off by a cell (${positionErrorKm} km), and at least a tenth of the way.`;

export const ifItKeepsOn = "If it keeps its speed and path. Not a forecast.";

/** Returns what a picture says of the motion on its map; an empty text without one. */
export function motionNote(state: Pick<ViewerState, "motion" | "selectedEventId">): string {
  const set = selectMotion(state);
  return set && toMotionOf(set) ? "Not a forecast: storm motion if it keeps its speed and path" : "";
}

export interface ArrivalWords {
  /** `22:18–22:31 UTC`; undefined if the line does not get there. */
  readonly when: string | undefined;
  readonly how: string;
}

/** Returns the window of an arrival, and how the line passes the place. */
export function arrivalWords(arrival: Arrival, unit: LengthUnit): ArrivalWords {
  if (arrival.kind === "behind") return { when: undefined, how: "has passed it" };
  if (arrival.kind === "too-far") {
    return {
      when: undefined,
      how: `more than ${farthestMs / 3_600_000} hours away: too far for a straight line`,
    };
  }
  const { fromMs, toMs, missKm, missDeg, isInFan } = arrival;
  const isOver = missKm < positionErrorKm;
  const miss = `${Math.round(missKm / kmPerUnit[unit])} ${unit} ${sideWords(missDeg)} of it`;
  const passes = isOver ? `passes less than 1 ${unit} from it` : `passes about ${miss}`;
  return {
    when: `${clockMinute(fromMs)}–${minuteWithZone(toMs)}`,
    how: isInFan ? passes : `${passes}, outside the fan`,
  };
}

/** One of eight directions. */
function sideWords(bearing: number): string {
  return compass[(Math.round(bearing / 45) % 8) * 2]!;
}
