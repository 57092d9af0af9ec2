// The errors of repository hosting: a closed set of codes, each with its number and its HTTP status.
import { AppError } from "../../../shared/app-error.ts";
import { toStorageError } from "../../platform/disk/storage-error.ts";
import type { ApiProblem } from "../api/api-part.ts";

export const artifactsErrorNumbers = {
  INVALID_INPUT: 10_100,
  INVALID_REPO_NAME: 10_101,
  INVALID_TTL: 10_103,
  INVALID_URL: 10_104,
  REMOTE_AUTH_REQUIRED: 10_106,
  NOT_FOUND: 10_200,
  ALREADY_EXISTS: 10_201,
  /** The public service has this code, but publishes no number for it. */
  CREATE_IN_PROGRESS: 10_301,
  IMPORT_IN_PROGRESS: 10_302,
  FORK_IN_PROGRESS: 10_303,
  INTERNAL_ERROR: 10_400,
  /** Another service failed, this machine has no Git, or hosting is closing. */
  UPSTREAM_UNAVAILABLE: 10_401,
  /** The data exceeds a limit on what is read or imported at once. */
  MEMORY_LIMIT: 10_402,
} as const;

export type ArtifactsErrorCode = keyof typeof artifactsErrorNumbers;

const statuses: Readonly<Record<ArtifactsErrorCode, number>> = {
  INVALID_INPUT: 400,
  INVALID_REPO_NAME: 400,
  INVALID_TTL: 400,
  INVALID_URL: 400,
  REMOTE_AUTH_REQUIRED: 422,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  CREATE_IN_PROGRESS: 409,
  IMPORT_IN_PROGRESS: 409,
  FORK_IN_PROGRESS: 409,
  INTERNAL_ERROR: 500,
  UPSTREAM_UNAVAILABLE: 503,
  MEMORY_LIMIT: 413,
};

export interface ArtifactsErrorOptions {
  readonly cause?: unknown;
  /** HTTP status for REST; the code's own unless given. Failures of another Git service set it. */
  readonly status?: number;
}

/** `message` is one sentence for a person, without a token, a local path or an upstream address. */
export class ArtifactsError extends Error {
  override readonly name = "ArtifactsError";
  readonly code: ArtifactsErrorCode;
  readonly numericCode: number;
  readonly status: number;

  constructor(code: ArtifactsErrorCode, message: string, { cause, status }: ArtifactsErrorOptions = {}) {
    super(message, { cause });
    this.code = code;
    this.numericCode = artifactsErrorNumbers[code];
    this.status = status ?? statuses[code];
  }
}

export function isArtifactsError(error: unknown, code?: ArtifactsErrorCode): error is ArtifactsError {
  return error instanceof ArtifactsError && (code === undefined || error.code === code);
}

/** Returns an ArtifactsError, also for a disk that fails (status 507); undefined for other errors. */
export function toArtifactsError(error: unknown): ArtifactsError | undefined {
  if (isArtifactsError(error)) return error;
  const known = toStorageError(error, "The repository could not be read or written");
  if (!(known instanceof AppError) || known.code !== "storage-failed") return undefined;
  return new ArtifactsError("INTERNAL_ERROR", known.message, { cause: error, status: 507 });
}

/** Returns undefined for an error that is not known. */
export function toProblem(error: unknown): ApiProblem | undefined {
  const known = toArtifactsError(error);
  return known && { status: known.status, code: known.numericCode, message: known.message };
}
