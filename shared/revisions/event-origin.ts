// The origin of an event's frames, and the words for it. The contract has no such field, so a synthetic or replayed
// event has a mark at the end of its label, and every manifest says it in its disclosure.
import type { StormEvent } from "../contract/storm-event.ts";

/** Origin of the frames; a replay keeps it. */
export const eventOrigins = ["observed", "synthetic"] as const;
export type EventOrigin = (typeof eventOrigins)[number];

/** Nature of an event for people: live feed, benchmark, synthetic, or a replay. */
export const eventNatures = ["live", "benchmark", "synthetic", "replay", "synthetic-replay"] as const;
export type EventNature = (typeof eventNatures)[number];

const originMarks: Readonly<Record<EventOrigin, string>> = { observed: "", synthetic: " (synthetic)" };
const replayMark = " (replay)";

/** Returns the label with the mark of its origin, exactly once. */
export function markLabel(label: string, origin: EventOrigin): string {
  return withMark(label, originMarks[origin]);
}

/** Returns the label of an event's replay: keeps its marks and adds that of a replay, once. */
export function markReplay(label: string): string {
  return withMark(label, replayMark);
}

function withMark(label: string, mark: string): string {
  return splitLabel(label).marks.includes(mark) ? label : label + mark;
}

/** Splits a label into its name and its marks, each with the space before it. */
export function splitLabel(label: string): { readonly name: string; readonly marks: string } {
  const marks = /(?: \((?:synthetic|replay)\))*$/.exec(label)?.[0] ?? "";
  return { name: label.slice(0, label.length - marks.length), marks };
}

export function natureOf(event: Pick<StormEvent, "kind" | "label">): EventNature {
  const { marks } = splitLabel(event.label);
  const isSynthetic = marks.includes(originMarks.synthetic);
  if (marks.includes(replayMark)) return isSynthetic ? "synthetic-replay" : "replay";
  if (isSynthetic) return "synthetic";
  return event.kind === "operational-feed" ? "live" : "benchmark";
}

/** Words on every picture of an event that is neither live nor recorded. */
export const natureNotes: Readonly<Partial<Record<EventNature, string>>> = {
  synthetic: "Synthetic: these storms never happened",
  replay: "Replay of a past event, not live",
  "synthetic-replay": "Replay of a synthetic event, not live: these storms never happened",
};

export const attribution = "NOAA/NSSL MRMS (Multi-Radar Multi-Sensor)";

const disclosures: Readonly<Record<EventOrigin, string>> = {
  observed:
    "Radar estimates from NOAA/NSSL MRMS, decoded and drawn by Echotop. For situational awareness; not a warning source. See official National Weather Service warnings.",
  synthetic:
    "SYNTHETIC: made by Echotop's own generator for demonstration. These storms never happened. Not a warning source.",
};

const replayDisclosure =
  "REPLAY of an event in the order in which it was first published. Not live and not a warning source.";

export function disclosureOf(origin: EventOrigin): string {
  return disclosures[origin];
}

/** Returns the disclosure of a replay: says once that it is one, then repeats the original. */
export function replayDisclosureOf(disclosure: string): string {
  return disclosure.startsWith(replayDisclosure) ? disclosure : `${replayDisclosure} ${disclosure}`;
}

export function attributionOf(origin: EventOrigin): string {
  return origin === "synthetic" ? "Echotop demonstration generator (not NOAA data)" : attribution;
}
