// A reading of the map in words: a class range with unit and everyday size, or one of the four kinds of missing data,
// which must never look alike. Never a digit more than the class has.
import { kmPerMile } from "../../shared/geo/sphere.ts";
import { classRange, hailName, spokenRange, type HailUnits } from "./format.ts";
import type { ProbeReading } from "../map/scene.ts";

/** A value, one of the four kinds of missing data, an unknown reason, or a frame still loading. */
export type ProbeTone =
  | "value"
  | "no-echo"
  | "no-coverage"
  | "not-received"
  | "failed"
  | "unknown"
  | "loading";

export interface ProbeLine {
  readonly tone: ProbeTone;
  /** The most important words, numbers first. */
  readonly primary: string;
  /** The same in the other unit, or empty. */
  readonly other: string;
  /** Further facts, each a few words. */
  readonly details: readonly string[];
  /** True for a value: radar estimates it, and nobody measured it. */
  readonly isEstimate: boolean;
  /** The color of the class on the map, `#rrggbb`. */
  readonly color: string | undefined;
}

export function toProbeLine(reading: ProbeReading, hailUnits: HailUnits): ProbeLine {
  const line = (tone: ProbeTone, primary: string, ...details: string[]): ProbeLine => ({
    tone,
    primary,
    other: "",
    details,
    isEstimate: false,
    color: undefined,
  });
  const isHail = reading.id === "mrms-mesh";
  switch (reading.kind) {
    case "class": {
      const [primary, ...others] = classRange(reading, hailUnits);
      const details = isHail ? [hailName(reading.from)] : [];
      if (reading.hidden) details.push("hidden");
      if (reading.withinKm !== undefined) details.push(`highest within ${toMiles(reading.withinKm)} mi`);
      return {
        tone: "value",
        primary: primary!,
        other: others.join(", "),
        details,
        isEstimate: true,
        color: reading.color,
      };
    }
    case "below-first":
      return line("no-echo", isHail ? noHail(reading.firstEdge, hailUnits) : noEcho(reading));
    case "outside-coverage":
      return line("no-coverage", "Outside radar coverage");
    case "unexplained":
      return line("unknown", "Nothing drawn here", "the frame gives no reason");
    case "no-classes":
      return line("unknown", "Picture without values", "only its color can be read");
    case "not-delivered":
      return line("not-received", "Not received for this time");
    case "failed":
      return line("failed", "Failed to load", reading.message);
    case "loading":
      return line("loading", "Loading…");
  }
}

/** Rounds up, so that the words never claim a smaller area than was read. */
function toMiles(km: number): number {
  return Math.ceil(km / kmPerMile);
}

function noEcho({ firstEdge, unit }: { readonly firstEdge: number; readonly unit: string }): string {
  return `Below ${firstEdge} ${unit} or no echo`;
}

/** Rounds the edge up, so that the words never claim more than the class. */
function noHail(edgeMm: number, hailUnits: HailUnits): string {
  const [edge, decimals] = hailUnits === "in" ? [edgeMm / 25.4, 2] : [edgeMm, 1];
  const step = 10 ** decimals;
  const rounded = (Math.ceil(edge * step - 1e-6) / step).toFixed(decimals);
  return `No hail of ${rounded} ${hailUnits} or larger estimated`;
}

/** Returns one sentence per layer, for a screen reader. */
export function spokenProbe(label: string, line: ProbeLine): string {
  const words = [
    spokenRange(line.primary),
    spokenRange(line.other),
    ...line.details,
    line.isEstimate ? "estimate" : "",
  ];
  return `${label}: ${words.filter((part) => part !== "").join(", ")}.`;
}
