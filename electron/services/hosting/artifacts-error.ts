// The errors of repository hosting: a closed set of codes, each with the number that the REST envelope and the binding give.

export const artifactsErrorNumbers = {
  INVALID_INPUT: 10_100,
  INVALID_REPO_NAME: 10_101,
  INVALID_TTL: 10_103,
  INVALID_URL: 10_104,
  REMOTE_AUTH_REQUIRED: 10_106,
  NOT_FOUND: 10_200,
  ALREADY_EXISTS: 10_201,
  /** The public service has this code, too; its number is published nowhere, this one stands before those of its kind. */
  CREATE_IN_PROGRESS: 10_301,
  IMPORT_IN_PROGRESS: 10_302,
  FORK_IN_PROGRESS: 10_303,
  INTERNAL_ERROR: 10_400,
  /** Another service failed, or there is no Git on this machine. */
  UPSTREAM_UNAVAILABLE: 10_401,
  /** More than may be read or taken in at once. */
  MEMORY_LIMIT: 10_402,
} as const;

export type ArtifactsErrorCode = keyof typeof artifactsErrorNumbers;

/** `message` is one sentence for a person, without token, path of this machine or upstream address. */
export class ArtifactsError extends Error {
  override readonly name = "ArtifactsError";
  readonly code: ArtifactsErrorCode;
  readonly numericCode: number;

  constructor(code: ArtifactsErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.numericCode = artifactsErrorNumbers[code];
  }
}

export function isArtifactsError(error: unknown, code?: ArtifactsErrorCode): error is ArtifactsError {
  return error instanceof ArtifactsError && (code === undefined || error.code === code);
}
