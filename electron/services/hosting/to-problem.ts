// Which HTTP status an error of hosting has: the one place that says so.
import type { ApiProblem } from "../api/api-part.ts";
import { isArtifactsError, type ArtifactsErrorCode } from "./artifacts-error.ts";
import { TransferError } from "./transfer/transfer-error.ts";

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
  // There is no Git here, or hosting is being closed; another service's failures are TransferErrors.
  UPSTREAM_UNAVAILABLE: 503,
  MEMORY_LIMIT: 413,
};

/** Undefined for an error that is not hosting's. */
export function toProblem(error: unknown): ApiProblem | undefined {
  if (!isArtifactsError(error)) return undefined;
  return {
    status: error instanceof TransferError ? error.status : statuses[error.code],
    code: error.numericCode,
    message: error.message,
  };
}
