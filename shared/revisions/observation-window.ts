// The two-minute observation window that pairs the two products: their valid times differ by seconds.

export const windowMs = 120_000;

/** Returns the number of whole windows since the Unix epoch. `observedAt` is an RFC 3339 instant. */
export function observationWindow(observedAt: string): number {
  return Math.floor(Date.parse(observedAt) / windowMs);
}

/** Returns the window of a frame, which may say it; parsing the instant again for each question is slow. */
export function windowOf({
  window,
  observedAt,
}: {
  readonly observedAt: string;
  readonly window?: number | undefined;
}): number {
  return window ?? observationWindow(observedAt);
}

export function windowStartAt(window: number): string {
  return new Date(window * windowMs).toISOString();
}
