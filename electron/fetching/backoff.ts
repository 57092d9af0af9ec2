// How long to wait before trying again: doubling from the first delay to the longest, half of it by chance, so that many who
// lost the same service do not all come back at once.

export interface BackoffBounds {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** `attempt` counts from 1; `random` gives 0 up to, not including, 1. In whole milliseconds. */
export function backoffMs(
  attempt: number,
  { firstMs, longestMs }: BackoffBounds,
  random: () => number,
): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(30, Math.max(0, attempt - 1)));
  return Math.round(full / 2 + random() * (full / 2));
}

/** A steady pace that does not hit the same second every time: up to a tenth more or less. */
export function jitteredMs(ms: number, random: () => number): number {
  return Math.round(ms * (0.9 + random() * 0.2));
}
