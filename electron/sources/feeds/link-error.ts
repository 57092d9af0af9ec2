// Failed requests to a source: what they mean, and when to retry.
import { AppError, isAppError } from "../../../shared/app-error.ts";
import { backoffMs, parseRetryAfter } from "../fetching/backoff.ts";
import type { BoundedAnswer } from "../fetching/bounded-request.ts";
import { isHttpFailure } from "../fetching/http-failure.ts";
import type { FeedTiming } from "./feed-config.ts";
import { firstBackoffShare, leastBackoffMs } from "./feed-limits.ts";

/** Converts an HttpFailure to an AppError; passes other errors through. */
export function toLinkError(error: unknown): unknown {
  return isHttpFailure(error) ? new AppError("upstream-unavailable", error.message, { cause: error }) : error;
}

export function isLinkError(error: unknown): error is AppError {
  return isAppError(error, "upstream-unavailable") || isAppError(error, "upstream-rate-limited");
}

/** Converts a response other than a success. */
export function toStatusError({ status, headers }: Pick<BoundedAnswer, "status" | "headers">): AppError {
  if (status === 429 || status === 503) {
    const context = { askedMs: parseRetryAfter(headers) };
    return new AppError("upstream-rate-limited", `The source is too busy (status ${status}).`, { context });
  }
  const why = refusals[status] ?? "The source returned an error";
  return new AppError("upstream-unavailable", `${why} (status ${status}).`);
}

const refusals: Readonly<Record<number, string>> = {
  401: "The source denied access",
  403: "The source denied access",
  404: "Not found at the source",
  410: "No longer at the source",
};

/** Returns the wait in milliseconds that the source requested; undefined if none. */
export function askedWaitMs(error: unknown): number | undefined {
  const askedMs = isAppError(error) ? error.context.askedMs : undefined;
  return typeof askedMs === "number" ? askedMs : undefined;
}

/** Returns the pause after the given number of failures in a row, in milliseconds. */
export function retryDelay(
  failures: number,
  { pollMs, backoffMaxMs }: Pick<FeedTiming, "pollMs" | "backoffMaxMs">,
  random: () => number,
  askedMs?: number,
): number {
  const firstMs = Math.max(leastBackoffMs, pollMs * firstBackoffShare);
  return backoffMs(failures, { firstMs, longestMs: backoffMaxMs, askedMs }, random);
}

/**
 * Limits the total time of `work`, however steadily bytes arrive. Uses real time: a feed's clock may be changed.
 * @throws AppError `upstream-unavailable` after the deadline; the errors of `work`; the signal's reason
 */
export async function withDeadline<Result>(
  deadlineMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    return await work(AbortSignal.any([signal, deadline]));
  } catch (error) {
    signal.throwIfAborted();
    if (!deadline.aborted) throw error;
    const message = `The source took longer than ${deadlineMs / 1000} seconds.`;
    throw new AppError("upstream-unavailable", message, { cause: error });
  }
}
