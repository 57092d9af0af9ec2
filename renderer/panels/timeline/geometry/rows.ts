// Where each row of the timeline is, in CSS pixels from the top of its drawing. Both orders have blocks at one height.

/** Top edges; for text, the baseline. */
export const rows = {
  /** Middle of the triangles of reports. */
  reportsPx: 6,
  /** Middle of the line from the loop's start to the playhead. */
  soFarPx: 17,
  loopPx: 30,
  blockPx: 38,
  readyPx: 57,
  /** First lane of a layer, in order of publication. */
  lanePx: 70,
  sequencePx: 111,
  publishedTimePx: 127,
  /** Middle of the lane of publications, in order of observation. */
  publicationPx: 80,
  coveragePx: 99,
  observedTimePx: 130,
} as const;

export const blockHeightPx = 16;
export const laneHeightPx = 4;
export const lanePitchPx = 12;
export const drawingHeightPx = 134;
/** Room at the right for the handle at now. */
export const nowRoomPx = 28;

/** Returns the path of equal rectangles, one for each left edge; corners are round if there is room. */
export function toRectangles(
  lefts: readonly number[],
  { topPx, widthPx, heightPx, radiusPx = 0 }: RectangleSize,
): string {
  const width = Math.max(widthPx, 0.5);
  if (radiusPx === 0) return lefts.map((xPx) => `M${xPx} ${topPx}h${width}v${heightPx}h-${width}z`).join("");
  const corner = (x: number, y: number): string => `a${radiusPx} ${radiusPx} 0 0 1 ${x} ${y}`;
  const [across, down] = [width - 2 * radiusPx, heightPx - 2 * radiusPx];
  const [r, back] = [radiusPx, -radiusPx];
  return lefts
    .map(
      (xPx) =>
        `M${xPx + r} ${topPx}h${across}${corner(r, r)}v${down}${corner(back, r)}h-${across}${corner(back, back)}v-${down}${corner(r, back)}z`,
    )
    .join("");
}

interface RectangleSize {
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly radiusPx?: number;
}
