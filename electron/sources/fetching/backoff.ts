// How long to wait before trying again: doubling from the first delay to the longest, half of it by chance, so that many who
// lost the same service do not all come back at once.

export interface BackoffBounds {
  readonly firstMs: number;
  readonly longestMs: number;
  /** What the service itself asks for: no wait is shorter, unless it asks for more than the longest. */
  readonly askedMs?: number | undefined;
}

/** Of the wait that a service asks for: what chance adds at most. */
const askedSpread = 0.1;

/** `attempt` counts from 1; `random` gives 0 up to, not including, 1. In whole milliseconds. */
export function backoffMs(
  attempt: number,
  { firstMs, longestMs, askedMs = 0 }: BackoffBounds,
  random: () => number,
): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(30, Math.max(0, attempt - 1)));
  const chance = random();
  const asked = Math.min(longestMs, askedMs * (1 + askedSpread * chance));
  return Math.round(Math.max(asked, full / 2 + chance * (full / 2)));
}

/** A steady pace that does not hit the same second every time: up to a tenth more or less. */
export function jitteredMs(ms: number, random: () => number): number {
  return Math.round(ms * (0.9 + random() * 0.2));
}
