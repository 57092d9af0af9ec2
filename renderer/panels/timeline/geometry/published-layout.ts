// The layout in order of publication: one slot per revision, gaps where sequences are missing, labels as dense as
// fits. Pure numbers in CSS pixels; indices are among all revisions held, of which a part is drawn.
import type { Revision } from "../../../state/timeline/revisions.ts";
import type { PublicationAxis } from "./publication-axis.ts";
import type { Part } from "./timeline-part.ts";

export interface Slot {
  /** Index of the revision. */
  readonly index: number;
  /** Left edge of its block. */
  readonly xPx: number;
}

export interface Gap {
  /** Middle of the gap. */
  readonly xPx: number;
  /** Number of missing sequences. */
  readonly missing: number;
}

export interface TimelineGeometry {
  /** Index of the first revision drawn. */
  readonly first: number;
  /** Distance between the left edges of two blocks. */
  readonly pitchPx: number;
  readonly blockPx: number;
  readonly slots: readonly Slot[];
  readonly gaps: readonly Gap[];
  /** Right edge of the last block. */
  readonly endPx: number;
}

const widestPitchPx = 56;
/** Width of a gap in slots, however many sequences are missing. */
const gapSlots = 1;

/** Lays out one slot per revision of the part within `widthPx`. */
export function layOutTimeline(
  revisions: readonly Pick<Revision, "sequence">[],
  widthPx: number,
  part: Part = { first: 0, last: revisions.length - 1 },
): TimelineGeometry {
  const drawn = revisions.slice(part.first, part.last + 1);
  const missingBefore = drawn.map(({ sequence }, index) => {
    const previous = drawn[index - 1]?.sequence;
    return previous === undefined ? 0 : sequence - previous - 1;
  });
  const slotCount = drawn.length + missingBefore.filter((missing) => missing > 0).length * gapSlots;
  const exactPx = slotCount === 0 ? widestPitchPx : widthPx / slotCount;
  // Whole pixels keep all blocks equal; below one pixel per slot, blocks share pixels.
  const pitchPx = exactPx >= 1 ? Math.min(widestPitchPx, Math.floor(exactPx)) : exactPx;
  const blockPx = Math.max(Math.min(1, pitchPx), pitchPx - spaceBetween(pitchPx));
  const slots: Slot[] = [];
  const gaps: Gap[] = [];
  let xPx = 0;
  missingBefore.forEach((missing, index) => {
    if (missing > 0) {
      gaps.push({ xPx: xPx + (gapSlots * pitchPx) / 2 - (pitchPx - blockPx) / 2, missing });
      xPx += gapSlots * pitchPx;
    }
    slots.push({ index: part.first + index, xPx });
    xPx += pitchPx;
  });
  return { first: part.first, pitchPx, blockPx, slots, gaps, endPx: Math.max(0, xPx - (pitchPx - blockPx)) };
}

function spaceBetween(pitchPx: number): number {
  if (pitchPx >= 32) return 8;
  if (pitchPx >= 20) return 6;
  if (pitchPx >= 12) return 4;
  if (pitchPx >= 6) return 2;
  return 1;
}

/** Returns the index of the nearest revision; undefined if there are none. */
export function revisionAt(geometry: TimelineGeometry, xPx: number): number | undefined {
  let best: { index: number; distance: number } | undefined;
  for (const slot of geometry.slots) {
    const distance = Math.abs(slot.xPx + geometry.blockPx / 2 - xPx);
    if (!best || distance < best.distance) best = { index: slot.index, distance };
  }
  return best?.index;
}

/** Farthest distance from a block at which the pointer is still on it, in CSS pixels. */
const reachPx = 4;

/** Returns the index of the revision whose block is at this place, or a few pixels beside it. */
export function blockAt(geometry: TimelineGeometry, xPx: number): number | undefined {
  const index = revisionAt(geometry, xPx);
  if (index === undefined) return undefined;
  return Math.abs(middleOf(geometry, index) - xPx) <= geometry.blockPx / 2 + reachPx ? index : undefined;
}

/** Returns the slot of a revision; undefined if it is not in the part drawn. */
export function slotOf(geometry: TimelineGeometry, index: number): Slot | undefined {
  return geometry.slots[index - geometry.first];
}

/** Returns the places of the handle: after each block, and now after the newest. */
export function toPublishedAxis(geometry: TimelineGeometry, total: number, widthPx: number): PublicationAxis {
  const afterPx = geometry.blockPx + Math.min(4, (geometry.pitchPx - geometry.blockPx) / 2);
  const last = geometry.slots.at(-1);
  return {
    ticks: geometry.slots.map(({ index, xPx }) => ({ index, xPx: xPx + afterPx })),
    nowPx: last?.index === total - 1 ? last.xPx + afterPx + 10 : undefined,
    widthPx,
  };
}

export function middleOf(geometry: TimelineGeometry, index: number): number {
  return (slotOf(geometry, index)?.xPx ?? 0) + geometry.blockPx / 2;
}

const labelSteps = [1, 2, 3, 5, 6, 10, 12, 15, 20, 30, 60, 120, 240];

/**
 * Returns the indices of the revisions with a label, in order and `labelPx` apart: the selected one, the first one if
 * there is room beside it, and an even step of sequences from the first.
 */
export function pickAxisLabels(
  revisions: readonly Pick<Revision, "sequence">[],
  geometry: TimelineGeometry,
  { labelPx, selected }: { readonly labelPx: number; readonly selected: number | undefined },
): number[] {
  const first = revisions[geometry.first]?.sequence;
  if (first === undefined) return [];
  const wanted = labelPx / geometry.pitchPx;
  const step = labelSteps.find((candidate) => candidate >= wanted) ?? Math.ceil(wanted);
  const selectedPx = selected === undefined ? -Infinity : middleOf(geometry, selected);
  let previousPx = -Infinity;
  return geometry.slots.flatMap(({ index }) => {
    const { sequence } = revisions[index]!;
    const xPx = middleOf(geometry, index);
    const fits = xPx - previousPx >= labelPx && Math.abs(xPx - selectedPx) >= labelPx;
    if (index !== selected && !(fits && (sequence - first) % step === 0)) return [];
    previousPx = xPx;
    return [index];
  });
}

export interface Run {
  readonly xPx: number;
  readonly widthPx: number;
}

/** Joins neighboring blocks for which `holds` is true. */
export function runsOf(geometry: TimelineGeometry, holds: (index: number) => boolean): Run[] {
  const runs: { xPx: number; widthPx: number }[] = [];
  let previous: number | undefined;
  for (const { index, xPx } of geometry.slots) {
    if (!holds(index)) continue;
    const open = runs.at(-1);
    if (open && previous === index - 1) open.widthPx = xPx + geometry.blockPx - open.xPx;
    else runs.push({ xPx, widthPx: geometry.blockPx });
    previous = index;
  }
  return runs;
}
