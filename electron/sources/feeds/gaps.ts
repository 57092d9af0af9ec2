// Windows of a product that its source went past without a file. Pure.

export interface Gap {
  readonly firstWindow: number;
  readonly lastWindow: number;
}

/** A file may come a little late; a window counts as missing when the source is so many windows further. */
export const gapGraceWindows = 3;

/** Runs of windows from `fromWindow` to `toWindow`, both inclusive, that `has` denies, ascending. */
export function findGaps(fromWindow: number, toWindow: number, has: (window: number) => boolean): Gap[] {
  const gaps: Gap[] = [];
  let first: number | undefined;
  for (let window = fromWindow; window <= toWindow + 1; window += 1) {
    const isMissing = window <= toWindow && !has(window);
    if (isMissing) first ??= window;
    else if (first !== undefined) {
      gaps.push({ firstWindow: first, lastWindow: window - 1 });
      first = undefined;
    }
  }
  return gaps;
}

export function gapLength({ firstWindow, lastWindow }: Gap): number {
  return lastWindow - firstWindow + 1;
}
