// The labels under a legend drawn as a strip of equal cells: as many as have room, the important ones first.

interface StripEntry {
  readonly shortLabel: string;
  /** True for a limit that forecasters watch for. */
  readonly threshold: boolean;
  /** Lower edge of the class; undefined if unknown. */
  readonly from: number | undefined;
}

/**
 * Returns the indices of the entries whose short labels fit under the strip: thresholds and both ends first, then tens,
 * then an even step. A label begins with its cell; the last one ends with the strip.
 */
export function pickStripLabels(
  entries: readonly StripEntry[],
  widthPx: number,
  characterPx: number,
): number[] {
  if (entries.length === 0) return [];
  const cellPx = widthPx / entries.length;
  const gapPx = characterPx;
  const picked: number[] = [];
  const last = entries.length - 1;
  const textPx = (index: number): number => entries[index]!.shortLabel.length * characterPx;
  const startPx = (index: number): number =>
    index === last ? Math.min(last * cellPx, widthPx - textPx(last)) : index * cellPx;
  const fits = (index: number): boolean =>
    picked.every((other) => {
      const [left, right] = index < other ? [index, other] : [other, index];
      return startPx(left) + textPx(left) + gapPx <= startPx(right);
    });
  const offer = (index: number): void => {
    if (!picked.includes(index) && fits(index)) picked.push(index);
  };
  entries.forEach((entry, index) => {
    if (entry.threshold) offer(index);
  });
  offer(0);
  offer(last);
  entries.forEach(({ from }, index) => {
    if (from !== undefined && from % 10 === 0) offer(index);
  });
  const longest = Math.max(0, ...entries.map((entry) => entry.shortLabel.length));
  const step = Math.max(1, Math.ceil((longest * characterPx + gapPx) / cellPx));
  for (let index = 0; index < entries.length; index += step) offer(index);
  return picked.sort((first, second) => first - second);
}
