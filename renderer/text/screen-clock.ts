// The clock of the screen: the zone that stands first and whether a day has twice 12 hours. One for the whole page, as
// the person set it; until then UTC with 24 hours. Files that leave the viewer keep UTC in their own facts.

export interface Clock {
  /** IANA name of the zone that stands first. */
  readonly timeZone: string;
  /** The zone of the clock beside it. */
  readonly otherZone: string;
  readonly hours: 12 | 24;
}

const utcOnly: Clock = { timeZone: "UTC", otherZone: "UTC", hours: 24 };
let current: Clock = utcOnly;

/** Sets the clock for all words that are made from now on. */
export function setScreenClock(clock: Clock = utcOnly): void {
  current = clock;
}

export function screenClock(): Clock {
  return current;
}

/** An instant in a zone. */
export interface ZoneTime {
  readonly year: number;
  /** 0 to 11. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** `UTC`, `CDT` */
  readonly zoneName: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

export function toZoneTime(instantMs: number, timeZone: string): ZoneTime {
  if (timeZone === "UTC") return toUtcTime(instantMs);
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      ...{ year: "numeric", month: "numeric", day: "numeric" },
      ...{ hour: "numeric", minute: "numeric", second: "numeric" },
      timeZoneName: "short",
    });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(instantMs).map(({ type, value }) => [type, value]));
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
  return {
    ...{ year: number("year"), month: number("month") - 1, day: number("day") },
    ...{ hour: number("hour"), minute: number("minute"), second: number("second") },
    zoneName: parts.get("timeZoneName")!,
  };
}

function toUtcTime(instantMs: number): ZoneTime {
  const date = new Date(instantMs);
  return {
    ...{ year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() },
    ...{ hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() },
    zoneName: "UTC",
  };
}
