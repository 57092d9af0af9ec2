// What a failed request to a source means: the link, the source's answer, or too many questions.
import { AppError, isAppError } from "../../../shared/app-error.ts";
import type { BoundedAnswer } from "../fetching/bounded-request.ts";
import { isHttpFailure } from "../fetching/http-failure.ts";
import { parseRetryAfter } from "../fetching/retry-after.ts";

/** Failures of a request as AppError; everything else, an abort among it, stays as it is. */
export function toLinkError(error: unknown): unknown {
  return isHttpFailure(error) ? new AppError("upstream-unavailable", error.message, { cause: error }) : error;
}

export function isLinkError(error: unknown): error is AppError {
  return isAppError(error, "upstream-unavailable") || isAppError(error, "upstream-rate-limited");
}

/** A source that asks to be left alone for now. */
class SourceBusy extends AppError {
  /** How long, in milliseconds, where it says so. */
  readonly askedMs: number | undefined;

  constructor(status: number, askedMs: number | undefined) {
    super("upstream-rate-limited", `The source asks to be left alone for now (status ${status}).`);
    this.askedMs = askedMs;
  }
}

/** How long the source asks to be left alone, in milliseconds; undefined where it does not say. */
export function askedWaitMs(error: unknown): number | undefined {
  return error instanceof SourceBusy ? error.askedMs : undefined;
}

/** The error for an answer that is no success. */
export function toStatusError({ status, headers }: Pick<BoundedAnswer, "status" | "headers">): AppError {
  if (status === 429 || status === 503) return new SourceBusy(status, parseRetryAfter(headers));
  const why = refusals[status] ?? "The source answers with an error";
  return new AppError("upstream-unavailable", `${why} (status ${status}).`);
}

const refusals: Readonly<Record<number, string>> = {
  401: "The source does not let us in",
  403: "The source does not let us in",
  404: "It is not there, or not any more",
  410: "It is not there any more",
};
