// Reads latitude and longitude as people type them: degrees, with minutes or seconds too, with signs or letters, in the
// compact form of aviation (3513N09726W), or in hundredths as in the text of a warning (3522 9744).
import { placeProviderId, type Coordinate, type Place } from "../../../shared/contract/index.ts";

const token = /[NSEW]|[+-]?\d+(?:\.\d+)?/g;
/** Units, separators and labels between the numbers. */
const ignored = /[°º'’′"”″,;/:=]|\b(?:LAT(?:ITUDE)?|LONG?(?:ITUDE)?)\b|\.\.+/g;
/** A hyphen between two digits separates them: `35-13-12N`. */
const innerHyphen = /(?<=\d)-(?=\d)/g;
const minusSigns = /[−–]/g;
/** A ZIP+4 code, which would read as hundredths of degrees if it starts with 0. */
const zipPlusFour = /^\s*\d{5}-\d{4}\s*$/;

interface Angle {
  readonly degrees: number;
  /** Letter of the hemisphere. */
  readonly letter: string | undefined;
  readonly hasSign: boolean;
}

/**
 * Returns the coordinate that a text gives, latitude first unless letters say otherwise; undefined for other texts. A
 * longitude without sign and letter is west, as all of the United States but Guam is.
 */
export function parseTypedCoordinate(text: string): Coordinate | undefined {
  if (zipPlusFour.test(text)) return undefined;
  const plain = text.toUpperCase().replace(minusSigns, "-").replace(innerHyphen, " ").replace(ignored, " ");
  const tokens = plain.match(token) ?? [];
  if (plain.replace(token, " ").trim() !== "") return undefined;
  const groups = toGroups(tokens);
  if (groups?.length !== 2) return undefined;
  const [first, second] = groups.map(toAngle);
  if (!first || !second) return undefined;
  const isTurned = isOf("EW", first) && isOf("NS", second);
  const [latitude, longitude] = isTurned ? [second, first] : [first, second];
  if (isOf("EW", latitude) || isOf("NS", longitude)) return undefined;
  const latitudeDeg = latitude.degrees;
  const isWest = longitude.letter === undefined && !longitude.hasSign;
  const longitudeDeg = isWest ? -longitude.degrees : longitude.degrees;
  if (Math.abs(latitudeDeg) > 90 || Math.abs(longitudeDeg) > 180) return undefined;
  return [longitudeDeg, latitudeDeg];
}

/** Returns the coordinate as a place to go to. */
export function toTypedPlace(coordinate: Coordinate): Place {
  const [longitude, latitude] = coordinate;
  const words = [toWords(latitude, "N", "S"), toWords(longitude, "E", "W")].join(" ");
  return {
    id: `coordinate:${coordinate.join(",")}`,
    label: words,
    context: "Latitude and longitude",
    coordinate,
    kind: "coordinate",
    provider: placeProviderId,
  };
}

/** `35.22 N`; up to four decimals, which are 11 m. */
function toWords(degrees: number, positive: string, negative: string): string {
  const decimals = Math.abs(degrees)
    .toFixed(4)
    .replace(/0{1,2}$/, "");
  return `${decimals} ${degrees < 0 ? negative : positive}`;
}

function isOf(letters: string, { letter }: Angle): boolean {
  return letter !== undefined && letters.includes(letter);
}

/** Divides the tokens into those of two angles, by their letters or else in halves. */
function toGroups(tokens: readonly string[]): string[][] | undefined {
  const isLetter = (part: string): boolean => /[NSEW]/.test(part);
  const letters = tokens.filter(isLetter).length;
  if (letters === 0) {
    return tokens.length % 2 === 0
      ? [tokens.slice(0, tokens.length / 2), tokens.slice(tokens.length / 2)]
      : undefined;
  }
  if (letters !== 2) return undefined;
  const isBefore = isLetter(tokens[0]!);
  const at = isBefore ? tokens.findLastIndex(isLetter) : tokens.findIndex(isLetter) + 1;
  return [tokens.slice(0, at), tokens.slice(at)];
}

/** Returns signed degrees of one angle; undefined if its parts are not degrees, minutes and seconds. */
function toAngle(group: readonly string[]): Angle | undefined {
  const letter = group.find((part) => /[NSEW]/.test(part));
  const numbers = group.filter((part) => part !== letter);
  if (group.length - numbers.length > 1 || numbers.length === 0 || numbers.length > 3) return undefined;
  const [first, ...rest] = numbers as [string, ...string[]];
  const hasSign = /^[+-]/.test(first);
  if ((hasSign && letter !== undefined) || rest.some((part) => /^[+-]/.test(part))) return undefined;
  if (numbers.slice(0, -1).some((part) => part.includes("."))) return undefined;
  const digits = first.replace(/^[+-]/, "");
  const degrees =
    rest.length === 0 && /^\d{4,7}$/.test(digits)
      ? fromCompact(digits, letter)
      : fromSexagesimal([digits, ...rest].map(Number));
  if (degrees === undefined) return undefined;
  const isNegative = first.startsWith("-") || letter === "S" || letter === "W";
  return { degrees: isNegative ? -degrees : degrees, letter, hasSign };
}

/** `3513` with a letter is 35 degrees 13 minutes, `351312` has seconds; without a letter, `3522` is hundredths. */
function fromCompact(digits: string, letter: string | undefined): number | undefined {
  if (letter === undefined) return digits.length <= 5 ? Number(digits) / 100 : undefined;
  const hasSeconds = digits.length > 5;
  const parts = hasSeconds
    ? [digits.slice(0, -4), digits.slice(-4, -2), digits.slice(-2)]
    : [digits.slice(0, -2), digits.slice(-2)];
  return fromSexagesimal(parts.map(Number));
}

function fromSexagesimal([degrees = 0, minutes = 0, seconds = 0]: readonly number[]): number | undefined {
  return minutes < 60 && seconds < 60 ? degrees + minutes / 60 + seconds / 3600 : undefined;
}
