// The axis that the rows of all panes share: by UTC windows, by sequence, or by windows since each pane's onset. Pure
// numbers; a unit is one window or one sequence.
import { windowMs } from "../../../shared/revisions/observation-window.ts";
import type { Lock } from "../../state/panes/lock.ts";
import { inPlayOrder } from "../../state/timeline/play-order.ts";
import type { Revision } from "../../state/timeline/revisions.ts";
import { clockMinute } from "../../text/format.ts";

export interface RowFacts {
  /** The revisions that the pane knows. */
  readonly revisions: readonly Revision[];
  /** Window of its onset; undefined until it is found. */
  readonly onset: number | undefined;
  readonly isActive: boolean;
}

export interface AxisMark {
  readonly revision: Revision;
  readonly at: number;
}

export interface AxisRow {
  readonly marks: readonly AxisMark[];
  /** First and last unit in view; the same in all rows that share the axis. */
  readonly first: number;
  readonly last: number;
  /** True if the row stands on the common axis. */
  readonly isShared: boolean;
}

export interface AxisTick {
  readonly at: number;
  readonly label: string;
}

export interface PaneAxis {
  readonly rows: readonly AxisRow[];
  readonly first: number;
  readonly last: number;
}

/** A common axis this many times as long as the active row would leave that row too small to read. */
const longestShare = 6;

/** Without a lock each row has its own axis. The rows of storms on other days keep their own, too. */
export function toPaneAxis(lock: Lock, facts: readonly RowFacts[]): PaneAxis {
  const marks = facts.map((row) => toMarks(lock, row));
  const spans = marks.map(toSpan);
  const lead = spans[
    Math.max(
      0,
      facts.findIndex(({ isActive }) => isActive),
    )
  ] ?? { first: 0, last: 0 };
  const longest = (lead.last - lead.first + 1) * longestShare;
  let { first, last } = lead;
  for (const [index, span] of spans.entries()) {
    if (!isComparable(lock, facts[index]!)) continue;
    const joined = { first: Math.min(first, span.first), last: Math.max(last, span.last) };
    if (joined.last - joined.first + 1 <= Math.max(longest, 60)) ({ first, last } = joined);
  }
  const rows = marks.map((own, index): AxisRow => {
    const span = spans[index]!;
    const isShared = isComparable(lock, facts[index]!) && span.first <= last && span.last >= first;
    return { marks: own, isShared, ...(isShared ? { first, last } : span) };
  });
  return { rows, first, last };
}

function isComparable(lock: Lock, { revisions, onset }: RowFacts): boolean {
  return lock !== "off" && revisions.length > 0 && (lock !== "onset" || onset !== undefined);
}

function toMarks(lock: Lock, { revisions, onset }: RowFacts): AxisMark[] {
  if (lock === "sequence") return revisions.map((revision) => ({ revision, at: revision.sequence }));
  const zero = lock === "onset" ? (onset ?? 0) : 0;
  return inPlayOrder(revisions, "observed").map((revision) => ({
    revision,
    at: revision.window - zero,
  }));
}

function toSpan(marks: readonly AxisMark[]): { readonly first: number; readonly last: number } {
  return { first: marks[0]?.at ?? 0, last: marks.at(-1)?.at ?? 0 };
}

/** Returns the middle of a unit in CSS pixels. */
export function middlePx(
  { first, last }: Pick<AxisRow, "first" | "last">,
  at: number,
  widthPx: number,
): number {
  return ((at - first + 0.5) / (last - first + 1)) * widthPx;
}

/** Returns the width of a block, with room between two where there is any. */
export function blockWidthPx({ first, last }: Pick<AxisRow, "first" | "last">, widthPx: number): number {
  const pitchPx = widthPx / (last - first + 1);
  return Math.max(1, Math.min(16, Math.floor(pitchPx - (pitchPx > 6 ? 3 : pitchPx > 3 ? 1 : 0))));
}

/** Returns the mark nearest to a place in CSS pixels. */
export function markAt(row: AxisRow, xPx: number, widthPx: number): AxisMark | undefined {
  let best: AxisMark | undefined;
  let bestPx = Infinity;
  for (const mark of row.marks) {
    const distancePx = Math.abs(middlePx(row, mark.at, widthPx) - xPx);
    if (distancePx >= bestPx) continue;
    best = mark;
    bestPx = distancePx;
  }
  return best;
}

/** Steps between labels: windows of two minutes, or sequences. */
const windowSteps = [1, 5, 10, 15, 30, 60, 180, 360, 720];
const sequenceSteps = [1, 2, 5, 10, 20, 50, 100, 200];

/** Returns labels at even steps, at least `labelPx` apart. */
export function toTicks(lock: Lock, axis: PaneAxis, widthPx: number, labelPx: number): AxisTick[] {
  if (lock === "off" || widthPx <= 0) return [];
  const { first, last } = axis;
  const steps = lock === "sequence" ? sequenceSteps : windowSteps;
  const least = (labelPx * (last - first + 1)) / widthPx;
  const step = steps.find((candidate) => candidate >= least) ?? Math.ceil(least / 720) * 720;
  const ticks: AxisTick[] = [];
  for (let at = Math.ceil(first / step) * step; at <= last; at += step)
    ticks.push({ at, label: toLabel(lock, at) });
  return ticks;
}

function toLabel(lock: Lock, at: number): string {
  if (lock === "sequence") return String(at);
  if (lock === "observed") return clockMinute(at * windowMs);
  const minutes = (at * windowMs) / 60_000;
  return minutes === 0 ? "onset" : minutes > 0 ? `+${minutes}` : `−${-minutes}`;
}
