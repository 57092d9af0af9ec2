// A bound on how long asking a source may take in all, however steadily something comes. Of real time, as a feed's own clock
// may be set.
import { AppError } from "../../../shared/app-error.ts";

/** @throws AppError `upstream-unavailable` when the time is over; what `work` throws; the signal's reason */
export async function withDeadline<Result>(
  deadlineMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const timer = setTimeout(() => {
    ending.abort();
  }, deadlineMs);
  try {
    return await work(AbortSignal.any([signal, ending.signal]));
  } catch (error) {
    signal.throwIfAborted();
    if (!ending.signal.aborted) throw error;
    const seconds = deadlineMs / 1000;
    throw new AppError("upstream-unavailable", `It did not arrive within ${seconds} seconds.`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}
