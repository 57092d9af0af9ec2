// Where an event's pictures come from, and the words that say so. The contract has no field for it, so a synthetic or
// replayed event carries it at the end of its label, and every manifest in its disclosure.
import type { StormEvent } from "../contract/storm-event.ts";

export const eventOrigins = ["observed", "synthetic", "replay"] as const;
export type EventOrigin = (typeof eventOrigins)[number];

/** What a person reads about an event: live feed, benchmark, synthetic or replay. */
export type EventNature = "live" | "benchmark" | "synthetic" | "replay";

const labelMarks: Readonly<Record<EventOrigin, string>> = {
  observed: "",
  synthetic: " (synthetic)",
  replay: " (replay)",
};

/** The label with the mark of its origin at the end, exactly once. */
export function markLabel(label: string, origin: EventOrigin): string {
  const mark = labelMarks[origin];
  return label.endsWith(mark) ? label : label + mark;
}

export function natureOf(event: Pick<StormEvent, "kind" | "label">): EventNature {
  if (event.label.endsWith(labelMarks.synthetic)) return "synthetic";
  if (event.label.endsWith(labelMarks.replay)) return "replay";
  return event.kind === "operational-feed" ? "live" : "benchmark";
}

export const attribution = "NOAA/NSSL MRMS (Multi-Radar Multi-Sensor)";

const disclosures: Readonly<Record<EventOrigin, string>> = {
  observed:
    "Radar estimates from NOAA/NSSL MRMS, decoded and drawn by Echotop. For situational awareness; not a warning source. See official National Weather Service warnings.",
  synthetic:
    "SYNTHETIC: made by Echotop's own generator for demonstration. These storms never happened. Not a warning source.",
  replay:
    "REPLAY of a past event, republished in the order in which it was first published. Not live and not a warning source.",
};

export function disclosureOf(origin: EventOrigin): string {
  return disclosures[origin];
}

export function attributionOf(origin: EventOrigin): string {
  return origin === "synthetic" ? "Echotop demonstration generator (not NOAA data)" : attribution;
}
