// Ending in good order: everything is asked to close once, and nobody waits for it longer than a bounded time.

import type { Report } from "./application-options.ts";

export type ShutdownResult = "closed" | "timed-out";

/**
 * Asks for a close and waits at most `limitMs`. A close that fails counts as closed once `report` has been told: the
 * process ends in either case, and the catalog survives an abrupt end.
 */
export async function closeWithin(
  close: () => Promise<void>,
  limitMs: number,
  report: Report,
): Promise<ShutdownResult> {
  const { promise: limit, resolve: giveUp } = Promise.withResolvers<ShutdownResult>();
  const timer = setTimeout(() => {
    giveUp("timed-out");
  }, limitMs);
  const closing = close().then(
    (): ShutdownResult => "closed",
    (error: unknown): ShutdownResult => {
      report("The host did not close in good order.", { error });
      return "closed";
    },
  );
  try {
    const result = await Promise.race([closing, limit]);
    if (result === "timed-out") report("The host took too long to close; ending without it.", { limitMs });
    return result;
  } finally {
    clearTimeout(timer);
  }
}
