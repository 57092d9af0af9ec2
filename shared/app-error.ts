// The one error type that crosses parts of Echotop: a code from a closed set, a sentence for a person, and
// context for the log. Turning codes into wire forms or words belongs to the edges, not here.

export const errorCodes = [
  /** The caller's input is outside what the operation accepts. */
  "invalid-input",
  /** The thing asked for does not exist (or does not exist any more). */
  "not-found",
  /** Stored bytes do not keep their contract: a damaged manifest, frame or row. */
  "stored-data-invalid",
  /** A source file cannot be used: not GRIB2, damaged, or not a product of this viewer. */
  "source-invalid",
  /** An upstream service asked us to slow down. */
  "upstream-rate-limited",
  /** An upstream service failed, timed out or answered nonsense. */
  "upstream-unavailable",
  /** The state of an event or directory forbids the operation (archived event, newer directory version). */
  "conflict",
  /** The address or port asked for is taken. */
  "address-in-use",
  /** A frame that is to be published is not in the store (any more): store it again, then publish again. */
  "frame-missing",
  /** The disk refused: full, read-only, or not permitted. */
  "storage-failed",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface AppErrorOptions {
  /** Facts for the log; never sent to a client. */
  context?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/** An error that a person may read. `detail` (also `message`) is one sentence without stack, token or local path. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly context: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.context = options.context ?? {};
  }

  get detail(): string {
    return this.message;
  }
}

export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code);
}

/** The sentence of any thrown value, for a place that must say something about it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
