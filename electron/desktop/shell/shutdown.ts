// Closes the host within a time limit.
import type { Report } from "./application-options.ts";

export type ShutdownResult = "closed" | "timed-out";

/** Waits at most `limitMs`. A close that fails is reported and counts as closed: the catalog survives an abrupt end. */
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
      report("The host could not be closed cleanly.", { error });
      return "closed";
    },
  );
  try {
    const result = await Promise.race([closing, limit]);
    if (result === "timed-out")
      report("The host took too long to close; the process ends without it.", { limitMs });
    return result;
  } finally {
    clearTimeout(timer);
  }
}
