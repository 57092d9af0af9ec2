// The publications along the timeline, on which the "As known at" handle stands: after a publication, or at now. Pure.

export interface PublicationTick {
  /** Index among all revisions held. */
  readonly index: number;
  readonly xPx: number;
}

export interface PublicationAxis {
  /** Ascending by index. */
  readonly ticks: readonly PublicationTick[];
  /** Place of now; undefined if the part drawn ends before the newest publication. */
  readonly nowPx: number | undefined;
  readonly widthPx: number;
}

/** Returns the place of the handle if `known` of `total` revisions are known; an edge if that is not drawn. */
export function toHandlePx({ ticks, nowPx, widthPx }: PublicationAxis, known: number, total: number): number {
  if (known === total) return nowPx ?? widthPx;
  return ticks.findLast(({ index }) => index < known)?.xPx ?? 0;
}

/** Returns the index of the publication nearest to a place; the length of the history for now. */
export function publicationAt(
  { ticks, nowPx }: PublicationAxis,
  xPx: number,
  total: number,
): number | undefined {
  let best: number | undefined = nowPx === undefined ? undefined : total;
  let leastPx = nowPx === undefined ? Infinity : Math.abs(nowPx - xPx);
  for (const { index, xPx: tickPx } of ticks) {
    const distancePx = Math.abs(tickPx - xPx);
    if (distancePx >= leastPx) continue;
    leastPx = distancePx;
    best = index;
  }
  return best;
}
