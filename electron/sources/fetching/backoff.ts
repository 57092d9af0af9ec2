// How long to wait before a retry: doubling from the first delay to the longest, half of it random, so that many
// clients of a lost service do not all return at once; and what a service requests with Retry-After.

export interface BackoffBounds {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Wait that the service requests. No wait is shorter, unless the request exceeds `longestMs`. */
  readonly askedMs?: number | undefined;
}

/** Largest random share added to a requested wait. */
const askedSpread = 0.1;

/** Returns whole milliseconds. `attempt` counts from 1; `random` returns 0 <= x < 1. */
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

/** Returns a steady interval, varied by up to a tenth to avoid hitting the same second every time. */
export function jitteredMs(ms: number, random: () => number): number {
  return Math.round(ms * (0.9 + random() * 0.2));
}

/**
 * Reads Retry-After (RFC 9110, section 10.2.3) in milliseconds; returns undefined if it is missing or malformed. A
 * date is compared with the response's own Date, so the local clock does not matter.
 */
export function parseRetryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const waitMs = parseHttpDate(value) - parseHttpDate(headers.get("date") ?? "");
  return waitMs >= 0 ? waitMs : undefined;
}

/** Returns NaN unless the value has HTTP's form: `Sun, 06 Nov 1994 08:49:37 GMT`. */
function parseHttpDate(value: string): number {
  return /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(value) ? Date.parse(value) : NaN;
}
