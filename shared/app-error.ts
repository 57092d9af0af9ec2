// The error type that crosses parts of Echotop: a code from a closed set, a sentence for a person, and context for the
// log. The edges convert codes to wire forms or words.

export const errorCodes = [
  /** The input is not valid. */
  "invalid-input",
  /** The requested thing does not exist. */
  "not-found",
  /** A stored manifest, frame or row is damaged. */
  "stored-data-invalid",
  /** A source file is unusable: not GRIB2, damaged, or not a product of this viewer. */
  "source-invalid",
  /** An upstream service limits our requests. */
  "upstream-rate-limited",
  /** An upstream service failed, timed out, or sent an invalid answer. */
  "upstream-unavailable",
  /** The state of an event or directory forbids the operation: archived, or of a newer version. */
  "conflict",
  /** Another person has saved the steps of the briefing since they were read. */
  "steps-changed",
  /** The address or port is taken. */
  "address-in-use",
  /** A frame to publish is not in the store: store it again, then publish again. */
  "frame-missing",
  /** The disk is full, read-only, or access is denied. */
  "storage-failed",
  /** The database or the object store of a service does not answer: try again later. */
  "storage-unavailable",
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

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
