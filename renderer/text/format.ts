// Numbers, instants and sizes as people read them: UTC and local time, ages, inches and millimetres, class ranges. Pure;
// nothing here invents a digit that its input does not have.

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function pad(value: number): string {
  return String(value).padStart(2, "0");
}

/** `11:00:40` */
export function utcClock(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(11, 19);
}

/** `11:00` */
export function utcMinute(instantMs: number): string {
  return utcClock(instantMs).slice(0, 5);
}

/** `4 Jul 2022` */
export function utcDay(instantMs: number): string {
  return `${utcDayMonth(instantMs)} ${new Date(instantMs).getUTCFullYear()}`;
}

/** `2 Nov 2026 11:20 UTC`, of an ISO instant. */
export function instantWords(instant: string): string {
  const instantMs = Date.parse(instant);
  return `${utcDay(instantMs)} ${utcMinute(instantMs)} UTC`;
}

/** `1 page`, `12 pages` */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function utcDayMonth(instantMs: number): string {
  const date = new Date(instantMs);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]!}`;
}

function sameUtcDay(firstMs: number, secondMs: number): boolean {
  return utcDay(firstMs) === utcDay(secondMs);
}

/** `06:00 CDT`, with the local day before it where that is not the UTC day: `3 Jul 21:00 CDT`. */
export function localMinute(instantMs: number, timeZone: string): string {
  const parts = new Map(
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      day: "numeric",
      month: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      timeZoneName: "short",
    })
      .formatToParts(instantMs)
      .map(({ type, value }) => [type, value]),
  );
  const day = Number(parts.get("day"));
  const month = months[Number(parts.get("month")) - 1]!;
  const prefix = day === new Date(instantMs).getUTCDate() ? "" : `${day} ${month} `;
  return `${prefix}${parts.get("hour")!}:${parts.get("minute")!} ${parts.get("timeZoneName")!}`;
}

/** True where local time and UTC are the same now, so that saying both would say one thing twice. */
export function localIsUtc(instantMs: number, timeZone: string): boolean {
  return localMinute(instantMs, timeZone) === `${utcMinute(instantMs)} UTC`;
}

/**
 * `4 Jul 2022 10:00–11:58`, of one minute `4 Jul 2022 10:00`, over midnight `10 Jun 22:00–11 Jun 2019 01:00`, over days `10 Jun–14 Jun 2019`; UTC throughout,
 * said by what stands around it.
 */
export function utcWindow(startMs: number | undefined, endMs: number | undefined): string {
  if (startMs === undefined && endMs === undefined) return "";
  if (startMs === undefined) return `to ${utcDay(endMs!)} ${utcMinute(endMs!)}`;
  if (endMs === undefined) return `from ${utcDay(startMs)} ${utcMinute(startMs)}`;
  if (utcMinute(startMs) === utcMinute(endMs) && sameUtcDay(startMs, endMs))
    return `${utcDay(startMs)} ${utcMinute(startMs)}`;
  if (sameUtcDay(startMs, endMs)) return `${utcDay(startMs)} ${utcMinute(startMs)}–${utcMinute(endMs)}`;
  const sameYear = new Date(startMs).getUTCFullYear() === new Date(endMs).getUTCFullYear();
  const startDay = sameYear ? utcDayMonth(startMs) : utcDay(startMs);
  if (endMs - startMs > longWindowMs) return `${startDay}–${utcDay(endMs)}`;
  return `${startDay} ${utcMinute(startMs)}–${utcDay(endMs)} ${utcMinute(endMs)}`;
}

/** Of a longer window the days say enough. */
const longWindowMs = 48 * 3_600_000;

/** How long after the observation something was published: `+2 min 03 s`, and the day where that is a day or more. */
export function publicationDelay(observedMs: number, publishedMs: number): string {
  const delayMs = publishedMs - observedMs;
  return delayMs >= 24 * 3_600_000 ? utcDay(publishedMs) : `+${duration(delayMs)}`;
}

/** `48 s`, `3 min 51 s`, `2 h 05 min`, `3 d 4 h`. Never negative: a clock that runs ahead reads as no time. */
export function duration(spanMs: number): string {
  const seconds = Math.max(0, Math.floor(spanMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${pad(minutes % 60)} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** `42.31 N 94.02 W`: a hundredth of a degree, the grid's own step. */
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

/** A class of the legend: `from <= value < to`, open above when `to` is undefined, in `unit`. */
export interface ClassRange {
  readonly from: number;
  readonly to: number | undefined;
  readonly unit: string;
}

const mmPerInch = 25.4;

/** `1 1/32`, or undefined for a length that is not a whole number of 1/32 inch and has no honest fraction. */
export function inchFraction(millimetres: number): string | undefined {
  const exact = (millimetres / mmPerInch) * 32;
  const thirtySeconds = Math.round(exact);
  if (Math.abs(exact - thirtySeconds) > 1e-6) return undefined;
  const whole = Math.floor(thirtySeconds / 32);
  let numerator = thirtySeconds % 32;
  let denominator = 32;
  while (numerator > 0 && numerator % 2 === 0) {
    numerator /= 2;
    denominator /= 2;
  }
  if (numerator === 0) return String(whole);
  return whole === 0 ? `${numerator}/${denominator}` : `${whole} ${numerator}/${denominator}`;
}

function range(from: string, to: string | undefined, unit: string): string {
  return to === undefined ? `${from} ${unit} and above` : `${from}–${to} ${unit}`;
}

/** One decimal where a class edge has more: an edge is a line between classes, and a tenth of a millimetre tells them apart. */
function millimetreText(millimetres: number): string {
  return millimetres.toFixed(1);
}

function plainNumber(value: number): string {
  return String(Number(value.toFixed(2)));
}

function inchRange({ from, to }: ClassRange): string | undefined {
  const low = inchFraction(from);
  const high = to === undefined ? undefined : inchFraction(to);
  if (low === undefined || (to !== undefined && high === undefined)) return undefined;
  return range(low, high, "in");
}

/**
 * The class in words, most wanted unit first: `["1–1 1/32 in", "25.4–26.2 mm"]`, or one entry where there is one unit.
 */
export function classRange(entry: ClassRange, hailUnits: HailUnits): string[] {
  const { from, to, unit } = entry;
  if (unit !== "mm") return [range(plainNumber(from), to === undefined ? undefined : plainNumber(to), unit)];
  const metric = range(millimetreText(from), to === undefined ? undefined : millimetreText(to), "mm");
  const inches = inchRange(entry);
  if (inches === undefined) return [metric];
  return hailUnits === "in" ? [inches, metric] : [metric, inches];
}

/** A range as a screen reader should say it: `1 to 1 1/32 inches`. */
export function spokenRange(text: string): string {
  return text.replace("–", " to ").replace(/ in\b/, " inches").replace(/ mm\b/, " millimetres");
}

/** Lower limits in inches of the everyday sizes that the National Weather Service names. */
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

/** The everyday size that a class reaches: that of its lower edge, `millimetres`. */
export function hailName(millimetres: number): string {
  const inches = millimetres / mmPerInch + 1e-9;
  return hailNames.findLast(([from]) => from <= inches)?.[1] ?? "smaller than a pea";
}
