// Where an event's pictures come from, and the words that say so. The contract has no field for it, so a synthetic or
// replayed event carries it at the end of its label, and every manifest in its disclosure.
import type { StormEvent } from "../contract/storm-event.ts";

/** Of the pictures themselves; whether they are shown again, as a replay, is another question. */
export const eventOrigins = ["observed", "synthetic"] as const;
export type EventOrigin = (typeof eventOrigins)[number];

/** What a person reads about an event: live feed, benchmark, synthetic, or a replay of either. */
export type EventNature = "live" | "benchmark" | "synthetic" | "replay" | "synthetic-replay";

const originMarks: Readonly<Record<EventOrigin, string>> = { observed: "", synthetic: " (synthetic)" };
const replayMark = " (replay)";

/** The label with the mark of its origin among those at the end, exactly once. */
export function markLabel(label: string, origin: EventOrigin): string {
  return withMark(label, originMarks[origin]);
}

/** The label of a replay of the event of this label: what it says of its origin stays, and that it is a replay is said once. */
export function markReplay(label: string): string {
  return withMark(label, replayMark);
}

function withMark(label: string, mark: string): string {
  return splitLabel(label).marks.includes(mark) ? label : label + mark;
}

/** The label without its marks, and the marks, each with the space before it; together they are the label. */
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

/** What a replay says of a revision that said `disclosure`: that it is a replay, once, and then all that was said before. */
export function replayDisclosureOf(disclosure: string): string {
  return disclosure.startsWith(replayDisclosure) ? disclosure : `${replayDisclosure} ${disclosure}`;
}

export function attributionOf(origin: EventOrigin): string {
  return origin === "synthetic" ? "Echotop demonstration generator (not NOAA data)" : attribution;
}
