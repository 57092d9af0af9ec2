// Errors of a repository service elsewhere, as sentences for a person. They contain no token and no address.
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import {
  connectionReason,
  HttpFailure,
  type ConnectionFailureKind,
} from "../../../sources/fetching/http-failure.ts";

const codes: Readonly<Record<ConnectionFailureKind, string>> = {
  unreachable: "The repository cannot be reached",
  "no-answer": "The repository does not respond",
  redirected: "The repository redirects to another address; redirects are not followed",
  "too-large": "The repository's response is too long",
  "too-slow": "The repository stopped in the middle of its response",
  "cut-short": "The connection to the repository was cut",
};

/** @param detail follows the sentence in brackets */
export function linkError(
  kind: ConnectionFailureKind,
  options: { cause?: unknown; detail?: string } = {},
): AppError {
  const reason = options.detail ?? connectionReason(options.cause);
  const sentence = `${codes[kind]}${reason === undefined ? "" : ` (${reason})`}.`;
  return new AppError("upstream-unavailable", sentence, {
    cause: new HttpFailure(kind, sentence, options.cause),
  });
}

const lostKinds: ReadonlySet<string> = new Set(["unreachable", "no-answer", "too-slow", "cut-short"]);

/** Returns true if a retry may help: the connection was lost and nothing was refused. */
export function isLostLink(error: unknown): boolean {
  return isAppError(error) && error.cause instanceof HttpFailure && lostKinds.has(error.cause.kind);
}

/** Returns the error for a response that no Git service sends. */
export function notGit(why: string, cause?: unknown): AppError {
  return new AppError("upstream-unavailable", `No Git repository answers at this address (${why}).`, {
    cause,
  });
}

const refusedToken =
  "The repository refuses the token: it is missing, wrong, expired, revoked or another repository's.";

/** Converts a status other than 200. `words` are the service's own, after `harmless`. */
export function statusError(status: number, words: string | undefined): AppError {
  const said = words === undefined ? "" : ` It says: ${words}`;
  if (status >= 300 && status < 400) return linkError("redirected");
  switch (status) {
    case 401:
      return new AppError("invalid-input", refusedToken, { context: { status } });
    case 403:
      return new AppError("invalid-input", `The repository does not allow this with this token.${said}`);
    case 404:
      return new AppError("not-found", "There is no repository at this address.");
    case 413:
      return new AppError("conflict", `The repository does not accept a pack of this size.${said}`);
    case 429:
      return new AppError("upstream-rate-limited", "The repository is too busy; try again later.");
    default:
      return new AppError("upstream-unavailable", `The repository failed with status ${status}.${said}`);
  }
}

/** Returns outside text on one line without control characters, at most 300 long; undefined if nothing is left. */
export function harmless(words: string): string | undefined {
  const line = words
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, 300);
  return line === "" ? undefined : line;
}
