// What can go wrong between the viewer and the storm service, as a closed set of codes. Words for them are in text.ts.

export const apiErrorCodes = [
  /** No answer at all: the service is not running or cannot be reached. */
  "unreachable",
  /** The service took too long. */
  "timed-out",
  /** 400: the request is outside what the contract allows. */
  "invalid-request",
  /** 404: the event, revision or frame does not exist, or does not exist any more. */
  "not-found",
  /** 429: the place provider asked us to slow down. */
  "rate-limited",
  /** 502: what the service depends on failed, or a stored manifest is damaged. */
  "unavailable",
  /** Any other refusal. */
  "refused",
  /** The answer came and is not what the contract says. */
  "unreadable",
] as const;

export type ApiErrorCode = (typeof apiErrorCodes)[number];

/** `detail` is for a log or a tooltip: the service's own sentence where it gave one. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;

  constructor(code: ApiErrorCode, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}

/** True when the caller itself gave up; such an error is passed on and never shown. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** The code of an HTTP status that is not a success. */
export function codeOfStatus(status: number): ApiErrorCode {
  switch (status) {
    case 400:
      return "invalid-request";
    case 404:
      return "not-found";
    case 429:
      return "rate-limited";
    case 502:
    case 503:
      return "unavailable";
    case 504:
      return "timed-out";
    default:
      return "refused";
  }
}
