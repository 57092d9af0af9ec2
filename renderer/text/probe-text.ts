// What a reading of the map says in words: a class range with its unit and everyday size, or one of the kinds of nothing,
// which must never be taken for one another. Never a digit more than the class has.
import type { MrmsLayer } from "../../shared/contract/index.ts";
import { classRange, hailName, inchFraction, spokenRange, type HailUnits } from "./format.ts";
import type { ProbeReading } from "../map/scene.ts";

/** `value`, and the looks of the four nothings and of what is still to come. */
export type ProbeTone =
  "value" | "no-echo" | "no-coverage" | "not-delivered" | "failed" | "unknown" | "loading";

export interface ProbeLine {
  readonly tone: ProbeTone;
  /** The most important words, numbers first. */
  readonly primary: string;
  /** The same in the other unit, or empty. */
  readonly other: string;
  /** What else must be known of it, each a few words. */
  readonly details: readonly string[];
  /** The map's own colour of the class, `#rrggbb`. */
  readonly color: string | undefined;
}

type ReadLayer = Pick<MrmsLayer, "id">;

export function toProbeLine(reading: ProbeReading, hailUnits: HailUnits): ProbeLine {
  const line = (tone: ProbeTone, primary: string, ...details: string[]): ProbeLine => ({
    tone,
    primary,
    other: "",
    details,
    color: undefined,
  });
  switch (reading.kind) {
    case "class":
      return { ...classLine(reading, hailUnits), color: reading.color };
    case "below-first":
      return line("no-echo", belowFirst(reading, hailUnits));
    case "outside-coverage":
      return line("no-coverage", "outside radar coverage");
    case "unexplained":
      return line("unknown", "nothing drawn here", "the frame does not say why");
    case "no-classes":
      return line("unknown", "a picture without values", "only its colour can be read");
    case "not-delivered":
      return line("not-delivered", "not delivered", "this revision has no such layer");
    case "failed":
      return line("failed", "failed to load", reading.message);
    case "loading":
      return line("loading", "loading…");
  }
}

function classLine(
  reading: Extract<ProbeReading, { kind: "class" }>,
  hailUnits: HailUnits,
): Omit<ProbeLine, "color"> {
  const [primary, ...others] = classRange(reading, hailUnits);
  const everyday = isHail(reading) ? [hailName(reading.from)] : [];
  return { tone: "value", primary: primary!, other: others.join(", "), details: [...everyday, "estimate"] };
}

function belowFirst(
  { id, firstEdge, unit }: Extract<ProbeReading, { kind: "below-first" }>,
  hailUnits: HailUnits,
): string {
  if (!isHail({ id })) return `below ${firstEdge} ${unit} or no echo`;
  const inches = inchFraction(firstEdge);
  const edge =
    hailUnits === "in" && inches !== undefined ? `${inches} in` : `${firstEdge.toFixed(1)} ${unit}`;
  return `below ${edge} or none estimated`;
}

function isHail({ id }: ReadLayer): boolean {
  return id === "mrms-mesh";
}

/** One sentence a layer, for a screen reader. */
export function spokenProbe(label: string, line: ProbeLine): string {
  const words = [spokenRange(line.primary), spokenRange(line.other), ...line.details];
  return `${label}: ${words.filter((part) => part !== "").join(", ")}.`;
}
