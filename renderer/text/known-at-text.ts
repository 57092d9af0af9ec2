// Words of "As known at", on map and timeline and spoken, and the times that a person types for it.
import { clockDay, clockTime, counted, duration, timeWithZone } from "./format.ts";

export interface KnownAtFacts {
  readonly sequence: number;
  /** Highest sequence of the event. */
  readonly latest: number;
  /** Number of later revisions. */
  readonly hidden: number;
  /** Publication time in milliseconds; undefined if it is not known. */
  readonly publishedMs: number | undefined;
  /** Observation time of the picture: a publication on another day is shown with its day. */
  readonly observedMs: number | undefined;
}

export interface KnownAtWords {
  /** `21:46:10 UTC`; `sequence 23` if the time is not known. */
  readonly at: string;
  /** The same without the year. */
  readonly atShort: string;
  /** `sequence 23 of 32`; empty if `at` has it. */
  readonly place: string;
  /** `9 later revisions hidden` */
  readonly hidden: string;
  /** `9 hidden` */
  readonly hiddenShort: string;
  readonly spoken: string;
  /** Age of the picture at that time, unless that is not known or is a day or more. */
  readonly age: { readonly name: string; readonly value: string } | undefined;
}

export function knownAtWords(facts: KnownAtFacts): KnownAtWords {
  const { sequence, latest, hidden, publishedMs } = facts;
  const number = `sequence ${sequence} of ${latest}`;
  const hiddenWords = laterHidden(hidden);
  const at = publishedMs === undefined ? number : publicationMoment(publishedMs, facts.observedMs);
  const place = publishedMs === undefined ? "" : number;
  return {
    at,
    atShort: withoutYear(at),
    place,
    hidden: hiddenWords,
    hiddenShort: `${hidden} hidden`,
    spoken: [at, place, hiddenWords].filter((part) => part !== "").join(", "),
    age: ageThen(facts),
  };
}

/** `9 later revisions hidden` */
export function laterHidden(count: number): string {
  return `${counted(count, "later revision", "later revisions")} hidden`;
}

/** `23 Nov 17:00:50 UTC` of `23 Nov 2026 17:00:50 UTC` */
export function withoutYear(moment: string): string {
  return moment.replace(/ \d{4} /, " ");
}

/** `21:46:10 UTC`; with the day if that is not the day of the observation. */
export function publicationMoment(publishedMs: number, observedMs: number | undefined): string {
  const clock = timeWithZone(publishedMs);
  const isSameDay = observedMs === undefined || clockDay(observedMs) === clockDay(publishedMs);
  return isSameDay ? clock : `${clockDay(publishedMs)} ${clock}`;
}

function ageThen({ publishedMs, observedMs }: KnownAtFacts): KnownAtWords["age"] {
  if (publishedMs === undefined || observedMs === undefined || publishedMs - observedMs >= dayMs)
    return undefined;
  return { name: `Age at ${clockTime(publishedMs)}`, value: duration(publishedMs - observedMs) };
}

const clockPattern = /^(\d{2}):?(\d{2})(?::(\d{2}))?(?: ?(?:Z|UTC))?$/i;
const dayMs = 86_400_000;

/**
 * Parses a typed UTC time: `21:46`, `21:46:10`, `2146Z`, or an ISO instant, in which a missing zone is UTC. A time
 * without a day is the last such time up to `newestMs`. Returns milliseconds since the Unix epoch, or undefined.
 */
export function parseTypedTime(typed: string, newestMs: number): number | undefined {
  const text = typed.trim();
  const clock = clockPattern.exec(text);
  if (!clock) {
    const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/i.exec(text);
    if (!iso) return undefined;
    const instantMs = Date.parse(iso[3] === undefined ? `${text}Z` : text);
    return Number.isNaN(instantMs) ? undefined : instantMs;
  }
  const [hours, minutes, seconds] = [Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const sinceMidnightMs = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  const midnightMs = Math.floor(newestMs / dayMs) * dayMs;
  const sameDayMs = midnightMs + sinceMidnightMs;
  return sameDayMs <= newestMs ? sameDayMs : sameDayMs - dayMs;
}
