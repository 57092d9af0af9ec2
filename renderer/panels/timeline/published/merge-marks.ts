// The marks of corrections above the timeline: marks that would overlap become one with a count. Pure numbers in CSS
// pixels.

export interface Mark {
  /** Middle of the mark. */
  readonly xPx: number;
  /** Indices of the revisions that it stands for, ascending. */
  readonly indices: readonly number[];
}

/**
 * Returns marks at least `leastPx` apart, for revisions in the order of their places. A merged mark stands in the
 * middle between its first and last revision.
 */
export function mergeMarks(
  indices: readonly number[],
  middleOf: (index: number) => number,
  leastPx: number,
): Mark[] {
  const marks: Mark[] = [];
  for (const index of indices) {
    const last = marks.at(-1);
    const xPx = middleOf(index);
    if (!last || xPx - last.xPx >= leastPx) {
      marks.push({ xPx, indices: [index] });
    } else {
      // The middle moves to the right only, away from the mark before.
      const merged = [...last.indices, index];
      marks[marks.length - 1] = { xPx: (middleOf(merged[0]!) + xPx) / 2, indices: merged };
    }
  }
  return marks;
}

/** Returns the revision of a mark that a press goes to: the one after `shown`, else the first. */
export function nextOfMark({ indices }: Mark, shown: number | undefined): number {
  const place = shown === undefined ? -1 : indices.indexOf(shown);
  return indices[(place + 1) % indices.length]!;
}
