// Writes a place as latitude and longitude, in the three notations that forecasters use.
import type { Coordinate } from "../../shared/contract/index.ts";
import type { CursorNotation } from "../state/tools/tools-slice.ts";
import { coordinate as decimalWords } from "./format.ts";

export const notationNames: Readonly<
  Record<CursorNotation, { readonly label: string; readonly name: string }>
> = {
  decimal: { label: "35.22°", name: "Decimal degrees" },
  dms: { label: "35°13′12″", name: "Degrees, minutes, seconds" },
  ddm: { label: "35°13.2′", name: "Degrees, decimal minutes" },
};

/** `35.22 N 97.44 W`, `35°13′12″ N 97°26′24″ W`, `35°13.2′ N 97°26.4′ W`. */
export function placeInNotation([longitude, latitude]: Coordinate, notation: CursorNotation): string {
  if (notation === "decimal") return decimalWords(longitude, latitude);
  return inDegrees([longitude, latitude], notation === "dms" ? toDms : (degrees) => toDdm(degrees, 1));
}

/** Returns the place for another program: decimals with a sign and 11 m exact, the others to about as much. */
export function placeToCopy(place: Coordinate, notation: CursorNotation): string {
  if (notation === "decimal") return `${place[1].toFixed(4)}, ${place[0].toFixed(4)}`;
  return inDegrees(place, notation === "dms" ? toDms : (degrees) => toDdm(degrees, 2));
}

function inDegrees([longitude, latitude]: Coordinate, write: (degrees: number) => string): string {
  const northing = `${write(Math.abs(latitude))} ${latitude < 0 ? "S" : "N"}`;
  return `${northing} ${write(Math.abs(longitude))} ${longitude < 0 ? "W" : "E"}`;
}

// Both round once, to their smallest unit: never 60 seconds or 60 minutes.

function toDms(degrees: number): string {
  const seconds = Math.round(degrees * 3600);
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)}°${pad(minutes % 60, 2)}′${pad(seconds % 60, 2)}″`;
}

function toDdm(degrees: number, digits: number): string {
  const scale = 10 ** digits;
  const parts = Math.round(degrees * 60 * scale);
  const minutes = ((parts % (60 * scale)) / scale).toFixed(digits);
  return `${Math.floor(parts / (60 * scale))}°${pad(minutes, 3 + digits)}′`;
}

function pad(value: number | string, width: number): string {
  return String(value).padStart(width, "0");
}

const spokenMarks: readonly (readonly [mark: string, word: string])[] = [
  ["°", " degrees "],
  ["′", " minutes "],
  ["″", " seconds "],
];

/** Returns a place as a screen reader should say it. */
export function spokenPlace(words: string): string {
  return spokenMarks.reduce((text, [mark, word]) => text.replaceAll(mark, word), words).replaceAll("  ", " ");
}
