// What a failed request to a source means: the link, the source's answer, or too many questions.
import { AppError, isAppError } from "../../shared/app-error.ts";
import { isHttpFailure } from "../fetching/http-failure.ts";

/** Failures of a request as AppError; everything else, an abort among it, stays as it is. */
export function toLinkError(error: unknown): unknown {
  return isHttpFailure(error) ? new AppError("upstream-unavailable", error.message, { cause: error }) : error;
}

export function isLinkError(error: unknown): error is AppError {
  return isAppError(error, "upstream-unavailable") || isAppError(error, "upstream-rate-limited");
}

/** The error for an answer that is no success. */
export function toStatusError(status: number): AppError {
  if (status === 429 || status === 503) {
    return new AppError(
      "upstream-rate-limited",
      `The source asks to be left alone for now (status ${status}).`,
    );
  }
  const why = refusals[status] ?? "The source answers with an error";
  return new AppError("upstream-unavailable", `${why} (status ${status}).`);
}

const refusals: Readonly<Record<number, string>> = {
  401: "The source does not let us in",
  403: "The source does not let us in",
  404: "It is not there, or not any more",
  410: "It is not there any more",
};
