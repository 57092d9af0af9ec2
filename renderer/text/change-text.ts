// Words for what changed between two revisions: pairs, ranges of differences, counts. A difference of classes is a
// range too, as exact as the classes allow.
import type { ClassRange } from "../../shared/analysis/cell-frame.ts";
import type { BiggestRise } from "../../shared/analysis/difference.ts";
import { classRange, clockTime, type HailUnits } from "./format.ts";
import type { ProbeAnswer } from "../map/scene.ts";
import type { ChangePair, LayerPair } from "../state/change/change-pair.ts";
import { publicationsOf, type Revision } from "../state/timeline/revisions.ts";
import { layerShortNames } from "./state-text.ts";

/** `revision 23 against 15` */
export function pairWords({ before, after }: Pick<ChangePair, "before" | "after">): string {
  return `revision ${after.sequence} against ${before.sequence}`;
}

/** `What changed, reflectivity, revision 23 against 15` */
export function comparisonName(pair: ChangePair | undefined): string {
  if (!pair) return "What changed";
  return `What changed, ${layerShortNames[pair.shown.id].toLowerCase()}, ${pairWords(pair)}`;
}

/** Says which times are compared: two revisions of one window differ in their data only. */
export function timesWords({ before, after, isOneWindow, shown }: ChangePair): string {
  const clock = (instant: string | undefined, { observedMs }: Revision): string =>
    clockTime(instant === undefined ? observedMs : Date.parse(instant));
  const earlier = clock(shown.before?.observedAt, before);
  const later = clock(shown.after?.observedAt, after);
  if (!isOneWindow) return `Two times: ${earlier} before, ${later} after. The weather changed too.`;
  const times = earlier === later ? later : `${earlier} and ${later}, one window`;
  return `A change in the data, not in the weather: both show ${times}.`;
}

/** Why there are no numbers; undefined if there are, or will be. */
export function noChangeWords({ shown, before, after }: ChangePair): string | undefined {
  const name = layerShortNames[shown.id];
  const words: Readonly<Record<LayerPair["kind"], string | undefined>> = {
    added: `${name} was not received in revision ${before.sequence}: nothing to compare`,
    missing: `${name} was not received in revision ${after.sequence}: nothing to compare`,
    unchanged: `${name} is the same in both: no cell changed`,
    changed: undefined,
  };
  return words[shown.kind];
}

/** `Revision 30 corrects this window too` */
export function laterVersionWords(revisions: readonly Revision[], later: Revision): string {
  const kind = publicationsOf(revisions)[revisions.indexOf(later)]?.kind;
  return `Revision ${later.sequence} ${kind === "completion" ? "completes" : "corrects"} this window too`;
}

/** The thresholds that hide small changes, smallest first; the first hides none. */
export function thresholdLabels(unit: string, hailUnits: HailUnits): readonly string[] {
  if (unit !== "mm") return ["½", "2½", "5"];
  return hailUnits === "in" ? ["1/32", "⅛", "¼"] : ["0.8", "3.2", "6.4"];
}

/** A step of the legend of a difference; 0 is the smallest. */
export interface ChangeStep {
  readonly step: 0 | 1 | 2;
  /** The label that fits the color. */
  readonly label: string;
  /** With its unit. */
  readonly name: string;
}

export function toChangeLegend(unit: string, hailUnits: HailUnits): readonly ChangeStep[] {
  const [small, large] = unit !== "mm" ? ["5", "10"] : hailUnits === "in" ? ["¼", "½"] : ["6.4", "12.7"];
  const wanted = unitWords(unit, hailUnits);
  return [
    { step: 0, label: `<${small}`, name: `less than ${small} ${wanted}` },
    { step: 1, label: `${small}–${large}`, name: `${small} to ${large} ${wanted}` },
    { step: 2, label: `${large}+`, name: `${large} ${wanted} or more` },
  ];
}

export function unitWords(unit: string, hailUnits: HailUnits): string {
  return unit === "mm" ? hailUnits : unit;
}

/** `10.5–11 → 28–28.5 dBZ`; from `nothing` for a cell without a class before. */
export function riseWords({ from, to }: BiggestRise, unit: string, hailUnits: HailUnits): string {
  const after = rangeWords(to, unit, hailUnits);
  if (!from) return `nothing → ${after}`;
  const before = rangeWords(from, unit, hailUnits);
  return `${before.slice(0, before.lastIndexOf(" "))} → ${after}`;
}

function rangeWords({ lower, upper }: ClassRange, unit: string, hailUnits: HailUnits): string {
  return classRange({ from: lower, to: upper, unit }, hailUnits)[0]!;
}

/** A reading of the difference: its words, and its color among the changes. */
export interface ChangeReading {
  readonly kind: "up" | "down" | "appeared" | "vanished" | "none" | "uncompared";
  readonly words: string;
}

/** Returns undefined unless both readings tell a class or that there is none. */
export function toChangeReading(
  before: ProbeAnswer,
  after: ProbeAnswer,
  hailUnits: HailUnits,
): ChangeReading | undefined {
  if (before.kind === "class" && after.kind === "class") return toMoved(before, after, hailUnits);
  if (before.kind === "below-first" && after.kind === "class") return { kind: "appeared", words: "appeared" };
  if (before.kind === "class" && after.kind === "below-first") return { kind: "vanished", words: "vanished" };
  if (before.kind === "below-first" && after.kind === "below-first") return undefined;
  const isCovered = ({ kind }: ProbeAnswer): boolean => kind === "class" || kind === "below-first";
  const isUncovered = ({ kind }: ProbeAnswer): boolean => kind === "outside-coverage";
  if ((isCovered(before) && isUncovered(after)) || (isUncovered(before) && isCovered(after))) {
    return { kind: "uncompared", words: "coverage changed" };
  }
  return undefined;
}

type ClassAnswer = Extract<ProbeAnswer, { kind: "class" }>;

/** `up by 17–18 dBZ`: the least and the most that the two classes allow. */
function toMoved(before: ClassAnswer, after: ClassAnswer, hailUnits: HailUnits): ChangeReading {
  if (before.from === after.from) return { kind: "none", words: "same class" };
  const kind = after.from > before.from ? "up" : "down";
  const [low, high] = kind === "up" ? [before, after] : [after, before];
  const from = low.to === undefined ? 0 : Math.max(0, high.from - low.to);
  const to = high.to === undefined ? undefined : high.to - low.from;
  const [words] = classRange({ from, to, unit: after.unit }, hailUnits);
  return { kind, words: `${kind} by ${words!.replace(" and above", " or more")}` };
}
