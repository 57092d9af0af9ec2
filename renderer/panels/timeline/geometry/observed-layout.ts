// The layout in order of observation: one column per observation window on an axis of time, gaps where nothing was
// published; below it the publications, each at its own time. Pure numbers in CSS pixels.
import { windowMs } from "../../../../shared/revisions/observation-window.ts";
import type { Revision } from "../../../state/timeline/revisions.ts";
import type { PublicationAxis } from "./publication-axis.ts";
import { isWithin, type Part } from "./timeline-part.ts";

export interface Column {
  /** Number of the observation window. */
  readonly window: number;
  /** Left edge of its block. */
  readonly xPx: number;
  /** Indices of its revisions among all held, ascending. */
  readonly indices: readonly number[];
}

export interface ObservedGeometry {
  readonly part: Part;
  readonly pitchPx: number;
  readonly blockPx: number;
  /** Ascending by window. */
  readonly columns: readonly Column[];
  /** Windows of the part for which nothing was published. */
  readonly gaps: readonly { readonly window: number; readonly xPx: number }[];
  readonly axis: PublicationAxis;
  /** Publications by their own times, or by sequence if those are unknown or lie outside the observed span. */
  readonly spacing: "time" | "sequence";
}

/** Least span of the axis, and how much longer than the observations it grows for publications. */
const hourMs = 3_600_000;
const widestPitchPx = 32;

export interface ObservedInput {
  readonly revisions: readonly Revision[];
  /** Publication times in milliseconds, as far as they are known; in the order of `revisions`. */
  readonly publishedMs: readonly (number | undefined)[];
  readonly part: Part;
  readonly widthPx: number;
}

export function layOutObserved({ revisions, publishedMs, part, widthPx }: ObservedInput): ObservedGeometry {
  const byWindow = new Map<number, number[]>();
  revisions.forEach(({ window }, index) => {
    if (!isWithin(part, window)) return;
    const indices = byWindow.get(window);
    if (indices) indices.push(index);
    else byWindow.set(window, [index]);
  });
  const startMs = part.first * windowMs;
  const endMs = part.last * windowMs;
  const indices = [...byWindow.values()].flat().sort((first, second) => first - second);
  const spacing = liesInSpan(indices, { publishedMs, startMs, endMs }) ? "time" : "sequence";
  const lastMs = Math.max(endMs, ...indices.map((index) => (spacing === "time" ? publishedMs[index]! : 0)));
  const shownMs = Math.max(hourMs, Math.min(lastMs, endMs + hourMs) + windowMs - startMs);
  const pitchPx = Math.min(widestPitchPx, (widthPx * windowMs) / (shownMs + windowMs / 2));
  const blockPx = Math.max(Math.min(pitchPx, 0.6), pitchPx - spaceBetween(pitchPx));
  const toPx = (instantMs: number): number => blockPx / 2 + ((instantMs - startMs) / windowMs) * pitchPx;
  const leftOf = (window: number): number => toLeft((window - part.first) * pitchPx, pitchPx);
  const columns = [...byWindow]
    .sort(([first], [second]) => first - second)
    .map(([window, own]) => ({ window, xPx: leftOf(window), indices: own }));
  const gaps = [];
  for (let window = part.first; window <= part.last; window += 1)
    if (!byWindow.has(window)) gaps.push({ window, xPx: leftOf(window) });
  const isNewestEnd = indices.at(-1) === revisions.length - 1;
  const axis =
    spacing === "time"
      ? toTimeAxis({ indices, publishedMs, toPx, widthPx, isNewestEnd })
      : toSequenceAxis({ indices, widthPx, isNewestEnd });
  return { part, pitchPx, blockPx, columns, gaps, axis, spacing };
}

/** Whole pixels keep blocks equal where there is room for it. */
function toLeft(xPx: number, pitchPx: number): number {
  return pitchPx >= 4 ? Math.round(xPx) : xPx;
}

function spaceBetween(pitchPx: number): number {
  if (pitchPx >= 20) return 6;
  if (pitchPx >= 12) return 4;
  if (pitchPx >= 6) return 2;
  return pitchPx >= 3 ? 1 : 0.2;
}

/** True if each window was published within an hour of the observations, and all times are known. */
function liesInSpan(
  indices: readonly number[],
  {
    publishedMs,
    startMs,
    endMs,
  }: { readonly publishedMs: ObservedInput["publishedMs"]; readonly startMs: number; readonly endMs: number },
): boolean {
  const times = indices.map((index) => publishedMs[index]);
  const inSpan = times.filter((ms) => ms !== undefined && ms >= startMs && ms <= endMs + hourMs);
  return !times.includes(undefined) && inSpan.length * 2 > times.length;
}

interface AxisInput {
  readonly indices: readonly number[];
  readonly widthPx: number;
  readonly isNewestEnd: boolean;
}

interface TimeAxisInput extends AxisInput {
  readonly publishedMs: ObservedInput["publishedMs"];
  readonly toPx: (instantMs: number) => number;
}

function toTimeAxis({ indices, publishedMs, toPx, widthPx, isNewestEnd }: TimeAxisInput): PublicationAxis {
  const ticks = indices.map((index) => ({ index, xPx: Math.min(toPx(publishedMs[index]!), widthPx) }));
  const nowPx = Math.min(toPx(publishedMs[indices.at(-1)!]! + windowMs), widthPx);
  return { ticks, nowPx: isNewestEnd ? nowPx : undefined, widthPx };
}

function toSequenceAxis({ indices, widthPx, isNewestEnd }: AxisInput): PublicationAxis {
  const pitchPx = Math.min(widestPitchPx, widthPx / (indices.length + 1));
  const ticks = indices.map((index, place) => ({ index, xPx: (place + 0.5) * pitchPx }));
  return { ticks, nowPx: isNewestEnd ? (indices.length + 0.5) * pitchPx : undefined, widthPx };
}

/** Returns the column whose block is nearest to a place, or undefined without columns. */
export function columnAt({ columns, blockPx }: ObservedGeometry, xPx: number): Column | undefined {
  let best: Column | undefined;
  for (const column of columns) {
    const distancePx = Math.abs(column.xPx + blockPx / 2 - xPx);
    if (!best || distancePx < Math.abs(best.xPx + blockPx / 2 - xPx)) best = column;
  }
  return best;
}

/** Steps of labels in minutes, from which the first with enough room is taken. */
const labelSteps = [2, 4, 6, 10, 20, 30, 60, 120, 180, 360];

/** Returns the windows with a label: round times at least `labelPx` apart. */
export function pickWindowLabels({ part, pitchPx }: ObservedGeometry, labelPx: number): number[] {
  const stepMinutes = labelSteps.find((minutes) => (minutes / 2) * pitchPx >= labelPx) ?? 720;
  const step = stepMinutes / 2;
  const labels: number[] = [];
  for (let window = Math.ceil(part.first / step) * step; window <= part.last; window += step)
    labels.push(window);
  return labels;
}
