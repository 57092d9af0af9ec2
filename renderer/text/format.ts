// Formats times, spans, sizes and class ranges for people, times on the clock of the screen (`screen-clock.ts`). Never
// adds a digit that the input does not have.
import { screenClock, toZoneTime, type ZoneTime } from "./screen-clock.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function pad(value: number): string {
  return String(value).padStart(2, "0");
}

/** `11:00:40` in UTC with 24 hours, for files. */
export function utcClock(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(11, 19);
}

/** `4 Jul 2022` in UTC, for files. */
export function utcDay(instantMs: number): string {
  return dayOf(instantMs, "UTC");
}

/** `11:00:40`, `6:00:40 AM`: on the clock of the screen. */
export function clockTime(instantMs: number): string {
  return timeOf(toZoneTime(instantMs, screenClock().timeZone), "seconds");
}

/** `11:00`, `6:00 AM` */
export function clockMinute(instantMs: number): string {
  return timeOf(toZoneTime(instantMs, screenClock().timeZone), "minutes");
}

/** `11:00:40 UTC`, `6:00:40 AM CDT` */
export function timeWithZone(instantMs: number): string {
  return `${clockTime(instantMs)} ${clockZoneName(instantMs)}`;
}

/** `11:00 UTC`, `6:00 AM CDT` */
export function minuteWithZone(instantMs: number): string {
  return `${clockMinute(instantMs)} ${clockZoneName(instantMs)}`;
}

/** `UTC`, `CDT`: the name of the zone that stands first. */
export function clockZoneName(instantMs: number): string {
  return toZoneTime(instantMs, screenClock().timeZone).zoneName;
}

/** `1100Z`, `06:00 CDT`: a time to the minute where space is short; in UTC as forecasters write it. */
export function clockShort(instantMs: number): string {
  return isZulu() ? `${hourMinute(instantMs)}Z` : minuteWithZone(instantMs);
}

/** `4 Jul 2022` on the clock of the screen. */
export function clockDay(instantMs: number): string {
  return dayOf(instantMs, screenClock().timeZone);
}

/** The clock beside the first one: `06:00 CDT`, `3 Jul 21:00 CDT` on another day; undefined if it would repeat it. */
export function otherTime(instantMs: number): string | undefined {
  const { timeZone, otherZone } = screenClock();
  const [first, other] = [toZoneTime(instantMs, timeZone), toZoneTime(instantMs, otherZone)];
  const words = `${timeOf(other, "minutes")} ${other.zoneName}`;
  if (words === `${timeOf(first, "minutes")} ${first.zoneName}`) return undefined;
  return other.day === first.day ? words : `${other.day} ${months[other.month]!} ${words}`;
}

function timeOf({ hour, minute, second }: ZoneTime, to: "seconds" | "minutes"): string {
  const rest = to === "seconds" ? `${pad(minute)}:${pad(second)}` : pad(minute);
  if (screenClock().hours === 24) return `${pad(hour)}:${rest}`;
  return `${hour % 12 || 12}:${rest} ${hour < 12 ? "AM" : "PM"}`;
}

function isZulu(): boolean {
  const { timeZone, hours } = screenClock();
  return timeZone === "UTC" && hours === 24;
}

function hourMinute(instantMs: number): string {
  return clockMinute(instantMs).replace(":", "");
}

/** `2 Nov 2026 1120Z`, from an ISO instant. */
export function instantWords(instant: string): string {
  const instantMs = Date.parse(instant);
  return `${clockDay(instantMs)} ${clockShort(instantMs)}`;
}

/** `1 page`, `12 pages` */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function dayOf(instantMs: number, timeZone: string): string {
  return `${dayMonthOf(instantMs, timeZone)} ${toZoneTime(instantMs, timeZone).year}`;
}

function dayMonthOf(instantMs: number, timeZone: string): string {
  const { day, month } = toZoneTime(instantMs, timeZone);
  return `${day} ${months[month]!}`;
}

/** `4 Jul 2022 1000–1158Z`; `10 Jun 2200Z–11 Jun 2019 0100Z` over midnight; `10 Jun–14 Jun 2019` over days. */
export function clockWindow(startMs: number | undefined, endMs: number | undefined): string {
  if (startMs === undefined && endMs === undefined) return "";
  if (startMs === undefined) return `to ${clockDay(endMs!)} ${clockShort(endMs!)}`;
  if (endMs === undefined) return `from ${clockDay(startMs)} ${clockShort(startMs)}`;
  const isOneDay = clockDay(startMs) === clockDay(endMs);
  if (minuteWithZone(startMs) === minuteWithZone(endMs) && isOneDay)
    return `${clockDay(startMs)} ${clockShort(startMs)}`;
  // In the hour that autumn repeats, a time without its zone could be either.
  if (isOneDay && clockZoneName(startMs) === clockZoneName(endMs)) {
    const start = isZulu() ? hourMinute(startMs) : clockMinute(startMs);
    return `${clockDay(startMs)} ${start}–${clockShort(endMs)}`;
  }
  if (isOneDay) return `${clockDay(startMs)} ${clockShort(startMs)}–${clockShort(endMs)}`;
  const { timeZone } = screenClock();
  const sameYear = toZoneTime(startMs, timeZone).year === toZoneTime(endMs, timeZone).year;
  const startDay = sameYear ? dayMonthOf(startMs, timeZone) : clockDay(startMs);
  if (endMs - startMs > longWindowMs) return `${startDay}–${clockDay(endMs)}`;
  return `${startDay} ${clockShort(startMs)}–${clockDay(endMs)} ${clockShort(endMs)}`;
}

/** Above this, a window is shown by its days only. */
const longWindowMs = 48 * 3_600_000;

/** `+2 min 03 s` after the observation; the day of publication if that is a day or more. */
export function publicationDelay(observedMs: number, publishedMs: number): string {
  const delayMs = publishedMs - observedMs;
  return delayMs >= 24 * 3_600_000 ? clockDay(publishedMs) : `+${duration(delayMs)}`;
}

/** `48 s`, `3 min 51 s`, `2 h 05 min`, `3 d 4 h`. A negative span reads as `0 s`. */
export function duration(spanMs: number): string {
  const seconds = Math.max(0, Math.floor(spanMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${pad(minutes % 60)} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** `42.31 N 94.02 W`, to a hundredth of a degree, the step of the grid. */
export function coordinate(longitudeDeg: number, latitudeDeg: number): string {
  const latitude = `${Math.abs(latitudeDeg).toFixed(2)} ${latitudeDeg < 0 ? "S" : "N"}`;
  return `${latitude} ${Math.abs(longitudeDeg).toFixed(2)} ${longitudeDeg < 0 ? "W" : "E"}`;
}

/** `23 MB`, `1.4 GB`. */
export function byteSize(bytes: number): string {
  const megabytes = bytes / 1_048_576;
  return megabytes < 1000 ? `${Math.round(megabytes)} MB` : `${(megabytes / 1024).toFixed(1)} GB`;
}

export type HailUnits = "in" | "mm";

/** A class of the legend: `from <= value < to` in `unit`; open above if `to` is undefined. */
export interface ClassRange {
  readonly from: number;
  readonly to: number | undefined;
  readonly unit: string;
}

const mmPerInch = 25.4;

/** `0.72`: hundredths of an inch, so that every class of 1/32 inch has limits of its own. */
function decimalInches(lengthMm: number): string {
  // A limit halfway between two hundredths, such as 1/8 inch, rounds up whatever the last bit is.
  return (Math.round((lengthMm / mmPerInch) * 100 + 1e-6) / 100).toFixed(2);
}

function range(from: string, to: string | undefined, unit: string): string {
  return to === undefined ? `${from} ${unit} and above` : `${from}–${to} ${unit}`;
}

function plainNumber(value: number): string {
  return String(Number(value.toFixed(2)));
}

/** `["1.00–1.03 in", "25.4–26.2 mm"]`, the wanted unit first; one entry if there is one unit. */
export function classRange({ from, to, unit }: ClassRange, hailUnits: HailUnits): string[] {
  if (unit !== "mm") return [range(plainNumber(from), to === undefined ? undefined : plainNumber(to), unit)];
  const metric = range(from.toFixed(1), to?.toFixed(1), "mm");
  const inches = range(decimalInches(from), to === undefined ? undefined : decimalInches(to), "in");
  return hailUnits === "in" ? [inches, metric] : [metric, inches];
}

/** `1.00 to 1.03 inches`: a range as a screen reader should say it. */
export function spokenRange(text: string): string {
  return text.replace("–", " to ").replace(/ in\b/, " inches").replace(/ mm\b/, " millimeters");
}

/** Everyday sizes that the National Weather Service uses, by their lower limit in inches. */
const hailNames: readonly (readonly [inches: number, name: string])[] = [
  [0.25, "pea size"],
  [0.5, "marble size"],
  [0.75, "penny size"],
  [0.875, "nickel size"],
  [1, "quarter size"],
  [1.25, "half-dollar size"],
  [1.5, "ping-pong ball size"],
  [1.75, "golf ball size"],
  [2, "hen egg size"],
  [2.5, "tennis ball size"],
  [2.75, "baseball size"],
  [3, "tea cup size"],
  [4, "grapefruit size"],
  [4.5, "softball size"],
];

/** Returns the everyday size of a lower edge in millimeters. */
export function hailName(lengthMm: number): string {
  const inches = lengthMm / mmPerInch + 1e-9;
  return hailNames.findLast(([from]) => from <= inches)?.[1] ?? "smaller than a pea";
}
