// The errors between the viewer and the storm service, as a closed set of codes. renderer/text/ has their messages.

export const apiErrorCodes = [
  /** No answer: the service is not running or cannot be reached. */
  "unreachable",
  /** The service took too long. */
  "timed-out",
  /** 400: the request breaks the contract. */
  "invalid-request",
  /** 404: the event, revision or frame does not exist or no longer exists. */
  "not-found",
  /** 429: the place provider limits our requests. */
  "rate-limited",
  /** 502 and 503: a dependency of the service failed, or a stored manifest is damaged. */
  "unavailable",
  /** Any other error status. */
  "refused",
  /** The answer breaks the contract. */
  "unreadable",
] as const;

export type ApiErrorCode = (typeof apiErrorCodes)[number];

/** `detail` is for a log or a tooltip: the service's own message, if it sent one. */
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

/** Returns true if the caller aborted; such an error is rethrown and never shown. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

const codes: Readonly<Record<number, ApiErrorCode>> = {
  400: "invalid-request",
  404: "not-found",
  429: "rate-limited",
  502: "unavailable",
  503: "unavailable",
  504: "timed-out",
};

/** Returns the code of an HTTP status that is not a success. */
export function codeOfStatus(status: number): ApiErrorCode {
  return codes[status] ?? "refused";
}
