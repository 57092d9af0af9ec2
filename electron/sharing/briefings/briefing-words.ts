// Words about times, places, changes and results, the same in stills, pages and messages. All times are UTC.
import type { EventNature } from "../../../shared/revisions/event-origin.ts";
import type { PublicationKind } from "../../../shared/revisions/publication.ts";
import type { BriefingResult } from "./briefing.ts";

const months = "January February March April May June July August September October November December".split(
  " ",
);

/** Returns `20 May 2024`. */
export function toDay(instant: string): string {
  const date = new Date(instant);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]!} ${date.getUTCFullYear()}`;
}

/** Returns `22:02:38 UTC`. */
export function toTime(instant: string): string {
  return `${new Date(instant).toISOString().slice(11, 19)} UTC`;
}

/** Returns `20 May 2024, 22:02:38 UTC`. */
export function toMoment(instant: string): string {
  return `${toDay(instant)}, ${toTime(instant)}`;
}

/** Returns the time from observation to publication: `2 min 13 s`, `3 h 5 min`, `12 days`. */
export function toDelay(observedAt: string, publishedAt: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(publishedAt) - Date.parse(observedAt)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400).toLocaleString("en-US")} days`;
}

/** Returns `35.16° N`. */
export function toLatitude(degrees: number, digits = 2): string {
  return `${Math.abs(degrees).toFixed(digits)}° ${degrees < 0 ? "S" : "N"}`;
}

/** Returns `97.62° W`. */
export function toLongitude(degrees: number, digits = 2): string {
  return `${Math.abs(degrees).toFixed(digits)}° ${degrees < 0 ? "W" : "E"}`;
}

export interface ChangeWords {
  /** One or two words. */
  readonly short: string;
  readonly sentence: string;
}

export function describeChange(kind: PublicationKind, supersedes: number | undefined): ChangeWords {
  const before = supersedes === undefined ? "an earlier revision" : `revision ${supersedes}`;
  switch (kind) {
    case "new":
      return { short: "new", sentence: "The first revision of its time, newer than all before it." };
    case "correction":
      return { short: "correction", sentence: `A correction: it replaces a layer of ${before}.` };
    case "completion":
      return { short: "completion", sentence: `Adds the layer that ${before} lacked.` };
    case "backfill":
      return { short: "late arrival", sentence: "A late arrival: it fills in an older time." };
    case "unknown":
      return { short: "late arrival", sentence: "Published after revisions of newer times." };
  }
}

/** Marks drawn into every still of an event that is not live or recorded. */
export const natureMarks: Readonly<Record<EventNature, string | undefined>> = {
  live: undefined,
  benchmark: undefined,
  synthetic: "SYNTHETIC · THESE STORMS NEVER HAPPENED",
  replay: "REPLAY · NOT LIVE",
  "synthetic-replay": "REPLAY OF A SYNTHETIC EVENT",
};

type Counts = Pick<BriefingResult, "revisionPages" | "written" | "unchanged" | "removed">;

/** Returns `Published 12 revisions: 3 files written, 35 unchanged.` */
export function toPublishedWords({ revisionPages, written, unchanged, removed }: Counts): string {
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const pages = `Published ${count(revisionPages, "revision")}`;
  if (written === 0 && removed === 0) return `${pages}. Nothing changed in ${count(unchanged, "file")}.`;
  const changes = Object.entries({ written, removed, unchanged })
    .filter(([, files]) => files > 0)
    .map(([what, files], index) => `${index === 0 ? count(files, "file") : files} ${what}`);
  return `${pages}: ${changes.join(", ")}.`;
}
